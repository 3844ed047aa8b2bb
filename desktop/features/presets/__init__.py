"""Presets: how a conversation is answered, under a name, and the system prompt and limits of one.

Needed by people who ask for the same kind of work again and again, with its own tools and words.
"""
