from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from desktop.cli.commands import (
    ATTACHABLE,
    COMMANDS,
    command_module,
    find_command,
    find_open_request,
    has_command,
    has_screen,
    read_path_flags,
)

SCREENS = ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="there is always a screen")
def test_a_screen_is_there_where_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SCREENS:
        monkeypatch.delenv(name, raising=False)
    assert not has_screen()
    for name in SCREENS:
        with monkeypatch.context() as patch:
            patch.setenv(name, "x")
            assert has_screen()


@pytest.mark.parametrize(("name", "is_shown"), [("SSH_CONNECTION", False), ("TERM", True)])
def test_on_macos_there_is_no_screen_for_who_came_by_ssh(
    name: str, is_shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in (*SCREENS, "SSH_CONNECTION"):
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv(name, "x")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert has_screen() is is_shown
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert has_screen()


@pytest.mark.parametrize(
    ("line", "command", "rest"),
    [
        ("servers", "servers", ""),
        ("--json servers", "servers", "--json"),
        ("--config servers tools", "tools", "--config servers"),
        ("--data-dir=x call a:b c=1", "call", "--data-dir=x a:b c=1"),
        ("--verbose", None, "--verbose"),
        ("--config", None, "--config"),
        ("", None, ""),
    ],
)
def test_the_first_word_that_is_no_flags_value_is_the_command(
    line: str, command: str | None, rest: str
) -> None:
    assert find_command(line.split()) == (command, rest.split())


@pytest.mark.parametrize("line", ["", "--verbose", "--config x", "--data-dir=y --verbose"])
def test_shared_flags_alone_open_the_window(line: str) -> None:
    assert not has_command(line.split())


@pytest.mark.parametrize("line", ["servers", "-h", "--help", "--version", "--json", "nonsense"])
def test_everything_that_wants_words_is_a_run_on_the_terminal(line: str) -> None:
    assert has_command(line.split())


def test_no_words_name_no_places() -> None:
    assert read_path_flags([]) == (None, None)


def test_places_are_read_however_they_are_written() -> None:
    assert read_path_flags(["--config", "a", "--data-dir=b"]) == ("a", "b")
    assert read_path_flags(["--config=a", "--config", "c", "--data-dir"]) == ("c", "")


@pytest.mark.parametrize(
    "word",
    ["mcp.json", "./x", "/a b/c", "C:\\x.json", "a.mcpb", "mcp-desktop://import?config=e30="],
)
def test_a_file_or_a_link_is_opened_by_the_window(word: str) -> None:
    assert find_open_request(["--verbose", word]) == word
    assert not has_command([word])
    assert has_command([word, "--json"])


@pytest.mark.parametrize("words", [[], ["servers"], ["import", "mcp.json"], ["nonsense"]])
def test_anything_else_is_not(words: list[str]) -> None:
    assert find_open_request(words) is None


def test_every_command_has_a_module_that_can_be_imported() -> None:
    assert all(find_spec(command_module(name)) for name in COMMANDS)
    assert command_module("import") == "desktop.cli.import_"


def test_the_commands_that_another_run_can_carry_out_are_those_with_a_plan() -> None:
    planned = {name for name in COMMANDS if hasattr(import_module(command_module(name)), "plan")}
    assert planned == ATTACHABLE
