"""The tool path: definition, adapters, registry, validation, executor.

One way for person and agent.
"""
