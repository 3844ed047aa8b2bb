"""How long a test waits for what is to happen: only one that hangs waits so long."""

LIMIT = 40.0
"""Seconds: a start of a server takes a third of one, and thirty times that on a busy machine."""
