"""What a sandbox refused can be opened by itself, unless it is keys, this app's or too much."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from desktop.base.paths import Paths
from desktop.config.models import ServerConfig
from desktop.features.sandbox import gate
from desktop.features.sandbox.widening import offers, widened
from desktop.servers.refusals import REFUSED, Refusal
from resources.packaging.setup_env import is_root

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    for name in ("Notes/a.md", ".ssh/id", ".config/gh/hosts.yml", ".local/share/app/x", "loose"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).touch()
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def paths(home: Path) -> Paths:
    return Paths(home / ".config/app/mcp.json", home / ".local/share/app")


def server(sandbox: object = "no-network", **more: object) -> ServerConfig:
    return ServerConfig.checked(name="found", command="npx", sandbox=sandbox, **more)


def opened(config: ServerConfig, paths: Paths, kind: str, subject: object) -> list[str]:
    refusal = Refusal(kind, str(subject))  # pyright: ignore[reportArgumentType]
    return [offer.opened for offer in offers(config, [refusal], paths)]


def test_the_gate_and_who_reads_its_lines_have_the_same_words() -> None:
    assert gate.REFUSED == REFUSED


def test_of_a_file_its_folder_is_offered_but_never_the_home(home: Path, paths: Paths) -> None:
    assert opened(server(), paths, "read", home / "Notes/a.md") == [str(home / "Notes")]
    assert opened(server(), paths, "write", home / "Notes/new.md") == [str(home / "Notes")]
    assert opened(server(), paths, "read", home / "Notes") == [str(home / "Notes")]
    assert opened(server(), paths, "read", home / "loose") == [str(home / "loose")]
    assert opened(server(), paths, "read", home) == []
    assert opened(server(), paths, "read", home / "gone/x") == []


@pytest.mark.parametrize("name", [".ssh/id", ".config/gh/hosts.yml", ".local/share/app/x"])
def test_keys_and_what_is_this_apps_are_said_and_not_offered(
    home: Path, paths: Paths, name: str
) -> None:
    assert opened(server(), paths, "read", home / name) == [""]


def test_a_link_to_keys_is_not_offered(home: Path, paths: Paths) -> None:
    (home / "Notes/way").symlink_to(home / ".ssh")
    assert opened(server(), paths, "read", home / "Notes/way/id") == [""]


def test_what_is_open_already_was_not_refused_by_the_sandbox(home: Path, paths: Paths) -> None:
    notes = str(home / "Notes")
    for config in (
        server({"preset": "strict", "read": [notes]}),
        server(roots=(notes,)),
        server(args=(notes,)),
    ):
        assert opened(config, paths, "read", home / "Notes/a.md") == []
    assert opened(server({"preset": "strict", "read": [notes]}), paths, "write", notes) == [notes]
    assert opened(server(), paths, "read", "/etc/shadow") == []


@pytest.mark.skipif(sys.platform == "win32" or is_root(), reason="root may read everything")
def test_what_the_person_may_not_read_was_not_refused_by_the_sandbox(
    home: Path, paths: Paths
) -> None:
    (home / "Notes/a.md").chmod(0)
    assert opened(server(), paths, "read", home / "Notes/a.md") == []


def test_a_host_is_offered_where_a_list_could_name_it(paths: Paths) -> None:
    assert opened(server(), paths, "host", "api.github.com") == ["api.github.com"]
    assert opened(server(), paths, "host", "localhost") == [""]
    refusal = Refusal("host", "a.example.com", "it is on this machine")
    assert [offer.opened for offer in offers(server(), [refusal], paths)] == [""]


def test_what_is_allowed_is_added_and_nothing_else_changes(home: Path, paths: Paths) -> None:
    config = server({"preset": "strict", "network": ["a.example.com"]})
    host = offers(config, [Refusal("host", "b.example.com")], paths)[0]
    config = widened(config, host)
    assert config.sandbox.hosts == ("a.example.com", "b.example.com")
    notes = str(home / "Notes")
    config = widened(config, offers(config, [Refusal("read", notes)], paths)[0])
    assert (config.sandbox.read, config.sandbox.write) == ((notes,), ())
    config = widened(config, offers(config, [Refusal("write", notes)], paths)[0])
    assert (config.sandbox.read, config.sandbox.write) == ((), (notes,))
    assert config.sandbox.preset == "strict"
