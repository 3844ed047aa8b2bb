"""The Tools page: search over all servers, the form, running a call, its result."""
