"""How mentions join the window."""
