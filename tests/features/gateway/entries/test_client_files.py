"""The files of clients on a disk: what is seen of them, written to them and put back."""

from __future__ import annotations

import json
import shutil
import stat
import tomllib
from pathlib import Path

import pytest

from desktop.base.errors import ConfigError
from desktop.base.paths import Paths
from desktop.config.document import parse
from desktop.config.imports.clients import APPS, App, ClientLocations, app_named
from desktop.config.yaml_text import read_yaml
from desktop.features.gateway.entries.client_files import MAX_BACKUPS, ClientFiles
from desktop.features.gateway.entries.forms import FORMS, GatewayCommand, HttpAccess
from tests.fifos import make_fifo

HOME = Path(__file__).parents[3] / "config" / "imports" / "home"
PROGRAM = "C:\\Program Files\\R&D it's é\\app.exe"
COMMAND = GatewayCommand((PROGRAM, "-x"), ("--config", r"\\host\share\c d.json"))
HTTP = HttpAccess("http://127.0.0.1:7777/mcp", "very-secret-token-of-forty-characters-0123")
WRITABLE = [app for app in APPS if app.key in FORMS and not FORMS[app.key].in_project]
BY_KEY = pytest.mark.parametrize("key", [app.key for app in WRITABLE])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a file of every client, each as that client writes it."""
    return Path(shutil.copytree(HOME, tmp_path / "home"))


@pytest.fixture
def files(home: Path) -> ClientFiles:
    return ClientFiles(ClientLocations(home, {}, "linux"), COMMAND)


def app(key: str) -> App:
    found = app_named(key)
    assert found is not None
    return found


def content_of(path: Path) -> dict[str, object]:
    if path.suffix == ".yaml":
        return read_yaml(path.read_bytes())
    if path.suffix == ".toml":
        return tomllib.loads(path.read_text("utf-8"))
    return parse(path.read_bytes(), str(path)).data


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
@BY_KEY
def test_a_client_is_connected_and_disconnected_and_nothing_else_changes(
    files: ClientFiles, key: str, end: bytes
) -> None:
    before = files.status(app(key))
    before.path.write_bytes(before.path.read_bytes().replace(b"\n", end))
    original = before.path.read_bytes()
    assert before.state == "found"
    backup = files.apply(files.connect(app(key)))
    after = files.status(app(key))
    assert (after.state, after.path) == ("connected", before.path)
    assert after.access == COMMAND.start(key)
    assert backup is not None
    assert backup.read_bytes() == original
    kept = [line for line in original.splitlines() if line.strip()[:2] in {b"//", b"# "}]
    changed = after.path.read_bytes()
    assert not [line for line in kept if line not in changed]
    assert changed.count(b"\n") == changed.count(end)
    files.apply(files.disconnect(app(key)))
    assert files.status(app(key)).state == "found"
    assert before.path.read_bytes() == original


@pytest.mark.parametrize("key", [app.key for app in WRITABLE if FORMS[app.key].http is not None])
def test_an_address_is_written_without_being_shown(files: ClientFiles, key: str) -> None:
    change = files.connect(app(key), HTTP)
    assert HTTP.url in change.difference
    assert HTTP.token not in change.difference
    assert HTTP.token not in repr(change)
    files.apply(change)
    assert HTTP.token in change.path.read_text("utf-8")
    status = files.status(app(key))
    assert (status.state, status.access) == ("connected", HTTP)


@BY_KEY
def test_a_client_without_a_file_gets_one(tmp_path: Path, key: str) -> None:
    files = ClientFiles(ClientLocations(tmp_path, {}, "linux"), COMMAND)
    assert files.status(app(key)).state == "absent"
    change = files.connect(app(key))
    assert change.before is None
    assert files.apply(change) is None
    assert files.status(app(key)).state == "connected"
    assert not files.status(app(key)).backups


def test_what_each_client_is_given(files: ClientFiles) -> None:
    args = list(COMMAND.start("copilot").args)
    assert args == ["-x", "serve", "--client", "copilot", *COMMAND.flags]
    files.apply(files.connect(app("copilot")))
    written = content_of(files.status(app("copilot")).path)["mcpServers"]
    assert isinstance(written, dict)
    entry = {"type": "local", "tools": ["*"], "command": PROGRAM, "args": args}
    assert written["mcp-desktop"] == entry
    files.apply(files.connect(app("windsurf"), HTTP))
    text = files.status(app("windsurf")).path.read_text("utf-8")
    entry = {"serverUrl": HTTP.url, "headers": {"Authorization": f"Bearer {HTTP.token}"}}
    assert json.loads(text)["mcpServers"]["mcp-desktop"] == entry


def test_an_entry_of_our_name_that_leads_elsewhere_is_told_and_replaced(
    files: ClientFiles, home: Path
) -> None:
    file = home / ".cursor" / "mcp.json"
    file.write_text('{"mcpServers": {"mcp-desktop": {"command": "old"}, "x": {}}}', "utf-8")
    assert files.status(app("cursor")).state == "other"
    files.apply(files.connect(app("cursor")))
    assert files.status(app("cursor")).state == "connected"
    assert "x" in file.read_text("utf-8")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"mcpServers": {', "not valid JSON"),
        (b'{"mcpServers": []}', '"mcpServers" must be an object'),
        (b'{"mcpServers": {}, "mcpServers": {}}', "twice"),
        (b"[]", "must be a JSON object"),
        (b'{"a": "\xff"}', "UTF-8"),
        (b" " * (17 * 1024 * 1024), "larger than 16 MB"),
        ('{"a": 1}'.encode("utf-16"), "UTF-8"),
    ],
)
def test_a_file_that_is_not_understood_is_not_touched(
    files: ClientFiles, home: Path, content: bytes, words: str
) -> None:
    file = home / ".cursor" / "mcp.json"
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=words) as raised:
        files.connect(app("cursor"))
    assert raised.value.remedy
    assert file.read_bytes() == content
    assert not files.status(app("cursor")).backups


def test_toml_that_is_written_in_another_way_is_left_to_a_person(
    files: ClientFiles, home: Path
) -> None:
    file = home / ".codex" / "config.toml"
    text = 'mcp_servers = { mcp-desktop = { command = "old" } } # one line\n'
    file.write_text(text, "utf-8")
    for plan in (files.connect, files.disconnect):
        with pytest.raises(ConfigError, match="without changing more"):
            plan(app("codex"))
    file.write_text('a = """\n[mcp_servers.mcp-desktop]\n"""\n', "utf-8")
    with pytest.raises(ConfigError, match="without changing more"):
        files.connect(app("codex"))
    assert files.disconnect(app("codex")).is_empty


def test_what_is_that_way_already_is_not_written_anew(files: ClientFiles, home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    file.write_text('{"mcpServers": {"a": {"command": "x"}}}', "utf-8")
    files.apply(files.connect(app("cursor")))
    assert files.connect(app("cursor")).is_empty


def test_a_folder_a_pipe_and_a_link_to_nowhere_are_told(files: ClientFiles, home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    file.unlink()
    file.mkdir()
    assert files.status(app("cursor")).state == "unreadable"
    with pytest.raises(ConfigError, match="is not a file"):
        files.connect(app("cursor"))
    file.rmdir()
    make_fifo(file)
    with pytest.raises(ConfigError, match="is not a file"):
        files.connect(app("cursor"))
    file.unlink()
    file.symlink_to("nowhere")
    with pytest.raises(ConfigError, match="leads nowhere"):
        files.connect(app("cursor"))


def test_a_read_only_file_is_not_replaced(files: ClientFiles, home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    change = files.connect(app("cursor"))
    file.chmod(0o444)
    for act in (lambda: files.connect(app("cursor")), lambda: files.apply(change)):
        with pytest.raises(ConfigError, match="read-only"):
            act()
    assert not files.status(app("cursor")).backups


def test_a_file_that_was_changed_meanwhile_is_not_overwritten(
    files: ClientFiles, home: Path
) -> None:
    file = home / ".cursor" / "mcp.json"
    change = files.connect(app("cursor"))
    file.write_text('{"mcpServers": {"new": {"command": "x"}}}', "utf-8")
    with pytest.raises(ConfigError, match="has changed; nothing was written"):
        files.apply(change)
    assert "new" in file.read_text("utf-8")
    file.unlink()
    with pytest.raises(ConfigError, match="has changed"):
        files.apply(change)
    assert not file.exists()


def test_a_link_stays_a_link_and_permissions_stay(files: ClientFiles, home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    real = home / "dotfiles.json"
    file.rename(real)
    file.symlink_to(real)
    real.chmod(0o640)
    backup = files.apply(files.connect(app("cursor")))
    assert file.is_symlink()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert backup is not None
    assert backup.parent == home
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert files.status(app("cursor")).backups == (backup,)


def test_a_file_is_put_back_as_it_was_also_one_that_is_broken_now(
    files: ClientFiles, home: Path
) -> None:
    file = home / ".cursor" / "mcp.json"
    original = file.read_bytes()
    backup = files.apply(files.connect(app("cursor")))
    file.write_text("{ broken", "utf-8")
    assert backup is not None
    files.apply(files.restore(app("cursor"), backup))
    assert file.read_bytes() == original
    assert "{ broken" in [each.read_text("utf-8") for each in files.status(app("cursor")).backups]


def test_the_first_backup_and_the_last_ones_are_kept(files: ClientFiles, home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    original = file.read_bytes()
    for number in range(MAX_BACKUPS + 4):
        file.write_text(json.dumps({"n": number}), "utf-8") if number else None
        files.apply(files.connect(app("cursor")))
    kept = files.status(app("cursor")).backups
    assert len(kept) == MAX_BACKUPS
    assert kept[-1].read_bytes() == original
    assert json.loads(kept[0].read_bytes()) == {"n": MAX_BACKUPS + 3}


def test_secrets_of_others_are_not_shown(files: ClientFiles, home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    entry = {"command": "x", "env": {"API_KEY": "sk-1234567890abcdef1234567890"}}
    file.write_text(json.dumps({"mcpServers": {"a": entry}}, indent=1), "utf-8")
    assert "sk-1234567890" not in files.connect(app("cursor")).difference
    file.write_text(json.dumps({"mcpServers": {"a": entry}}), "utf-8")
    assert "sk-1234567890" not in files.connect(app("cursor")).difference


def test_the_own_command_names_another_config_and_data_folder(tmp_path: Path) -> None:
    command = GatewayCommand.own(Paths(tmp_path / "mcp.json", tmp_path / "data"))
    start = command.start("cursor")
    assert Path(start.command).is_absolute()
    assert start.args[-4:] == (
        "--config", str(tmp_path / "mcp.json"), "--data-dir", str(tmp_path / "data"),
    )  # fmt: skip
