"""The agent: a session asks a model and carries out the calls that it asks for."""
