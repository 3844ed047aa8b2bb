"""Saved calls: a call of a tool under a name, with what its result is expected to be.

Needed by people who write servers, and by a CI job that tests one.
"""
