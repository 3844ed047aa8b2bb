"""The tab of the window, and how a chat becomes a case."""
