"""A store of one person, and another client's file beside it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QWidget

from desktop.config.imports.clients import ClientLocations
from desktop.config.imports.plan import ImportPlan, make_plans
from desktop.config.imports.reader import DetectedClient, look_at
from desktop.config.models import AppSettings
from desktop.config.store import ConfigStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    Write = Callable[..., "Path"]
    Plan = Callable[..., tuple[DetectedClient, ImportPlan | None]]

OURS = {"same": {"command": "x"}, "differs": {"command": "ours", "env": {"TOKEN": "mine-1234"}}}
THEIRS: dict[str, Any] = {
    "new": {"command": "npx", "args": ["-y", "<b>pkg</b>"], "env": {"API_KEY": "secret-value"}},
    "same": {"command": "x"},
    "differs": {"command": "theirs", "env": {"TOKEN": "yours-1234"}},
    "wrong": {"args": []},
    "we:ird": {"command": "odd"},
}


@pytest.fixture
def places(tmp_path: Path) -> ClientLocations:
    return ClientLocations(tmp_path / "home", {}, "linux", bundles=tmp_path / "bundles")


@pytest.fixture
def store(tmp_path: Path) -> ConfigStore:
    path = tmp_path / "mcp.json"
    path.write_text(json.dumps({"mcpServers": OURS}), encoding="utf-8")
    made = ConfigStore(path, {})
    made.load()
    return made


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    """What dialogs stand over; kept, because qtbot holds it weakly."""
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write servers into a file of another client; its path."""

    def file(servers: dict[str, Any] | str = THEIRS, name: str = "theirs.json") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = servers if isinstance(servers, str) else json.dumps({"mcpServers": servers})
        path.write_text(text, encoding="utf-8")
        return path

    return file


@pytest.fixture
def plan(write: Write, places: ClientLocations, store: ConfigStore) -> Plan:
    """Read such a file and compare it."""

    def made(*args: Any) -> tuple[DetectedClient, ImportPlan | None]:
        found = look_at(str(write(*args)), places, AppSettings())
        plans = make_plans([found.read], store) if found.read is not None else [None]
        return found, plans[0]

    return made
