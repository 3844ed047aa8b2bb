"""Mentions: `/` finds a prompt and `@` a resource while a question to a model is typed.

Needed by people who use the prompts and resources of their servers in conversations.
"""
