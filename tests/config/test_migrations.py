"""Older files are brought forward a version at a time; newer ones are not touched."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.config.migrations import SCHEMA_VERSION, find_version, migrate, refuse_newer
from desktop.errors import ConfigError

Data = dict[str, Any]


def _rename_theme(data: Data) -> Data:
    """A made-up step from version 0, which had the theme under another key."""
    settings = data["mcpDesktop"]["settings"]
    settings["theme"] = settings.pop("colours")
    return data


def _add_mark(data: Data) -> Data:
    data["mark"] = True
    return data


def test_an_old_file_goes_through_every_step_and_the_original_stays() -> None:
    old: Data = {"mcpDesktop": {"schemaVersion": 0, "settings": {"colours": "dark"}}, "keep": 1}
    new = migrate(old, {0: _rename_theme, 1: _add_mark}, target=2)
    assert new == {
        "mcpDesktop": {"schemaVersion": 2, "settings": {"theme": "dark"}},
        "keep": 1,
        "mark": True,
    }
    assert old["mcpDesktop"]["settings"] == {"colours": "dark"}


@pytest.mark.parametrize("data", [{}, {"mcpDesktop": {}}, {"mcpServers": {}}])
def test_a_file_without_a_version_is_present(data: Data) -> None:
    assert find_version(data) == SCHEMA_VERSION
    assert migrate(data) == data


def test_a_version_without_a_step_is_told_of() -> None:
    with pytest.raises(ConfigError, match="schema version 0"):
        migrate({"mcpDesktop": {"schemaVersion": 0}})


@pytest.mark.parametrize("version", ["1", 1.5, True, -1, None, []])
def test_a_foolish_version_is_told_of(version: object) -> None:
    with pytest.raises(ConfigError, match="must be a whole number"):
        migrate({"mcpDesktop": {"schemaVersion": version}})


def test_a_newer_file_is_not_changed_and_refused_for_writing() -> None:
    data: Data = {"mcpDesktop": {"schemaVersion": SCHEMA_VERSION + 1}}
    assert migrate(data) == data
    with pytest.raises(ConfigError, match="newer version of the app"):
        refuse_newer(data)
    refuse_newer({})
