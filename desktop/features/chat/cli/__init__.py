"""The commands of conversations."""
