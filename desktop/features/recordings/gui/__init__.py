"""The dialog that compares a server with another, or with a recording."""
