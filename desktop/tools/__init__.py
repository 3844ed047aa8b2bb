"""The tool path: definition, adapters, registry, validation, executor. One for person and agent."""
