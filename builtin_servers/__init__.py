"""Servers that come with the app, on the standard library alone. Imports nothing of `desktop`.

A server's own module declares its tools and is all that is imported at start-up. What does the work
(`arithmetic`, `memory_store`, `sqlite_database`, `files`, `web`) is imported with the first call.
"""
