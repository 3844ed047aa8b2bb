"""The command palette, Ctrl+K: what can be gone to, its search, and the panel over the pages.

Needed by people who work by keyboard, or have many servers.
"""
