"""What another program writes into the config file runs nothing, opens nothing, sends nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.paths import Paths
from desktop.bootstrap import build_bootstrap, open_config_store
from desktop.cli.exit_codes import Exit
from desktop.config.providers import checked
from desktop.config.store import ConfigStore
from desktop.config.trust import TrustFile
from tests.cli.terminal import LIMIT, ROOT, Done, Terminal, entry

if TYPE_CHECKING:
    from pathlib import Path

KEY = "sk-canary-OPENAI-123456"


class Home:
    """A config that was used before, and what another program makes of it."""

    def __init__(self, folder: Path) -> None:
        self.paths = Paths(folder / "mcp.json", folder / "data")

    def used(self, **document: Any) -> Home:
        """With all of this agreed to."""
        self.write(**document)
        self.store().keep_adopted()
        return self

    def write(self, **document: Any) -> None:
        self.paths.config.write_text(json.dumps({"mcpServers": {}, **document}), "utf-8")

    def store(self) -> ConfigStore:
        return open_config_store(self.paths, {})


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.mark.parametrize("name", ["shell", "memory", "fetch", "calculator"])
async def test_a_built_in_server_that_an_edit_switches_on_is_not_started(
    home: Home, name: str
) -> None:
    home.used()
    home.write(mcpDesktop={"overrides": {name: {"enabled": True}}})
    ground = build_bootstrap(home.paths)
    assert list(ground.store.untrusted) == [name]
    (switch,) = [each for each in ground.store.differences(name) if each.place == "enabled"]
    assert (switch.before, switch.now, switch.is_changed) == (None, "true", True)
    await ground.start_early([ground.store.servers[name]])
    assert not ground.tracker.tracked
    await ground.close()


def test_a_person_switches_a_built_in_server_on_and_off_and_an_edit_does_not_on_again(
    home: Home,
) -> None:
    store = home.used().store()
    store.set_arguments("shell", ["--cwd=/srv"])
    for name in ("shell", "memory"):
        store.set_enabled(name, enabled=True)
    assert not home.store().untrusted
    for name in ("shell", "memory"):
        store.set_enabled(name, enabled=False)
    assert not home.store().untrusted
    document = json.loads(home.paths.config.read_text("utf-8"))
    for override in document["mcpDesktop"]["overrides"].values():
        override["enabled"] = True
    home.write(**document)
    assert set(home.store().untrusted) == {"shell", "memory"}


def test_the_click_on_a_switch_agrees_to_no_arguments_that_were_written_meanwhile(
    home: Home,
) -> None:
    store = home.used().store()
    home.write(mcpDesktop={"overrides": {"filesystem": {"args": ["/"]}}})
    store.set_enabled("filesystem", enabled=True)
    assert set(store.untrusted) == {"filesystem"}


@pytest.mark.parametrize("entry", [{"builtin": "filesystem"}, {"url": "https://x.example/mcp"}])
def test_roots_that_an_edit_widens_are_asked_about_and_shown(
    home: Home, entry: dict[str, Any]
) -> None:
    home.used(mcpServers={"fs": {**entry, "roots": ["/a/b"]}})
    assert not home.store().untrusted
    home.write(mcpServers={"fs": {**entry, "roots": ["/"]}})
    store = home.store()
    (changed,) = [each for each in store.differences("fs") if each.is_changed]
    assert (changed.place, changed.before, changed.now) == ("roots", "/a/b", "/")
    assert store.refusal(store.servers["fs"]) is not None


@pytest.mark.parametrize("url", ["http://192.168.1.9:11434/v1", "http://evil.example/v1"])
def test_a_provider_over_plain_http_is_on_this_computer(url: str, home: Home) -> None:
    home.write(mcpDesktop={"providers": {"openai": {"baseUrl": url}}})
    store = home.store()
    assert "https://" in str(store.notices[0])
    assert "openai" not in store.providers
    checked({"name": "mine", "kind": "openai", "baseUrl": "http://[::1]:11434/v1"})


EVIL = """\
import pathlib
pathlib.Path(__file__).with_name("ran").touch()
"""


class Elsewhere(Terminal):
    """A person who types in a folder that somebody else has filled."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.clone, home = folder / "clone", folder / "home"
        for each in (self.clone, home):
            each.mkdir()
        (self.clone / "mysrv.py").write_text(EVIL, "utf-8")
        self.environment.update(HOME=str(home), PYTHONPATH=str(ROOT))

    def type_there(self, *args: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "desktop", *args],
            cwd=self.clone,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=LIMIT,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def states(self, *args: str) -> dict[str, str]:
        servers = self.type_there("servers", "--json", *args).document["servers"]
        return {server["name"]: server["state"] for server in servers}


@pytest.fixture
def elsewhere(tmp_path: Path) -> Elsewhere:
    return Elsewhere(tmp_path)


MODULE = {"command": sys.executable, "args": ["-m", "mysrv"]}


def where(folder: Path) -> dict[str, Any]:
    """A server that says where it runs before it fails."""
    return {"command": "sh", "args": ["-c", f"pwd > {folder}/where"]}


