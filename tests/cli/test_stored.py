from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.cli.options import Options
from desktop.cli.stored import open_store
from desktop.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


def options(folder: Path) -> Options:
    return Options(config=str(folder / "mcp.json"), data_dir=str(folder / "data"))


def test_the_servers_of_the_file_and_the_built_in_ones_are_there(tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text('{"mcpServers": {"a": {"command": "x"}}}')
    store = open_store(options(tmp_path))
    assert store.servers["a"].source == "file"
    assert store.servers["calculator"].source == "builtin"
    assert not (tmp_path / "data").exists()


def test_a_broken_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text("{")
    with pytest.raises(ConfigError, match="not valid JSON"):
        open_store(options(tmp_path))
