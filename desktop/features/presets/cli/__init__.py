"""What presets give the terminal."""
