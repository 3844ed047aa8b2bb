"""What the data folder holds: how much, since when, up to which bound, and how it is deleted."""
