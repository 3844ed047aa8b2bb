"""The command `catalogue`, and what it prints."""
