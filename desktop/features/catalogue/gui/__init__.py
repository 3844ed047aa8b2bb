"""The catalogue in the window: what was found on the left, one server and its form on the right."""
