"""Conversations with a model that calls the tools: the agent, the providers, the page.

Needed by people who try what a model makes of their servers, or who work with them in a
conversation. Those who use the servers from other programs need it less.
"""
