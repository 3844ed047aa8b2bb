"""Past calls, and calls saved by name: views that are tabs of another page."""
