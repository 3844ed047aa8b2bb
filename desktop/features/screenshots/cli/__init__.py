"""The command `screenshots`."""
