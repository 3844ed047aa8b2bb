"""The command `serve`, and what it writes into the files of other clients."""
