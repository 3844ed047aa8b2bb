from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.config.imports.apps import APPS
from desktop.config.imports.discovery import DetectedClient, discover, look_at
from desktop.config.models import AppSettings
from tests.config.imports.conftest import HOME

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.config.imports.apps import ClientLocations

SETTINGS = AppSettings()


def key(found: DetectedClient) -> str:
    return found.source.app.key if found.source.app is not None else ""


def test_every_client_of_a_home_is_found_with_its_servers(places: ClientLocations) -> None:
    found = discover(places, SETTINGS)
    assert {key(one) for one in found} == {app.key for app in APPS}
    assert [one.error for one in found if one.error] == []
    counts = {(key(one), one.source.path and one.source.path.name): one.count for one in found}
    assert counts["claude-desktop", "claude_desktop_config.json"] == 2
    assert counts["goose", "config.yaml"] == 3


def test_nothing_is_found_where_nothing_is(tmp_path: Path, places: ClientLocations) -> None:
    assert discover(replace(places, home=tmp_path, project=None), SETTINGS) == []


def test_files_that_cannot_be_read_are_told_and_leave_the_others(
    tmp_path: Path, places: ClientLocations
) -> None:
    home = tmp_path / "home"
    shutil.copytree(HOME, home)
    (home / ".cursor" / "mcp.json").write_text("{ broken")
    (home / ".lmstudio" / "mcp.json").unlink()
    (home / ".lmstudio" / "mcp.json").mkdir()
    loop = home / ".copilot" / "mcp-config.json"
    loop.unlink()
    loop.symlink_to(loop)
    (home / ".config" / "zed" / "settings.json").write_text('{"theme": "x"}')
    found = {key(one): one for one in discover(replace(places, home=home), SETTINGS)}
    assert "line 1, column" in found["cursor"].error
    assert "is a folder" in found["lm-studio"].error
    assert "cannot be read" in found["copilot"].error
    assert "zed" not in found
    assert found["claude-desktop"].count == 2


def test_what_a_person_hands_over_is_read_or_told(tmp_path: Path, places: ClientLocations) -> None:
    good = look_at(str(HOME / ".cursor" / "mcp.json"), places, SETTINGS)
    assert (key(good), good.count, good.error) == ("cursor", 2, "")
    for what in (str(tmp_path), str(tmp_path / "none.json"), "mcp-desktop://x", "a\0b"):
        found = look_at(what, places, SETTINGS)
        assert (found.read, found.count) == (None, 0)
        assert found.error
