"""The Prompts page."""
