"""The Chat page: conversations with a model that has the tools of the servers."""
