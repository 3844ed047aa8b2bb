from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.config.store import ConfigStore
from desktop.errors import ConfigError
from desktop.gui.servers.json_form import JsonForm

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme


@pytest.fixture
def form(theme: Theme, qtbot: QtBot, tmp_path: Path) -> JsonForm:
    store = ConfigStore(tmp_path / "mcp.json", {})
    store.load()
    form = JsonForm(theme, store, lambda name: f"{name} is taken" if name == "old" else "")
    qtbot.addWidget(form)
    return form


def test_each_server_that_was_understood_has_its_line(form: JsonForm) -> None:
    text = json.dumps({"mcpServers": {"a": {"command": "x"}, "b": {"url": "http://h/"}, "c": {}}})
    form.text.setPlainText(text)
    form.check()
    assert form.messages[0].startswith("✓ a")
    assert form.messages[1].startswith("✓ b")
    assert '"c"' in form.messages[2]
    with pytest.raises(ConfigError):
        form.servers()


def test_a_name_that_is_taken_is_told_and_refused(form: JsonForm) -> None:
    form.show_text('{"old": {"command": "x"}}')
    assert form.messages == ("old is taken",)
    with pytest.raises(ConfigError, match="old is taken"):
        form.servers()


def test_a_mistake_is_told_with_its_place(form: JsonForm) -> None:
    form.show_text('{\n"a" {}}')
    assert "line 2" in form.messages[0]
    form.show_text("")
    assert form.messages == ()


def test_a_thousand_servers_are_a_few_lines(form: JsonForm) -> None:
    form.show_text(json.dumps({f"s{n}": {"command": "x"} for n in range(1000)}))
    assert len(form.messages) < 12
    assert len(form.servers()) == 1000
