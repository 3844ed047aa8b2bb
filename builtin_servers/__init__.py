"""Servers that come with the app, one file each, on the standard library alone.

Imports nothing of `desktop`.
"""
