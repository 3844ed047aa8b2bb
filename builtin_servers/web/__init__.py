"""What the fetch server needs to get a page and to make a text of it."""
