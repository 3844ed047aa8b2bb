"""A home with a config file of every client, in the shapes that those clients write."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.config.imports.clients import ClientLocations
from desktop.config.store import ConfigStore

HOME = Path(__file__).parent / "home"


@pytest.fixture
def places() -> ClientLocations:
    return ClientLocations(HOME, {"FETCH_KEY": "1"}, "linux", HOME / "project")


@pytest.fixture
def store(tmp_path: Path) -> ConfigStore:
    made = ConfigStore(tmp_path / "mcp.json", {})
    made.load()
    return made
