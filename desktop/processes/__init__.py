"""Starts server processes and guarantees that none outlives the app."""
