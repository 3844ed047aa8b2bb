"""Terminal commands that run in the open window or the daemon, over the servers it has already."""
