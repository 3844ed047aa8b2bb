"""`export` as a person's terminal runs it: what goes out, and what stays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal

SECRET = "ghp_0000000000000000"


def configure(terminal: Terminal) -> None:
    terminal.configure(
        github={"command": "npx", "args": ["pkg"], "env": {"GITHUB_TOKEN": SECRET}},
        docs={"url": "https://docs.example/mcp", "enabled": False},
        wrong={"args": 3},
    )


def test_the_servers_are_printed_without_their_secrets(terminal: Terminal) -> None:
    configure(terminal)
    done = terminal.run("export")
    assert done.code == 0
    assert list(done.document["mcpServers"]) == ["github", "docs"]
    assert done.document["mcpServers"]["github"]["env"] == {"GITHUB_TOKEN": "${GITHUB_TOKEN}"}
    assert SECRET not in done.out + done.err
    assert "${GITHUB_TOKEN}  for env.GITHUB_TOKEN of github" in done.err


def test_what_was_exported_is_imported_as_it_was(terminal: Terminal) -> None:
    configure(terminal)
    file = terminal.folder / "team.json"
    assert terminal.run("export", "--with-secrets", str(file)).code == 0
    assert SECRET in file.read_text()
    again = terminal.run("import", str(file), "--json").document["plans"][0]["servers"]
    assert [(one["name"], one["status"]) for one in again] == [("github", "same"), ("docs", "same")]


def test_a_file_that_is_there_is_not_overwritten(terminal: Terminal) -> None:
    configure(terminal)
    file = terminal.folder / "notes.json"
    file.write_text("mine")
    done = terminal.run("export", str(file))
    assert done.code == 2
    assert "already exists" in done.err
    assert file.read_text() == "mine"


def test_named_servers_alone_are_exported_in_another_format(terminal: Terminal) -> None:
    configure(terminal)
    done = terminal.run("export", "--server", "github", "--format", "vscode", "--json")
    assert list(done.document["config"]["servers"]) == ["github"]
    assert done.document["replaced"][0]["variable"] == "GITHUB_TOKEN"
    assert json.dumps(done.document["config"]["inputs"])


def test_a_server_that_is_not_there_or_wrong_is_told(terminal: Terminal) -> None:
    configure(terminal)
    missing = terminal.run("export", "--server", "nope")
    assert (missing.code, missing.out) == (2, "")
    assert "Available: github" in missing.err
    assert terminal.run("export", "--server", "wrong").code == 2
