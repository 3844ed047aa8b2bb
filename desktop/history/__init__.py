"""What was called and what came back, kept on disk; and calls saved by name with expectations."""
