"""The Processes page: what runs, whose it is, what it takes, and how to end it."""
