"""How the window takes terminal commands."""
