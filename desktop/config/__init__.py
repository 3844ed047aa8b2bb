"""The config file of servers and settings: reading, typed models, writing."""

from desktop.import_patches import import_pydantic_lightly

import_pydantic_lightly()  # before any module here imports pydantic
