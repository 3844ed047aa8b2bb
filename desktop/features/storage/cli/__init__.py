"""The command `storage`."""
