"""The page of conversations, and what else of the window asks a model."""
