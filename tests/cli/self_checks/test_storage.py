from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import ConfigError
from desktop.base.paths import Paths
from desktop.cli.self_checks import storage
from desktop.cli.self_checks.check import CheckFailedError
from desktop.core import Core, build_core

if TYPE_CHECKING:
    from pathlib import Path


def core_in(folder: Path) -> Core:
    return build_core(Paths(folder / "mcp.json", folder / "data"), {"SHELL": "/bin/sh"})


async def test_the_server_is_written_and_what_others_wrote_is_kept(tmp_path: Path) -> None:
    storage.prepare_config(tmp_path / "mcp.json")
    core = core_in(tmp_path)
    assert "unknown keys kept" in await storage.write_and_read_config(core)
    written = json.loads(core.store.path.read_text(encoding="utf-8"))
    assert list(written["mcpServers"]) == [storage.NAME]
    await core.close()


async def test_a_file_that_was_never_the_prepared_one_is_told(tmp_path: Path) -> None:
    core = core_in(tmp_path)
    with pytest.raises(CheckFailedError, match="lost keys of another client"):
        await storage.write_and_read_config(core)
    with pytest.raises(ConfigError):  # and twice the same server is refused by the store
        await storage.write_and_read_config(core)
    await core.close()
