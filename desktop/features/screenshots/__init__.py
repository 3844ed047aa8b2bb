"""Pictures of every page, from a real run or of an example.

Needed by people who write about their servers, and by those who look at each page of this app.
"""
