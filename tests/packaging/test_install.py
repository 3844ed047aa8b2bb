"""`install.sh` of a bundle, run for real into a home of the test's."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from resources.packaging import make_bundle

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have other ways")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "a home"
    made.mkdir()
    return made


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """An app that says what it was given, with all that a bundle has beside it."""
    folder = tmp_path / "unpacked"
    (folder / "_internal").mkdir(parents=True)
    program = folder / "mcp-desktop"
    program.write_text('#!/bin/sh\necho "started with $*"\n', encoding="utf-8")
    program.chmod(0o755)
    make_bundle.complete(folder)
    return folder


def install(script: Path, home: Path, *args: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home)}
    return subprocess.run(
        [script, *args], env=environment, capture_output=True, text=True, check=False, timeout=30
    )


def entry(home: Path) -> dict[str, str]:
    file = home / ".local/share/applications/mcp-desktop.desktop"
    lines = file.read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def test_command_menu_entry_and_types_are_there(bundle: Path, home: Path) -> None:
    done = install(bundle / "install.sh", home)
    assert done.returncode == 0, done.stderr
    command = home / ".local/bin/mcp-desktop"
    said = subprocess.run([command, "x"], capture_output=True, text=True, check=True, timeout=30)
    assert said.stdout == "started with x\n"
    assert entry(home)["Exec"] == f'"{command}" %u'
    assert entry(home)["TryExec"] == str(command)
    assert (home / ".local/share/mime/packages/mcp-desktop.xml").is_file()
    assert len(list((home / ".local/share/metainfo").glob("*.metainfo.xml"))) == 1
    service = (home / ".local/share/systemd/user/mcp-desktop.service").read_text("utf-8")
    assert f'ExecStart="{command}" daemon' in service
    completion = (home / ".local/share/bash-completion/completions/mcp-desktop").read_text("utf-8")
    assert "--no-validate" in completion


def test_installed_again_it_is_the_new_one_alone(bundle: Path, home: Path) -> None:
    install(bundle / "install.sh", home)
    (home / ".local/lib/mcp-desktop/of-the-old-one").touch()
    assert install(bundle / "install.sh", home).returncode == 0
    assert not (home / ".local/lib/mcp-desktop/of-the-old-one").exists()
    assert (home / ".local/bin/mcp-desktop").exists()


def test_removed_it_leaves_what_is_the_persons(bundle: Path, home: Path) -> None:
    own = [home / ".config/mcp-desktop/mcp.json", home / ".local/share/mcp-desktop/history.sqlite3"]
    other = home / ".local/share/applications/other.desktop"
    for file in (*own, other):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    install(bundle / "install.sh", home)
    done = install(home / ".local/lib/mcp-desktop/install.sh", home, "--uninstall")
    assert done.returncode == 0, done.stderr
    assert "still in" in done.stdout
    made_by_the_system = {"mimeinfo.cache"}
    left = {file for file in home.rglob("*") if file.is_file() or file.is_symlink()}
    types = home / ".local/share/mime"
    left = {file for file in left if not file.is_relative_to(types)}
    assert {file for file in left if file.name not in made_by_the_system} == {*own, other}
    assert not (types / "packages/mcp-desktop.xml").exists()


def test_removed_twice_is_no_error_and_a_wrong_word_is(bundle: Path, home: Path) -> None:
    assert install(bundle / "install.sh", home, "--uninstall").returncode == 0
    assert install(bundle / "install.sh", home, "--all").returncode == 2


def test_the_installed_copy_does_not_install_itself(bundle: Path, home: Path) -> None:
    install(bundle / "install.sh", home)
    installed = home / ".local/lib/mcp-desktop/install.sh"
    assert install(installed, home).returncode == 2
    assert installed.exists()


def test_a_running_app_is_not_replaced(bundle: Path, home: Path) -> None:
    (bundle / "mcp-desktop").unlink()
    (bundle / "mcp-desktop").write_bytes(Path("/bin/sleep").read_bytes())
    (bundle / "mcp-desktop").chmod(0o755)
    install(bundle / "install.sh", home)
    with subprocess.Popen([home / ".local/bin/mcp-desktop", "60"]) as running:
        refused = install(bundle / "install.sh", home)
        running.kill()
    assert refused.returncode == 1
    assert "is running" in refused.stderr
    assert (home / ".local/lib/mcp-desktop/mcp-desktop").exists()
