"""The calls that were made, and those saved by name: views that other pages take in."""
