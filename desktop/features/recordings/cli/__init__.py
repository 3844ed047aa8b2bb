"""The commands `compare` and `replay`."""