def test_a_server_of_the_app_does_not_run_what_lies_where_a_command_is_typed(
    elsewhere: Elsewhere,
) -> None:
    elsewhere.configure(s=MODULE, w=where(elsewhere.folder))
    assert elsewhere.states()["s"] == "failed"
    assert not (elsewhere.clone / "ran").exists()
    assert (elsewhere.folder / "where").read_text() == f"{elsewhere.folder}/home\n"


def test_a_server_of_the_environment_runs_in_the_home_folder_or_that_of_its_file(
    elsewhere: Elsewhere,
) -> None:
    there = elsewhere.folder / "there"
    there.mkdir()
    document = json.dumps({"mcpServers": {"w": where(elsewhere.folder)}})
    (there / "servers.json").write_text(document, "utf-8")
    for value, folder in ((document, "home"), (str(there / "servers.json"), "there")):
        elsewhere.environment["MCP_SERVERS"] = value
        elsewhere.type_there("servers")
        assert (elsewhere.folder / "where").read_text() == f"{elsewhere.folder}/{folder}\n"


def test_a_server_of_a_named_config_runs_in_the_folder_of_that_file(elsewhere: Elsewhere) -> None:
    elsewhere.configure()
    named = elsewhere.folder / "project" / "mcp.json"
    named.parent.mkdir()
    named.write_text(json.dumps({"mcpServers": {"w": where(elsewhere.folder)}}), "utf-8")
    elsewhere.type_there("servers", "--config", str(named))
    assert (elsewhere.folder / "where").read_text() == f"{named.parent}\n"


def test_a_named_config_is_the_persons_word_and_the_apps_own_is_not_by_its_name(
    elsewhere: Elsewhere,
) -> None:
    elsewhere.configure()
    assert elsewhere.states() is not None  # a used home
    document = json.dumps({"mcpServers": {"s": entry("plain")}})
    named = elsewhere.folder / "named.json"
    for file in (named, elsewhere.config):
        file.write_text(document, "utf-8")
    assert elsewhere.states("--config", str(named))["s"] == "connected"
    assert elsewhere.states("--config", str(elsewhere.config))["s"] == "untrusted"
    assert elsewhere.states("--trust")["s"] == "connected"
    assert elsewhere.states()["s"] == "untrusted"
    elsewhere.environment["MCP_DESKTOP_TRUST"] = "1"
    assert elsewhere.states()["s"] == "connected"


def test_a_file_that_others_can_write_is_nobodys_word(elsewhere: Elsewhere) -> None:
    elsewhere.configure()
    elsewhere.type_there("trust")
    build_bootstrap(Paths(elsewhere.config, elsewhere.folder / "data")).store.keep_adopted()
    named = elsewhere.folder / "named.json"
    named.write_text(json.dumps({"mcpServers": {"s": entry("plain")}}), "utf-8")
    named.chmod(0o666)
    assert elsewhere.states("--config", str(named))["s"] == "untrusted"
    elsewhere.environment["MCP_SERVERS"] = str(named)
    done = elsewhere.type_there("servers")
    assert done.code == Exit.USAGE
    assert "Other users can change" in done.err
    assert "chmod go-w" in done.err


def test_what_is_written_into_a_named_config_while_it_runs_is_asked_about(home: Home) -> None:
    home.used()
    home.write(mcpServers={"a": {"command": "x"}})
    trust = TrustFile(home.paths.trust, home.paths.config)
    store = ConfigStore(home.paths.config, {}, (), trust, is_named=True)
    store.load()
    assert not store.untrusted
    home.write(mcpServers={"a": {"command": "evil"}})
    store.reload()
    assert set(store.untrusted) == {"a"}
    store.reload(is_named=True)
    assert not store.untrusted


@pytest.mark.parametrize("is_on", [False, True])
def test_a_file_of_calls_runs_no_shell(terminal: Terminal, tmp_path: Path, is_on: bool) -> None:
    terminal.configure(mine={"builtin": "shell", "enabled": is_on})
    ran = tmp_path / "ran"
    arguments = {"command": f"touch {ran}"}
    for server in ("shell", "mine"):
        call = {"name": "x", "tool": f"{server}:run_command", "arguments": arguments}
        (tmp_path / "calls.json").write_text(json.dumps([call]), "utf-8")
        done = terminal.run("test", str(tmp_path / "calls.json"), "--server", server)
        assert done.code == Exit.USAGE
        assert f"Saved calls do not run {server}" in done.err
    assert not ran.exists()


def test_a_file_of_calls_starts_what_is_off_only_where_that_is_named(
    terminal: Terminal, tmp_path: Path
) -> None:
    terminal.configure(plain=entry("plain", enabled=False))
    call = {"name": "x", "tool": "plain:add", "arguments": {"a": 1, "b": 2}}
    (tmp_path / "calls.json").write_text(json.dumps([call]), "utf-8")
    done = terminal.run("test", str(tmp_path / "calls.json"))
    assert (done.code, done.out) == (Exit.USAGE, "")
    assert "--server plain" in done.err
    done = terminal.run("test", str(tmp_path / "calls.json"), "--server", "plain")
    assert done.code == Exit.DONE
