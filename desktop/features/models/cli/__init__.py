"""`tools --format` and `tools --cost`."""
