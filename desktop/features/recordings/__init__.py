"""Comparing two servers, versions or recordings: their tools, and results of saved calls.

Needed by people who write servers, before they release one.
"""
