"""How a server is reached: its process or its address, and the messages that go over.

Knows nothing of tools, resources and prompts.
"""
