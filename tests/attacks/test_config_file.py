"""The config file: open to others, and saved by several programs at a time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from desktop.base import atomic_file
from desktop.base.errors import ConfigError
from desktop.base.file_lock import FolderLock
from desktop.config import store as store_module
from desktop.config.models import ServerConfig
from desktop.config.store import ConfigStore
from resources.packaging.setup_env import is_root

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
    assert "Other users can change" in str(store.exposure)
    file.chmod(0o600)
    store.reload()
    assert store.exposure is None


def test_a_config_in_a_folder_that_others_can_write_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "mcp.json").write_text("{}")
    (folder / "mcp.json").chmod(0o600)
    folder.chmod(0o777)
    assert "Other users can change" in str(atomic_file.exposure(folder / "mcp.json"))
    folder.chmod(0o1777)
    assert atomic_file.exposure(folder / "mcp.json") is None


def test_a_config_of_another_user_is_said(tmp_path: Path) -> None:
    if sys.platform == "win32" or not is_root():
        pytest.skip("only root gives files away")
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
    assert (done.stdout + done.stderr).count("Other users can change") == 1


# --- several programs -------------------------------------------------------------------------

ADDS = """
import sys
from pathlib import Path
from desktop.config import store as store_module
from desktop.config.models import ServerConfig
from desktop.config.store import ConfigStore

store_module.MAX_LOCK_WAIT = 40.0  # nobody saves without a pause as they do here
store = ConfigStore(Path(sys.argv[1]), {})
store.load()
print("ready", flush=True)
sys.stdin.readline()
for number in range(int(sys.argv[3])):
    name = f"{sys.argv[2]}-{number}"
    store.add_servers([ServerConfig(name=name, transport="stdio", command="true")])
"""
PROGRAMS, EACH = 4, 25


def test_programs_that_save_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {}, "otherClient": 1}')
    with ExitStack() as stack:
        writers = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", ADDS, file, str(number), str(EACH)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                )
            )
            for number in range(PROGRAMS)
        ]
        for writer in writers:
            assert writer.stdout is not None
            writer.stdout.readline()
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.close()
    assert [writer.returncode for writer in writers] == [0] * PROGRAMS
    written = json.loads(file.read_text())
    assert len(written["mcpServers"]) == PROGRAMS * EACH
    assert written["otherClient"] == 1


def test_many_imports_leave_three_backups_and_the_first_of_them_stays(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text('{"mcpServers": {}, "mine": true}')
    store = ConfigStore(file, {})
    store.load()
    configs = [ServerConfig(name=f"s{n}", transport="stdio", command="true") for n in range(10)]
    kept = [store.add_servers([config]) for config in configs][-1]
    assert kept is not None
    assert len(json.loads(kept.read_text())["mcpServers"]) == 9
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["mcp.json", "mcp.json.bak", "mcp.json.bak2", "mcp.json.bak3"]
    first = (tmp_path / "mcp.json.bak").read_text()
    assert first == '{"mcpServers": {}, "mine": true}'


def test_a_lock_that_is_never_given_back_is_told_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "MAX_LOCK_WAIT", 0.05)
    store = ConfigStore(tmp_path / "mcp.json", {})
    store.load()
    held = FolderLock(tmp_path)
    assert held.take()
    with pytest.raises(ConfigError, match=r"Another program is writing .*; nothing was saved"):
        store.update_settings(theme="dark")
    assert not (tmp_path / "mcp.json").exists()
    held.release()
    store.update_settings(theme="dark")
    assert (tmp_path / "mcp.json").exists()


def test_a_save_that_leads_to_another_does_not_wait_for_itself(tmp_path: Path) -> None:
    store = ConfigStore(tmp_path / "mcp.json", {})
    store.load()
    end = store.changed.connect(lambda: store.update_settings(language="zh_CN"))
    store.update_settings(theme="dark")
    end()
    assert (store.settings.theme, store.settings.language) == ("dark", "zh_CN")
