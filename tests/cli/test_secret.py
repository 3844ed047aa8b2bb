"""`secret`: a value comes from a prompt or a pipe, is kept, and is never printed."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import keyring
import pytest

from desktop.cli.main import run_command
from desktop.config.secret_store import SERVICE
from tests.config.keyring_backend import MemoryKeyring, use

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., int]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process, with a keyring of its own and text piped in."""
    use(monkeypatch, MemoryKeyring())
    places = ("--config", str(tmp_path / "mcp.json"), "--data-dir", str(tmp_path / "data"))

    def call(*args: str, piped: str = "") -> int:
        # On Windows a pipe is read by the code page, unless one says otherwise.
        given = io.TextIOWrapper(io.BytesIO(piped.encode()), "cp1252")
        monkeypatch.setattr(sys, "stdin", given)
        return run_command([*args, *places])

    return call


def test_what_is_piped_in_is_kept_listed_by_name_and_deleted(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = {"command": "x", "env": {"A": "${keyring:one}", "B": "${keyring:two}"}}
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"mine": server}}), "utf-8")
    assert run("secret", "set", "one", piped="s3cretVälue\n") == 0
    assert keyring.get_password(SERVICE, "one") == "s3cretVälue"
    assert run("secret", "set", "unused", piped="s3cretValue") == 0
    assert run("secret", "list", "--json") == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out) == {
        "secrets": [
            {"name": "one", "kept": True, "servers": ["mine"]},
            {"name": "two", "kept": False, "servers": ["mine"]},
            {"name": "unused", "kept": True, "servers": []},
        ]
    }
    assert run("secret", "delete", "unused") == 0
    assert run("secret", "list") == 0
    shown = (shown, capsys.readouterr())
    assert "unused" not in shown[1].out
    assert "s3cret" not in repr(shown)


@pytest.mark.parametrize("args", [("set",), ("set", "a b"), ("show", "a"), ("set", "a")])
def test_what_is_wrong_is_said_and_nothing_is_kept(run: Run, args: tuple[str, ...]) -> None:
    assert run("secret", *args) == 2  # the last one is piped nothing


def test_an_import_moves_secrets_to_the_keyring_and_fills_answers_in(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = tmp_path / "theirs.json"
    inputs = [
        {"id": "zone", "type": "promptString", "description": "Zone"},
        {"id": "key", "type": "promptString", "description": "Key", "password": True},
    ]
    env = {"API_KEY": "s3cretValue", "ZONE": "${input:zone}", "OTHER": "${input:key}"}
    servers = {"a": {"command": "x", "env": env}}
    theirs.write_text(json.dumps({"inputs": inputs, "servers": servers}), "utf-8")
    assert run("import", str(theirs), "--yes", "--input", "key=s3cret") == 2
    assert "is a secret" in capsys.readouterr().err
    assert run("import", str(theirs), "--yes", "--input", "zone=eu") == 0
    assert "Stored in the keyring instead of the file: a.API_KEY" in capsys.readouterr().err
    written = json.loads((tmp_path / "mcp.json").read_text("utf-8"))["mcpServers"]["a"]["env"]
    assert written == {"API_KEY": "${keyring:a.API_KEY}", "ZONE": "eu", "OTHER": "${KEY}"}


def test_without_a_keyring_an_import_copies_plain_text_only_where_that_is_said(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = tmp_path / "theirs.json"
    server = {"command": "x", "env": {"API_KEY": "s3cretValue"}}
    theirs.write_text(json.dumps({"mcpServers": {"a": server}}), "utf-8")
    monkeypatch.undo()
    places = ("--config", str(tmp_path / "mcp.json"), "--data-dir", str(tmp_path / "data"))
    assert run_command(["import", str(theirs), "--yes", *places]) == 2
    assert not (tmp_path / "mcp.json").exists()
    assert run_command(["import", str(theirs), "--yes", "--secrets", "plain", *places]) == 0
    assert "s3cretValue" in (tmp_path / "mcp.json").read_text("utf-8")
