"""What every built-in server is made of. Knows none of the servers."""
