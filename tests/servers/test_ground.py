from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from builtin_servers.catalog import CATALOG
from desktop.paths import Paths
from desktop.servers.ground import EARLY, builtin_configs, read_ground

if TYPE_CHECKING:
    from pathlib import Path


def test_the_built_in_servers_are_there_and_off() -> None:
    configs = builtin_configs()
    assert [config.name for config in configs] == list(CATALOG)
    assert {(config.enabled, config.source) for config in configs} == {(False, "builtin")}


def test_a_broken_config_is_an_error_to_look_at_and_not_one_that_is_raised(tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text("{", encoding="utf-8")
    ground = read_ground(Paths(tmp_path / "mcp.json", tmp_path))
    assert ground.store.error is not None


def test_the_ground_is_there_before_the_sdk() -> None:
    script = "import sys, desktop.servers.ground; print([n for n in sys.modules if n == 'mcp'])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


async def test_only_the_first_few_are_started_early(tmp_path: Path) -> None:
    ground = read_ground(Paths(tmp_path / "mcp.json", tmp_path), own_path_first=True)
    calculator = ground.store.servers["calculator"]
    await ground.start_early(calculator.changed(name=f"s{number}") for number in range(EARLY + 3))
    assert len(ground.tracker.tracked) == EARLY
    receipt = await ground.tracker.close_all()
    assert len(receipt.closed) == EARLY
