from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QSettings

from desktop.gui.tools.remembered_tools import (
    MAX_FAVOURITES,
    MAX_INPUT_LENGTH,
    MAX_INPUTS,
    MAX_RECENT,
    RememberedTools,
)

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "pin": {"type": "string", "writeOnly": True}},
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "window.ini"


def opened(file: Path) -> RememberedTools:
    """As the next run reads the file."""
    return RememberedTools(QSettings(str(file), QSettings.Format.IniFormat))


def written(remembered: RememberedTools, file: Path) -> str:
    remembered._settings.sync()  # pyright: ignore[reportPrivateUsage]
    return file.read_text()


def test_favourites_keep_their_order_from_run_to_run(file: Path, qtbot: QtBot) -> None:
    remembered = opened(file)
    with qtbot.waitSignal(remembered.changed):
        remembered.toggle_favourite("a:one")
    remembered.toggle_favourite("b:two")
    remembered.toggle_favourite("c:three")
    remembered.toggle_favourite("b:two")

    assert opened(file).favourites == ("a:one", "c:three")


def test_the_latest_tool_is_the_first_of_the_recent_ones_and_there_once(file: Path) -> None:
    remembered = opened(file)
    for key in ("a:one", "a:two", "a:one"):
        remembered.note_use(key)

    assert opened(file).recent == ("a:one", "a:two")


def test_a_run_moves_no_list(file: Path, qtbot: QtBot) -> None:
    remembered = opened(file)

    with qtbot.assertNotEmitted(remembered.changed):
        remembered.note_use("a:one")


def test_what_is_remembered_is_bounded(file: Path) -> None:
    remembered = opened(file)
    for number in range(MAX_FAVOURITES + 5):
        remembered.toggle_favourite(f"a:{number}")
        remembered.note_use(f"a:{number}")
        remembered.close_section(f"server:{number}", is_closed=True)
        remembered.keep_input(f"a:{number}", {"text": str(number)}, SCHEMA)

    again = opened(file)
    assert (len(again.favourites), again.favourites[-1]) == (MAX_FAVOURITES, "a:204")
    assert (len(again.recent), again.recent[0]) == (MAX_RECENT, "a:204")
    assert len(again.closed) == MAX_FAVOURITES
    kept = [number for number in range(MAX_FAVOURITES + 5) if again.input_of(f"a:{number}")]
    assert kept == list(range(MAX_FAVOURITES + 5 - MAX_INPUTS, MAX_FAVOURITES + 5))


def test_input_keeps_its_types(file: Path) -> None:
    typed: dict[str, Any] = {
        "text": "ä\n1",
        "n": 1,
        "x": 1.0,
        "on": True,
        "list": [None, {"a": []}],
    }
    opened(file).keep_input("a:one", typed, SCHEMA)

    kept = opened(file).input_of("a:one")

    assert kept == typed
    assert [type(value) for value in kept.values()] == [type(value) for value in typed.values()]


def test_secrets_are_not_written_be_they_so_by_schema_by_name_or_by_form(file: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    typed = {"text": "kept", "pin": "9713-x", "password": "hunter22", "note": f"use {token}"}
    remembered = opened(file)
    remembered.keep_input("a:one", typed, SCHEMA)

    text = written(remembered, file)

    assert opened(file).input_of("a:one") == {"text": "kept"}
    assert not any(secret in text for secret in ("9713-x", "hunter22", token))


def test_input_that_is_emptied_or_becomes_a_secret_is_forgotten(file: Path) -> None:
    remembered = opened(file)
    remembered.keep_input("a:one", {"text": "x"}, SCHEMA)
    remembered.keep_input("a:one", {}, SCHEMA)
    remembered.keep_input("a:two", {"text": "x"}, SCHEMA)
    remembered.keep_input("a:two", {"pin": "secret"}, SCHEMA)

    assert opened(file).input_of("a:one") == opened(file).input_of("a:two") == {}


def test_too_much_input_is_not_kept(file: Path) -> None:
    remembered = opened(file)
    remembered.keep_input("a:one", {"text": "x" * MAX_INPUT_LENGTH}, SCHEMA)
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"text": deep}
    remembered.keep_input("a:two", deep, SCHEMA)

    assert remembered.input_of("a:one") == remembered.input_of("a:two") == {}
    while deep:  # else ending it recurses as deep
        deep = deep.pop("text")


@pytest.mark.parametrize("text", ["", "7", "[1, {}]", '{"a": 1}', "[" * 100_000, "no json"])
def test_a_file_that_somebody_edited_counts_as_nothing(file: Path, text: str) -> None:
    settings = QSettings(str(file), QSettings.Format.IniFormat)
    for name in ("favourites", "recent", "closed", "inputs"):
        settings.setValue(f"tools/{name}", text)
    settings.setValue("tools/chosen", ["a", "b"])

    remembered = opened(file)

    assert remembered.favourites == remembered.recent == ()
    assert (remembered.closed, remembered.chosen) == (frozenset(), "")
    assert remembered.input_of("a") == {}


def test_the_chosen_tool_is_known_to_the_next_run(file: Path) -> None:
    opened(file).chosen = "a:one"

    assert opened(file).chosen == "a:one"
