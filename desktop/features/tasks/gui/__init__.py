"""The tab *Tasks* in the details of a server."""
