"""The section *Storage* of the settings."""
