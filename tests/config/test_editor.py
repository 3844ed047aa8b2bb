"""A change writes no more than what the person changed, in the words the file already uses.

Older files are brought forward a version at a time; newer ones are not touched.

Our own keys are read tolerantly: a wrong one is told of and keeps its default.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from desktop.base.errors import ConfigError
from desktop.config.editor import (
    SCHEMA_VERSION,
    app_object,
    app_section,
    apply_override,
    drop_server,
    find_version,
    migrate,
    put_enabled,
    put_override,
    put_server,
    put_settings,
    put_tool_names,
    read_settings,
    refuse_newer,
    stamp_version,
)
from desktop.config.models import (
    KEPT_FOR_EVER,
    MOST_CALLS,
    AppSettings,
    HistorySettings,
    KeepDays,
    ServerConfig,
)
from desktop.config.parser import read_server

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
    assert settings == AppSettings(keep=KEPT_FOR_EVER, history=MOST_CALLS)
    assert "must be an object" in str(notices[0])


def test_days_to_keep_are_read_by_kind() -> None:
    settings, notices = read_settings(_file({"keep": {"chats": 365, "removedServerLogs": 7}}))
    assert settings.keep == KeepDays(chats=365, removed_server_logs=7)
    assert notices == []


def test_a_wrong_number_of_days_is_said_and_keeps_those_files_for_ever() -> None:
    days = {"removedServerLogs": "soon", "filesSetAside": -1, "chats": 7, "pictures": 3}
    settings, notices = read_settings(_file({"keep": days}))
    assert settings.keep == KeepDays(removed_server_logs=0, files_set_aside=0, chats=7)
    assert [str(notice) for notice in notices] == [
        'Setting "keep.removedServerLogs" must be a whole number',
        'Setting "keep.filesSetAside" must be at least 0',
        'Setting "keep.pictures" is not a known key',
    ]


@pytest.mark.parametrize("days", [True, 1.5, None, [], 4000])
def test_anything_but_a_number_of_days_is_said(days: object) -> None:
    settings, notices = read_settings(_file({"keep": {"removedServerLogs": days}}))
    assert settings.keep.removed_server_logs == 0
    assert len(notices) == 1


def test_where_the_days_are_no_object_nothing_is_removed_for_its_age() -> None:
    settings, notices = read_settings(_file({"keep": 30}))
    assert settings.keep == KEPT_FOR_EVER
    assert [str(notice) for notice in notices] == ['Setting "keep" must be an object']


def test_changed_days_are_written_alone_and_an_unknown_kind_stays() -> None:
    data: Data = _file({"keep": {"chats": 7, "later": 1}})
    put_settings(data, ["keep"], AppSettings(keep=KeepDays(crash_reports=30)))
    assert data == _file({"keep": {"later": 1, "crashReports": 30}})
    data = _file({"keep": {"chats": 7}})
    put_settings(data, ["keep"], AppSettings())
    assert data == _file({})


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


SETTINGS = AppSettings()


def _edit(entry: Data, **changes: object) -> Data:
    """The entry after the person changed these fields of it."""
    data: Data = {"mcpServers": {"a": deepcopy(entry)}}
    old = read_server("a", entry, SETTINGS)
    new = old.changed(**changes)
    put_server(data, "a", old, new, SETTINGS)
    written: Data = data["mcpServers"][new.name]
    assert read_server(new.name, written, SETTINGS) == new
    return written


@pytest.mark.parametrize(
    ("entry", "changes", "written"),
    [
        (
            {"command": "x", "args": [1]},
            {"timeout": 60.0},
            {"command": "x", "args": [1], "timeout": 60},
        ),
        ({"command": "x", "timeout": 60}, {"timeout": 120.0}, {"command": "x"}),
        ({"serverUrl": "http://a"}, {"url": "http://b"}, {"serverUrl": "http://b"}),
        (
            {"serverUrl": "http://a", "url": "http://a"},
            {"url": "http://b"},
            {"serverUrl": "http://b", "url": "http://b"},
        ),
        ({"url": "http://a/sse"}, {"url": "http://a/mcp"}, {"url": "http://a/mcp", "type": "sse"}),
        (
            {"transportType": "streamableHttp", "url": "http://a"},
            {"timeout": 5.0},
            {"transportType": "streamableHttp", "url": "http://a", "timeout": 5},
        ),
        (
            {"transportType": "streamableHttp", "url": "http://a"},
            {"transport": "sse"},
            {"transportType": "sse", "url": "http://a"},
        ),
        ({"url": "http://a"}, {"transport": "stdio", "command": "x", "url": ""}, {"command": "x"}),
        (
            {"url": "http://a"},
            {"transport": "stdio", "command": "x"},
            {"url": "http://a", "command": "x", "type": "stdio"},
        ),
        (
            {"command": "x", "env": {"A": 1, "B": None, "C": True}},
            {"env": {"A": "1", "C": "True", "D": "d"}},
            {"command": "x", "env": {"A": 1, "B": None, "C": "True", "D": "d"}},
        ),
        ({"command": "x", "env": {"A": 1}, "k": 1}, {"env": {}}, {"command": "x", "k": 1}),
        (
            {"command": "x", "disabled": True},
            {"enabled": True},
            {"command": "x", "disabled": False},
        ),
        ({"command": "x"}, {"name": "b", "cwd": "~"}, {"command": "x", "cwd": "~"}),
        (
            {"command": "x", "roots": [{"uri": "file:///a"}, "~/b"]},
            {"enabled": False},
            {"command": "x", "roots": [{"uri": "file:///a"}, "~/b"], "enabled": False},
        ),
        ({"command": "x", "roots": ["a"]}, {"roots": ("b",)}, {"command": "x", "roots": ["b"]}),
    ],
)
def test_only_what_changed_is_written(entry: Data, changes: Data, written: Data) -> None:
    assert _edit(entry, **changes) == written


def test_a_new_server_is_written_without_its_defaults() -> None:
    data: Data = {}
    stdio = ServerConfig(name="a", transport="stdio", command="x", enabled=False)
    http = ServerConfig(name="b", transport="http", url="http://h", env={"A": "1"})
    for config in (stdio, http):
        put_server(data, config.name, None, config, SETTINGS)
    assert data == {
        "mcpServers": {
            "a": {"command": "x", "enabled": False},
            "b": {"env": {"A": "1"}, "url": "http://h", "type": "http"},
        }
    }


def test_a_time_that_differs_from_the_settings_is_written() -> None:
    data: Data = {}
    config = ServerConfig(name="a", transport="stdio", command="x", timeout=120)
    put_server(data, "a", None, config, AppSettings(call_timeout=60))
    assert data["mcpServers"]["a"]["timeout"] == 120


@pytest.mark.parametrize("wrapper", ["mcpServers", "mcp_servers", "servers"])
def test_the_files_own_wrapper_is_used(wrapper: str) -> None:
    data: Data = {wrapper: None}
    put_server(data, "a", None, ServerConfig(name="a", transport="stdio", command="x"), SETTINGS)
    assert data == {wrapper: {"a": {"command": "x"}}}


def test_a_bare_map_stays_one_and_has_reserved_names() -> None:
    data: Data = {"a": {"command": "x"}}
    put_server(data, "b", None, ServerConfig(name="b", transport="stdio", command="y"), SETTINGS)
    assert data == {"a": {"command": "x"}, "b": {"command": "y"}}
    reserved = ServerConfig(name="mcpServers", transport="stdio", command="y")
    with pytest.raises(ConfigError, match='cannot be named "mcpServers"'):
        put_server(data, reserved.name, None, reserved, SETTINGS)
    drop_server(data, "a")
    assert data == {"b": {"command": "y"}}


def test_a_switch_uses_the_words_of_the_entry() -> None:
    for entry, after in [
        ({}, {"enabled": False}),
        ({"disabled": False}, {"disabled": True}),
        ({"enabled": True, "disabled": False}, {"enabled": False, "disabled": True}),
    ]:
        written: Data = dict(entry)
        put_enabled(written, False)
        assert written == after
        put_enabled(written, True)
        assert written == entry or written == {"enabled": True}


def test_disabled_tools_leave_the_file_with_the_last_one() -> None:
    entry: Data = {"disabled_tools": ["a"]}
    put_tool_names(entry, "disabled_tools", ["a", "b"])
    assert entry == {"disabled_tools": ["a", "b"]}
    put_tool_names(entry, "disabled_tools", [])
    assert entry == {}


def test_overrides_settings_and_version_are_written_under_our_key() -> None:
    data: Data = {"mcpDesktop": {"x": 1}}
    put_override(data, "e", "enabled", False)
    put_override(data, "e", "disabledTools", ["t"])
    put_settings(data, ["theme", "call_timeout"], AppSettings(theme="dark", call_timeout=60))
    put_settings(data, ["theme"], AppSettings(call_timeout=60))
    stamp_version(data)
    assert data == {
        "mcpDesktop": {
            "schemaVersion": 1,
            "x": 1,
            "overrides": {"e": {"enabled": False, "disabledTools": ["t"]}},
            "settings": {"callTimeout": 60},
        }
    }


@pytest.mark.parametrize("wrong", [3, [], "x"])
def test_our_key_of_a_wrong_kind_is_never_overwritten(wrong: object) -> None:
    data: Data = {"mcpDesktop": wrong}
    for write in (
        lambda: put_override(data, "e", "enabled", True),
        lambda: put_settings(data, ["theme"], AppSettings()),
        lambda: stamp_version(data),
    ):
        with pytest.raises(ConfigError, match='"mcpDesktop" must be an object'):
            write()
    assert data == {"mcpDesktop": wrong}


def test_limits_of_the_history_are_read_and_written_alone() -> None:
    settings, notices = read_settings(_file({"history": {"calls": 500, "days": 30}}))
    assert settings.history == HistorySettings(calls=500, days=30)
    assert notices == []
    data: Data = _file({})
    put_settings(data, ["history"], settings)
    assert data == _file({"history": {"calls": 500, "days": 30}})


@pytest.mark.parametrize("calls", [True, 1.5, "many", None, 99, 1_000_001])
def test_a_limit_of_the_history_that_cannot_be_read_lets_no_call_go(calls: object) -> None:
    written = {"history": {"calls": calls, "megabytes": 50}}
    settings, notices = read_settings(_file(written))
    assert settings.history == HistorySettings(calls=MOST_CALLS.calls, megabytes=50)
    assert [str(notice).split('"')[1] for notice in notices] == ["history.calls"]
