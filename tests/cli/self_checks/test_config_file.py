from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.cli.self_checks import config_file
from desktop.cli.self_checks.check import CheckFailedError
from desktop.core import Core, build_core
from desktop.errors import ConfigError
from desktop.paths import Paths

if TYPE_CHECKING:
    from pathlib import Path


def core_in(folder: Path) -> Core:
    return build_core(Paths(folder / "mcp.json", folder / "data"), {})


async def test_the_server_is_written_and_what_others_wrote_is_kept(tmp_path: Path) -> None:
    config_file.prepare(tmp_path / "mcp.json")
    core = core_in(tmp_path)
    assert "unknown keys kept" in await config_file.write_and_read(core)
    written = json.loads(core.store.path.read_text(encoding="utf-8"))
    assert list(written["mcpServers"]) == [config_file.NAME]
    await core.close()


async def test_a_file_that_was_never_the_prepared_one_is_told(tmp_path: Path) -> None:
    core = core_in(tmp_path)
    with pytest.raises(CheckFailedError, match="lost what another client had written"):
        await config_file.write_and_read(core)
    with pytest.raises(ConfigError):  # and twice the same server is refused by the store
        await config_file.write_and_read(core)
    await core.close()
