"""A server that came from elsewhere is offered its own folders, or it is said why it is not."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.paths import Paths
from desktop.config.models import Sandbox, SandboxProposal, ServerConfig
from desktop.config.store import ConfigStore
from desktop.features.launch import proposal
from desktop.features.sandbox import bubblewrap
from desktop.features.sandbox.bubblewrap import confine, propose
from desktop.features.sandbox.walls import walls_of
from desktop.processes.process import LaunchSpec
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

needs_engine = pytest.mark.skipif(
    (program := bubblewrap.find()) is None or bool(bubblewrap.why_not(program)),
    reason="needs bubblewrap, and a system that lets it work",
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    (home / "Notes").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def paths(home: Path) -> Paths:
    return Paths(home / ".config/app/mcp.json", home / ".local/share/app")


def works(_: str) -> str:
    return ""


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine has one that works, whatever it has."""
    monkeypatch.setattr(bubblewrap, "is_offered", lambda: True)
    monkeypatch.setattr(bubblewrap, "find", lambda: "/usr/bin/bwrap")
    monkeypatch.setattr(bubblewrap, "why_not", works)


def server(**fields: Any) -> ServerConfig:
    return ServerConfig.checked(name="found", **{"command": "npx", **fields})


@pytest.mark.usefixtures("engine")
def test_a_program_is_offered_its_own_folders(home: Path, paths: Paths) -> None:
    own = SandboxProposal(Sandbox(preset="folders"))
    assert propose(server(args=("-y", "a-server", str(home / "Notes"))), paths) == own


@pytest.mark.usefixtures("engine")
def test_a_server_at_a_url_and_one_of_the_app_are_not_spoken_of(paths: Paths) -> None:
    for config in (
        ServerConfig.checked(name="a", url="https://a.example.com/mcp"),
        ServerConfig.checked(name="a", builtin="calculator"),
    ):
        assert propose(config, paths) == SandboxProposal()


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"command": "docker", "args": ("run", "x")}, "walls of its own"),
        ({"args": ("files", "{home}")}, "which no sandbox opens"),
        ({"args": ("files", "/")}, "which no sandbox opens"),
    ],
)
def test_what_no_sandbox_can_hold_is_said(
    home: Path, paths: Paths, fields: dict[str, Any], why: str
) -> None:
    args = tuple(each.replace("{home}", str(home)) for each in fields["args"])
    found = propose(server(**{**fields, "args": args}), paths)
    assert found.sandbox is None
    assert why in found.why


def test_without_an_engine_it_is_said_and_not_silently_left_out(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bubblewrap, "is_offered", lambda: True)
    monkeypatch.setattr(bubblewrap, "find", lambda: None)
    assert "not installed" in propose(server(), paths).why
    monkeypatch.setattr(bubblewrap, "find", lambda: "/bin/false")
    assert "does not let bubblewrap work" in propose(server(), paths).why
    monkeypatch.setattr(bubblewrap, "is_offered", lambda: False)
    assert "Linux alone" in propose(server(), paths).why


@pytest.mark.usefixtures("engine")
def test_a_new_server_is_added_in_what_is_proposed_or_in_what_was_chosen(paths: Paths) -> None:
    store = ConfigStore(paths.config, {}, propose_sandbox=proposal(paths))
    offered = store.sandbox_for(server()).sandbox
    assert server().sandboxed(offered).sandbox == Sandbox(preset="folders")
    assert not server().sandboxed(Sandbox(preset="off")).sandbox.is_on
    remote = ServerConfig.checked(name="a", url="https://a.example.com/mcp")
    assert remote.sandboxed(Sandbox(preset="strict")) == remote
    assert ConfigStore(paths.config, {}).sandbox_for(server()).sandbox is None


# --- bundles


@pytest.fixture
def bundle(paths: Paths) -> Path:
    """An MCP bundle, as it is unpacked; beside it another one."""
    for name in ("maps-0123456789ab", "other-0123456789ab"):
        (paths.bundles / name / "server").mkdir(parents=True)
        (paths.bundles / name / "server/main.py").write_text(
            "import os\n"
            "print(os.getcwd(), open('data.txt').read(), os.listdir('..'))\n"
            "try:\n    open('data.txt', 'w')\nexcept OSError as error:\n    print(error.errno)\n",
            encoding="utf-8",
        )
        (paths.bundles / name / "data.txt").write_text("hello", encoding="utf-8")
    return paths.bundles / "maps-0123456789ab"


def test_a_bundle_may_read_its_own_folder_and_no_other_file_of_this_app(
    home: Path, paths: Paths, bundle: Path
) -> None:
    args = (str(bundle / "server/main.py"), str(bundle))
    config = server(command=sys.executable, args=args, cwd=str(bundle), sandbox="folders")
    launch = LaunchSpec(sys.executable, args, {"HOME": str(home)}, str(bundle))
    walls = walls_of(config, launch, paths)
    assert bundle in walls.read
    assert walls.write == ()
    assert walls.cwd == bundle
    assert not any(paths.data in (place, *place.parents) for place in walls.read if place != bundle)


@needs_engine
@pytest.mark.process
def test_a_bundle_runs_in_its_own_folder_and_cannot_change_it(
    home: Path, paths: Paths, bundle: Path
) -> None:
    for preset in ("folders", "no-network", "strict"):
        args = ("-I", str(bundle / "server/main.py"))
        config = server(command=sys.executable, args=args, cwd=str(bundle), sandbox=preset)
        launch = confine(
            config, LaunchSpec(sys.executable, args, {"HOME": str(home)}, str(bundle)), paths
        )
        done = subprocess.run(
            [launch.command, *launch.args],
            env=dict(launch.environment),
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert done.stdout.splitlines() == [f"{bundle} hello ['{bundle.name}']", "30"], done.stderr
