"""The tab *Clients* of a tool."""
