from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import pytest

from desktop.gui.theme.theme import Motion, system_wants_motion
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """The environment of a desktop that says nothing."""
    (tmp_path / "bin").mkdir()
    return {"HOME": str(tmp_path), "PATH": str(tmp_path / "bin")}


def write(home: dict[str, str], name: str, text: str) -> None:
    from pathlib import Path

    file = Path(home["HOME"]) / ".config" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def test_a_desktop_that_says_nothing_wants_motion(home: dict[str, str]) -> None:
    assert system_wants_motion(home)


@pytest.mark.parametrize(
    ("name", "text", "is_wanted"),
    [
        ("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations=0\n", False),
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations = false\n", False),
        ("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations=1\n", True),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n", False),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n", True),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=fast\n", True),
    ],
)
def test_what_gtk_and_kde_were_told_counts(
    home: dict[str, str], name: str, text: str, is_wanted: bool
) -> None:
    write(home, name, text)

    assert system_wants_motion(home) is is_wanted


@pytest.mark.parametrize(("said", "is_wanted"), [("true", True), ("false", False)])
def test_gnome_is_asked_by_its_own_command(
    home: dict[str, str],
    said: str,
    is_wanted: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = tmp_path / "bin" / "gsettings"
    command.write_text(f'#!/bin/sh\n[ "$3" = enable-animations ] && echo {said}\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")

    assert system_wants_motion(home | {"XDG_CURRENT_DESKTOP": "ubuntu:GNOME"}) is is_wanted
    assert system_wants_motion(home)


def test_a_gnome_without_its_command_wants_motion(
    home: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", home["PATH"])

    assert system_wants_motion(home | {"XDG_CURRENT_DESKTOP": "GNOME"})


async def test_nothing_moves_before_the_answer_is_there(
    home: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CURRENT_DESKTOP"):
        monkeypatch.setenv(name, home.get(name, ""))
    motion = Motion()

    assert not motion.is_wanted
    asking = [task for task in asyncio.all_tasks() if "animations" in task.get_name()]
    await asyncio.wait(asking, timeout=LIMIT)

    assert motion.is_wanted
