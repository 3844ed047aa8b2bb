"""The sandbox: what a local server may touch, by bubblewrap on Linux, and what is told of it.

Needed by people who start servers that they found on the internet, next to their keys and files.
"""
