"""The command as a person runs it, once for all the tests of this file: it takes some seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from builtin_servers.catalog import CATALOG
from tests.cli.terminal import Done, Terminal

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [
    "window",
    "event loop",
    "quit",
    "config file",
    *(f"built-in {name}" for name in CATALOG),
    "stdio server",
    "http server",
    "long tool list",
    "keyring",
    "model clients",
    "process tracker",
    "nothing left",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("self_test")


@pytest.fixture(scope="module")
def done(folder: Path) -> Done:
    terminal = Terminal(folder)
    terminal.configure(broken={"command": "/no/such/program"})
    terminal.environment["TMPDIR"] = str(folder)
    terminal.environment["MCP_SERVERS"] = "no JSON"
    # Never the keyring of whoever runs the tests.
    terminal.environment["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
    return terminal.run("self-test", "--json")


def test_every_check_of_this_installation_passes(done: Done) -> None:
    assert done.code == 0, done.out + done.err
    checks = done.document["checks"]
    assert [check["name"] for check in checks] == NAMES
    assert {
        check["name"]: check["words"] for check in checks if check["outcome"] != "ok"
    }.keys() <= {"keyring"}
    built_in = [check["words"] for check in checks if check["name"].startswith("built-in ")]
    assert all(words.endswith(" answered") for words in built_in), built_in
    assert done.document["ok"]
    assert not done.document["frozen"]
    assert all(check["words"] for check in checks)


def test_nothing_of_the_persons_is_touched_and_nothing_stays(done: Done, folder: Path) -> None:
    assert done.code == 0
    assert sorted(file.name for file in folder.iterdir()) == ["mcp.json"]


def test_without_a_display_it_says_that_the_window_was_offscreen(done: Done) -> None:
    assert "offscreen, without a display" in done.document["checks"][0]["words"]


def test_a_failed_check_is_the_exit_code_and_the_others_are_made(terminal: Terminal) -> None:
    terminal.environment["QT_QPA_PLATFORM"] = "nonsense"
    failed = terminal.run("self-test")
    assert failed.code == 1
    assert '"nonsense"' in failed.out
    assert failed.out.splitlines()[-1].split(", ")[1] == "1 failed"
    assert "ok      nothing left" in failed.out
