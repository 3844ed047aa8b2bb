"""Our own keys are read tolerantly: a wrong one is told of and keeps its default."""

from __future__ import annotations

from typing import Any

import pytest

from desktop.config.app_keys import app_object, app_section, apply_override, read_settings
from desktop.config.models import AppSettings, ServerConfig
from desktop.errors import ConfigError

CONFIG = ServerConfig(name="c", transport="stdio", command="x", source="builtin", enabled=False)


def _file(settings: object) -> dict[str, Any]:
    return {"mcpDesktop": {"settings": settings}}


def test_settings_are_read_and_unknown_ones_let_be() -> None:
    settings, notices = read_settings(_file({"theme": "dark", "callTimeout": 60, "new": 1}))
    assert settings == AppSettings(theme="dark", call_timeout=60)
    assert notices == []


def test_a_wrong_setting_keeps_its_default_and_the_others_count() -> None:
    settings, notices = read_settings(_file({"theme": "pink", "language": "en", "callTimeout": 0}))
    assert settings == AppSettings(language="en")
    assert [str(notice).split('"')[1] for notice in notices] == ["theme", "callTimeout"]


@pytest.mark.parametrize("data", [{"mcpDesktop": 3}, _file([]), _file(None)])
def test_settings_of_a_wrong_kind_are_told_of(data: dict[str, Any]) -> None:
    settings, notices = read_settings(data)
    assert settings == AppSettings()
    assert "must be an object" in str(notices[0])


def test_a_file_without_our_keys_has_empty_ones() -> None:
    assert app_section({}) == app_object({}, "overrides") == {}


def test_an_override_switches_a_server_and_its_tools() -> None:
    data = {"mcpDesktop": {"overrides": {"c": {"enabled": True, "disabledTools": ["t"], "x": 1}}}}
    assert apply_override(data, CONFIG) == CONFIG.changed(enabled=True, disabled_tools=("t",))
    assert apply_override({}, CONFIG) is CONFIG


@pytest.mark.parametrize("override", [3, {"enabled": "perhaps"}, {"disabledTools": "t"}])
def test_a_wrong_override_is_told_of(override: object) -> None:
    with pytest.raises(ConfigError):
        apply_override({"mcpDesktop": {"overrides": {"c": override}}}, CONFIG)
