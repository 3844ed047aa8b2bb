"""The Activity page: what was called, what went over the wire, what the app says of itself."""
