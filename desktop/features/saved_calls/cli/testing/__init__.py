"""What `test` does: on which servers it runs, what it prints, what it records."""
