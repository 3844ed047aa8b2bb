"""Other apps that use the servers of this one: their files, what they see, and what they call."""
