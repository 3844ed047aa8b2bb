"""Servers from other clients' files, bundles and links: read, shown as a plan, taken over.

Whatever is read here was written by others: bounded, never run, never fetched, never changed.
"""
