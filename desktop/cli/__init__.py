"""The terminal twin: one file a command. Prints; the work is done by the core."""
