"""`serve --clients`, `--install` and `--uninstall`: our entry in another client's real file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal

TEXT = '{\n  // mine\n  "mcpServers": { "a": { "command": "x" } }\n}\n'


@pytest.fixture
def cursor(terminal: Terminal) -> Path:
    """The file of Cursor in the home of this person."""
    home = terminal.folder / "home"
    terminal.environment |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config")}
    for name in ("CODEX_HOME", "COPILOT_HOME", "MCP_CATALOG_PATH"):
        terminal.environment.pop(name, None)
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir(parents=True)
    file.write_text(TEXT, encoding="utf-8")
    return file


def states(terminal: Terminal) -> dict[str, str]:
    listed = terminal.run("serve", "--clients", "--json").document["clients"]
    return {client["client"]: client["state"] for client in listed}


def test_an_entry_is_shown_written_and_taken_out_again(terminal: Terminal, cursor: Path) -> None:
    assert states(terminal)["cursor"] == "found"
    assert states(terminal)["windsurf"] == "absent"
    shown = terminal.run("serve", "--install", "cursor", "--dry-run", "--json")
    assert (shown.code, shown.document["written"]) == (0, False)
    assert cursor.read_text("utf-8") == TEXT
    written = terminal.run("serve", "--install", "cursor", "--json").document
    assert written["difference"] == shown.document["difference"]
    assert Path(written["backup"]).read_text("utf-8") == TEXT
    assert states(terminal)["cursor"] == "connected"
    again = terminal.run("serve", "--install", "Cursor")
    assert (again.code, again.out.endswith("is that way already.\n")) == (0, True)
    assert terminal.run("serve", "--uninstall", "cursor").code == 0
    assert cursor.read_text("utf-8") == TEXT


def test_what_was_written_starts_the_gateway_for_this_config(
    terminal: Terminal, cursor: Path
) -> None:
    terminal.run("serve", "--install", "cursor")
    plain = cursor.read_text("utf-8").replace("// mine", "")
    entry = json.loads(plain)["mcpServers"]["mcp-desktop"]
    args = entry["args"]
    assert args[args.index("serve") :] == [
        "serve", "--client", "cursor",
        "--config", str(terminal.config), "--data-dir", str(terminal.folder / "data"),
    ]  # fmt: skip


def test_an_address_has_the_token_which_is_not_printed(terminal: Terminal, cursor: Path) -> None:
    done = terminal.run("serve", "--install", "cursor", "--http", "7777")
    token = (terminal.folder / "data" / "gateway.token").read_text("utf-8").strip()
    assert f"Bearer {token}" in cursor.read_text("utf-8")
    assert token not in done.out + done.err


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_a_file_that_others_can_read_is_the_owners_alone_with_the_token(
    terminal: Terminal, cursor: Path
) -> None:
    cursor.write_text("{}", "utf-8")
    cursor.chmod(0o644)
    terminal.run("serve", "--install", "cursor")
    assert cursor.stat().st_mode & 0o777 == 0o644
    done = terminal.run("serve", "--install", "cursor", "--http", "7777")
    assert "only you can read it" in done.err
    assert cursor.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--install", "nobody"), "No client 'nobody' is known"),
        (("--install", "opencode"), "No client 'opencode' is known"),
        (("--install", "librechat"), "There is no file of LibreChat in this folder"),
        (("--install", "claude-desktop", "--http", "7777"), "takes no address"),
        (("--install", "cursor", "--http", "0"), "a port of its own"),
        (("--dry-run",), "--dry-run is for"),
        (("--install", "cursor", "--uninstall", "cursor"), "not allowed with"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_written(
    terminal: Terminal, cursor: Path, args: tuple[str, ...], words: str
) -> None:
    done = terminal.run("serve", *args)
    assert done.code == 2
    assert words in done.err
    assert cursor.read_text("utf-8") == TEXT


def test_a_broken_file_is_left_as_it_is(terminal: Terminal, cursor: Path) -> None:
    cursor.write_text("{ broken", encoding="utf-8")
    done = terminal.run("serve", "--install", "cursor")
    assert done.code == 2
    assert "not valid JSON" in done.err
    assert cursor.read_text("utf-8") == "{ broken"
    assert [file.name for file in cursor.parent.iterdir()] == ["mcp.json"]
    assert states(terminal)["cursor"] == "unreadable"
