"""The command `tasks`."""
