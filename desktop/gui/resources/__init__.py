"""The Resources page."""
