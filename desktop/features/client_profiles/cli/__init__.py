"""The commands `clients` and `capture`, and the flag `--client` of others."""
