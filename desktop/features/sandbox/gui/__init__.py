"""The sandbox in the window: what it refused a server, beside the server's state."""
