from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import ConfigError
from desktop.config.models import AppSettings, ServerConfig
from desktop.config.store import ConfigStore
from desktop.gui.servers.json_form import (
    JsonForm,
    entry_json,
    read_entries,
    written_json,
)

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme

NPX = {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}


def test_a_key_that_nobody_knows_is_told_below_the_text(form: JsonForm) -> None:
    form.text.setPlainText('{"a": {"command": "x", "enviroment": {"A": "1"}}}')
    form.check()
    assert form.messages[1] == (
        'a: "enviroment" is not a known key and is not used; did you mean "environment"?'
    )


def test_full_width_marks_are_replaced_by_a_click_that_can_be_undone(form: JsonForm) -> None:
    typed = "{“mcpServers”：{“复读机”：{“command”：“x”，“args”：［“一，二”］}}}"
    form.text.setPlainText(typed)
    form.check()
    assert "full-width" in form.messages[0]
    assert not form.narrow.isHidden()
    form.narrow.click()
    (config,) = form.servers().values()
    assert (config.name, config.command, config.args) == ("复读机", "x", ("一，二",))
    assert form.narrow.isHidden()
    form.text.undo()
    assert form.text.toPlainText() == typed


@pytest.mark.parametrize("text", ["{", '{"mcpServers": {}}', "nonsense"])
def test_nothing_is_offered_where_no_full_width_mark_is_wrong(form: JsonForm, text: str) -> None:
    form.text.setPlainText(text)
    form.check()
    assert form.narrow.isHidden()


def test_a_bad_entry_is_told_apart_from_the_good_ones() -> None:
    text = json.dumps({"mcpServers": {"memory": NPX, "bad": {"args": []}}})
    servers, problems, _ = read_entries(text, AppSettings())
    assert list(servers) == ["memory"]
    assert "bad" in str(problems["bad"])


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"mcpServers": {}}'])
def test_what_holds_no_server_is_refused_in_words(text: str) -> None:
    with pytest.raises(ConfigError):
        read_entries(text, AppSettings())


def test_a_mistake_is_told_with_its_line_and_without_the_text() -> None:
    with pytest.raises(ConfigError) as caught:
        read_entries('{\n "mcpServers": {"a": sk-secret}\n}', AppSettings())
    assert caught.value.line == 2
    assert "sk-secret" not in str(caught.value)


def test_the_json_of_an_edit_keeps_what_the_form_does_not_know() -> None:
    old = ServerConfig(name="a", transport="stdio", command="x")
    new = old.changed(command="y", name="b")
    text = written_json(new, AppSettings(), old, {"command": "x", "theirs": 1})
    assert json.loads(text) == {"mcpServers": {"b": {"command": "y", "theirs": 1}}}
    assert json.loads(entry_json("a", {"args": 3})) == {"mcpServers": {"a": {"args": 3}}}


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
