"""What the data folder holds: how much, since when, up to which bound, and how it is deleted.

Needed by people who have to say what the app keeps, or whose disk is full.
"""
