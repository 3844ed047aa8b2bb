"""The command that has the servers running for others: `daemon`."""
