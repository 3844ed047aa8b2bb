"""What a model is told and what it answers; `formats` apart from `services`.

Knows no server: tools come as a table made for one request. Imports no provider's SDK by itself.
"""
