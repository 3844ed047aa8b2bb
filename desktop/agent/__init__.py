"""The agent: a model, its tools and a person who is asked, in a session that ends cleanly."""
