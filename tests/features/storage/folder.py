"""A data folder with something of every kind in it, of a given age."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final

from desktop.base.paths import Paths
from desktop.config.store import ConfigStore
from desktop.features.chat.agent.session_store import SessionStore
from desktop.features.storage.storage import Storage
from desktop.history.store import HistoryStore

if TYPE_CHECKING:
    from pathlib import Path

DAY: Final = 86_400.0
CHAT: Final = "20260101-120000-00000%d"
RECORDING: Final = '{"mcp-desktop recording": 1, "app": "1"}\n'
CONFIG: Final = '{"mcpServers": {"my files": {"command": "x"}, "broken": {"command": 3}}%s}'


def paths_in(folder: Path) -> Paths:
    return Paths(folder / "mcp.json", folder / "data")


def write(file: Path, content: str = "12345678", *, days: float = 0) -> Path:
    """A file that was last changed so many days ago."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content, "utf-8")
    at = time.time() - days * DAY
    os.utime(file, (at, at))
    return file


def fill(paths: Paths) -> None:
    """One of each kind, but for calls."""
    data = paths.data
    write(paths.config, CONFIG % "")
    for name in (
        "history.sqlite3.damaged-20260101-120000",
        "history.sqlite3.damaged-20260101-120000-wal",
        f"sessions/{CHAT % 1}.jsonl",
        f"sessions/{CHAT % 1}/1.txt",
        f"sessions/locks/{CHAT % 1}",
        "logs/app.log",
        "logs/app.log.1",
        "logs/servers/my_files.log",
        "logs/servers/broken.log",
        "logs/servers/gone.log",
        "logs/servers/gone.log.1",
        "crashes/2026-01-01T12-00-00-1-9.new.txt",
        "crashes/9.native",
        "calls/mine.json",
        "bundles/a-1/manifest.json",
        "approvals.json",
        "trust.json.lock",
        "what-is-this.bin",
        "folder/of/somebody",
    ):
        write(data / name)
    write(data / "window.ini", "[look]\n\n")
    write(data / "session.jsonl", RECORDING)
    write(data / "start.txt", '{"event": "start", "t": 1.0}\n')
    write(data / "processes" / "99999-1.0.jsonl", '{"place": {}}\n')


def open_storage(paths: Paths) -> Storage:
    store = ConfigStore(paths.config, {})
    store.load()
    return Storage(paths, store, lambda: SessionStore(paths.sessions), HistoryStore(paths.history))
