"""The config file of servers and settings: reading, typed models, writing."""

from desktop.import_patches import skip_plugin_search

skip_plugin_search()  # before any module here imports pydantic
