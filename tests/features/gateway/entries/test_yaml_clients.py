"""goose and LibreChat, whose files are YAML: the shapes of our entry, and what is left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.errors import ConfigError
from desktop.config.imports.clients import App, ClientLocations, app_named
from desktop.config.yaml_text import read_yaml
from desktop.features.gateway.entries.client_files import ClientFiles
from desktop.features.gateway.entries.forms import GatewayCommand, HttpAccess

if TYPE_CHECKING:
    from pathlib import Path

COMMAND = GatewayCommand(("/opt/app",))
HTTP = HttpAccess("http://127.0.0.1:7777/mcp", "very-secret-token-of-forty-characters-0123")
GOOSE = "GOOSE_MODEL: x  # mine\n\nextensions:\n  # all\n  developer:\n    enabled: true\n"
LIBRECHAT = "version: 1.2.8\n\n# mcpServers:\n#   one: {}\ninterface:\n  endpointsMenu: true\n"


@pytest.fixture
def files(tmp_path: Path) -> ClientFiles:
    goose = tmp_path / ".config" / "goose"
    goose.mkdir(parents=True)
    (goose / "config.yaml").write_text(GOOSE, encoding="utf-8")
    (tmp_path / "clone").mkdir()
    (tmp_path / "clone" / "librechat.yaml").write_text(LIBRECHAT, encoding="utf-8")
    places = ClientLocations(tmp_path, {}, "linux", project=tmp_path / "clone")
    return ClientFiles(places, COMMAND)


def app(key: str) -> App:
    found = app_named(key)
    assert found is not None
    return found


def written(files: ClientFiles, key: str, *access: HttpAccess) -> dict[str, Any]:
    change = files.connect(app(key), *access)
    files.apply(change)
    assert files.status(app(key)).state == "connected"
    return read_yaml(change.path.read_bytes())


def test_goose_is_given_an_extension_that_is_on(files: ClientFiles) -> None:
    about = {
        "enabled": True,
        "name": "mcp-desktop",
        "description": "The servers of mcp-desktop",
        "timeout": 300,
    }
    args = ["serve", "--client", "goose"]
    entry = written(files, "goose")["extensions"]["mcp-desktop"]
    assert entry == {**about, "type": "stdio", "cmd": "/opt/app", "args": args}
    entry = written(files, "goose", HTTP)["extensions"]["mcp-desktop"]
    headers = {"Authorization": f"Bearer {HTTP.token}"}
    assert entry == {**about, "type": "streamable_http", "uri": HTTP.url, "headers": headers}
    files.apply(files.disconnect(app("goose")))
    assert files.status(app("goose")).path.read_text("utf-8") == GOOSE


def test_librechat_is_given_a_server_where_it_is_run_from(files: ClientFiles) -> None:
    args = ["serve", "--client", "librechat"]
    data = written(files, "librechat")
    assert data["mcpServers"] == {
        "mcp-desktop": {"type": "stdio", "command": "/opt/app", "args": args}
    }
    assert data["version"] == "1.2.8"
    path = files.status(app("librechat")).path
    assert path.read_text("utf-8").startswith(LIBRECHAT)
    files.apply(files.restore(app("librechat"), files.status(app("librechat")).backups[-1]))
    assert path.read_text("utf-8") == LIBRECHAT


def test_the_window_does_not_look_for_a_file_that_has_no_place(tmp_path: Path) -> None:
    files = ClientFiles(ClientLocations(tmp_path, {}, "linux"), COMMAND)
    keys = [status.app.key for status in files.look()]
    assert "goose" in keys
    assert "librechat" not in keys


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("extensions: [a\n", "is not valid YAML"),
        ("a: &a {}\nextensions:\n  b: *a\n", "aliases"),
        ("- a\n", "must be a mapping"),
        ("extensions: yes\n", '"extensions" must be an object'),
        ("extensions: [a]\n", '"extensions" must be an object'),
        ("---\na: 1\n...\n", "without changing more"),
    ],
)
def test_a_file_that_is_not_understood_stays_as_it_is(
    files: ClientFiles, text: str, words: str
) -> None:
    path = files.status(app("goose")).path
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=words):
        files.connect(app("goose"))
    assert path.read_text("utf-8") == text
