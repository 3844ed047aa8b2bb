"""What the window shows first: the servers and tools of the last run, until they come again."""
