"""The config file: open to others, and saved by several programs at a time."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from desktop import atomic_file
from desktop.config.store import ConfigStore

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("mode", [0o602, 0o666, 0o622])
def test_a_config_that_others_can_write_is_said(mode: int, tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text("{}")
    tmp_path.chmod(0o700)
    file.chmod(mode)
    if mode == 0o622:
        file.chmod(0o602)
    store = ConfigStore(file)
    store.load()
    assert "can be changed by other users" in str(store.exposure)
    file.chmod(0o600)
    store.reload()
    assert store.exposure is None


def test_a_config_in_a_folder_that_others_can_write_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "mcp.json").write_text("{}")
    (folder / "mcp.json").chmod(0o600)
    folder.chmod(0o777)
    assert "can be changed by other users" in str(atomic_file.exposure(folder / "mcp.json"))
    folder.chmod(0o1777)
    assert atomic_file.exposure(folder / "mcp.json") is None


@pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="only root gives files away")
def test_a_config_of_another_user_is_said(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text("{}")
    os.chown(file, 65534, 65534)
    assert "belongs to another user" in str(atomic_file.exposure(file))


def test_the_terminal_says_it_once(tmp_path: Path) -> None:
    config = tmp_path / "mcp.json"
    config.write_text("{}")
    config.chmod(0o666)
    flags = ["--config", config, "--data-dir", tmp_path / "data"]
    done = subprocess.run(
        [sys.executable, "-m", "desktop", "servers", *flags],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.returncode == 0
    assert (done.stdout + done.stderr).count("can be changed by other users") == 1
