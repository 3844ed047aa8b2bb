"""How presets join the window."""
