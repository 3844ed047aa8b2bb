"""The gateway as the SDK's server, over stdio and loopback HTTP: all of this room that knows it."""
