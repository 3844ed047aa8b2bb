"""What the window shows of it: the tab *Model* of a tool, and what the tools of servers cost."""
