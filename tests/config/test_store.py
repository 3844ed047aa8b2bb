"""The store reads tolerantly, writes little, and never loses what a person typed."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.errors import ConfigError
from desktop.config.models import ServerConfig
from desktop.config.store import ConfigStore

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    OpenStore = Callable[..., ConfigStore]

ECHO = ServerConfig(name="echo", transport="stdio", command="npx", args=("-y", "pkg"))
CALCULATOR = ServerConfig(
    name="calculator", transport="stdio", command="python", enabled=False, source="builtin"
)
ONE = '{"mcpServers": {"a": {"command": "npx"}}}'
CHANGES: dict[str, Callable[[ConfigStore], object]] = {
    "add": lambda store: store.add_server(ECHO),
    "replace": lambda store: store.replace_server("a", ECHO),
    "remove": lambda store: store.remove_server("a"),
    "switch": lambda store: store.set_enabled("a", False),
    "tool": lambda store: store.set_tool_enabled("a", "t", False),
    "settings": lambda store: store.update_settings(theme="dark"),
}
IMPOSSIBLE: list[tuple[Callable[[ConfigStore], object], str]] = [
    (lambda store: store.add_server(ECHO.changed(name="a")), 'A server named "a" already exists'),
    (lambda store: store.remove_server("b"), 'Server "b" is not in '),
    (lambda store: store.set_enabled("b", True), 'No server named "b"'),
    (lambda store: store.set_tool_enabled("b", "t", True), 'No server named "b"'),
    (lambda store: store.replace_server("b", ECHO), 'Server "b" is not in '),
    (lambda store: store.update_settings(theme="pink"), '"theme" must be one of'),
    (lambda store: store.update_settings(colour="x"), "not a known key"),
]


def test_without_a_file_there_are_no_servers_no_error_and_nothing_is_written(
    open_store: OpenStore, path: Path
) -> None:
    store = open_store()
    assert (dict(store.servers), store.error, store.notices) == ({}, None, ())
    assert not path.exists()


def test_the_first_change_makes_the_folder_and_a_private_file(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "mcp.json"
    store = ConfigStore(path, {})
    store.load()
    store.add_server(ECHO)
    assert json.loads(path.read_text("utf-8")) == {
        "mcpServers": {"echo": {"command": "npx", "args": ["-y", "pkg"]}},
        "mcpDesktop": {"schemaVersion": 1},
    }
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert store.servers["echo"] == ECHO


def test_a_change_is_announced_once_and_only_if_there_was_one(open_store: OpenStore) -> None:
    store = open_store(ONE)
    seen: list[bool] = []
    store.changed.connect(lambda: seen.append(store.servers["a"].enabled))
    store.set_enabled("a", True)
    store.set_enabled("a", False)
    assert seen == [False]
    store.reload()
    assert seen == [False, False]


def test_unknown_keys_their_order_and_the_files_own_style_survive(
    open_store: OpenStore, path: Path
) -> None:
    text = """{
\t"$schema": "x",
\t"mcpServers": {
\t\t"z": {
\t\t\t"autoApprove": ["t"],
\t\t\t"serverUrl": "https://h/mcp",
\t\t\t"disabled": false,
\t\t\t"weight": 1.10
\t\t},
\t\t"a": {
\t\t\t"command": "npx",
\t\t\t"env": {"PORT": 8080, "NOTHING": null, "ON": true}
\t\t}
\t},
\t"other": {"k": [1, {"é": null}]},
\t"mcpDesktop": {"future": 1, "settings": {"unknown": 2}}
}
"""
    store = open_store(text.replace("\n", "\r\n"))
    store.set_enabled("z", False)
    store.update_settings(theme="dark", call_timeout=60)
    written = path.read_bytes().decode()
    assert written.count("\r\n") == written.count("\n")
    assert '\r\n\t\t\t"weight": 1.10' in written
    assert json.dumps(json.loads(written)) == json.dumps(
        {
            "$schema": "x",
            "mcpServers": {
                "z": {
                    "autoApprove": ["t"],
                    "serverUrl": "https://h/mcp",
                    "disabled": True,
                    "weight": 1.1,
                },
                "a": {"command": "npx", "env": {"PORT": 8080, "NOTHING": None, "ON": True}},
            },
            "other": {"k": [1, {"é": None}]},
            "mcpDesktop": {
                "schemaVersion": 1,
                "future": 1,
                "settings": {"unknown": 2, "theme": "dark", "callTimeout": 60},
            },
        }
    )


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    "text", ['{"mcpServers": {"a": {"command": "npx"}', "not json", "[]", '{"mcpServers": []}']
)
def test_a_broken_file_is_never_overwritten(
    open_store: OpenStore, path: Path, text: str, change: str
) -> None:
    store = open_store(text)
    assert store.error is not None
    assert not store.servers
    with pytest.raises(ConfigError) as caught:
        CHANGES[change](store)
    assert str(caught.value) == str(store.error)
    assert path.read_text("utf-8") == text


def test_the_error_of_a_broken_file_has_line_and_column_and_no_secret(
    open_store: OpenStore,
) -> None:
    error = open_store('{\n  "mcpServers": {"a": {"env": {"KEY" "hunter2"}}}\n}').error
    assert error is not None
    assert (error.line, error.column) == (2, 37)
    assert "line 2, column 37" in str(error)
    assert "hunter2" not in str(error)


def test_a_repaired_file_is_accepted_again(open_store: OpenStore, path: Path) -> None:
    store = open_store("{")
    path.write_text(ONE, "utf-8")
    store.set_enabled("a", False)
    assert store.error is None
    assert not store.servers["a"].enabled


@pytest.mark.parametrize("change", CHANGES)
def test_an_unwritable_folder_is_told_of_and_nothing_changes_in_memory(
    open_store: OpenStore, path: Path, change: str
) -> None:
    store = open_store(ONE)
    before = dict(store.servers), store.settings
    path.unlink()
    path.mkdir()
    with pytest.raises(ConfigError, match="is not a file"):
        CHANGES[change](store)
    assert (dict(store.servers), store.settings) == before


def test_a_folder_that_cannot_be_made_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    store = ConfigStore(tmp_path / "file" / "mcp.json", {})
    store.load()
    assert store.error is None
    with pytest.raises(ConfigError, match="cannot be written"):
        store.add_server(ECHO)
    assert not store.servers


def test_an_edit_made_outside_is_kept(open_store: OpenStore, path: Path) -> None:
    store = open_store(ONE)
    path.write_text(
        '{"mcpServers": {"a": {"command": "uvx"}, "b": {"url": "http://h"}}, "x": 1}', "utf-8"
    )
    store.set_enabled("a", False)
    assert json.loads(path.read_text("utf-8")) == {
        "mcpServers": {"a": {"command": "uvx", "enabled": False}, "b": {"url": "http://h"}},
        "x": 1,
        "mcpDesktop": {"schemaVersion": 1},
    }
    assert (store.servers["a"].command, store.servers["b"].transport) == ("uvx", "http")


@pytest.mark.parametrize("change", ["replace", "remove"])
def test_two_edits_of_one_server_are_refused(
    open_store: OpenStore, path: Path, change: str
) -> None:
    store = open_store(ONE)
    text = ONE.replace("npx", "uvx")
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match="Another program changed server"):
        CHANGES[change](store)
    assert path.read_text("utf-8") == text
    store.reload()
    CHANGES[change](store)
    assert "a" not in store.servers


def test_an_edit_made_outside_that_broke_the_file_is_kept(
    open_store: OpenStore, path: Path
) -> None:
    store = open_store(ONE)
    path.write_text("{", "utf-8")
    with pytest.raises(ConfigError, match="not valid JSON"):
        store.set_enabled("a", False)
    assert path.read_text("utf-8") == "{"
    assert store.servers["a"].enabled


def test_a_file_that_was_deleted_comes_back_whole(open_store: OpenStore, path: Path) -> None:
    store = open_store(ONE)
    path.unlink()
    store.add_server(ECHO)
    assert [*json.loads(path.read_text("utf-8"))["mcpServers"]] == ["a", "echo"]


def test_a_linked_file_stays_a_link(open_store: OpenStore, path: Path, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles.json"
    target.write_text(ONE, "utf-8")
    path.symlink_to(target)
    open_store().set_enabled("a", False)
    assert path.is_symlink()
    assert "false" in target.read_text("utf-8")


def test_a_file_with_comments_is_kept_beside_it_before_the_first_rewrite(
    open_store: OpenStore, path: Path
) -> None:
    text = '{\n  // mine\n  "mcpServers": {"a": {"command": "npx"},},\n}'
    store = open_store(text)
    store.set_enabled("a", False)
    store.set_enabled("a", True)
    backup = path.with_name("mcp.json.bak")
    assert backup.read_text("utf-8") == text
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert sorted(os.listdir(path.parent)) == ["mcp.json", "mcp.json.bak"]


def test_an_older_backup_is_not_overwritten(open_store: OpenStore, path: Path) -> None:
    open_store("// one\n" + ONE).set_enabled("a", False)
    open_store("// two\n" + ONE).set_enabled("a", False)
    assert path.with_name("mcp.json.bak").read_text("utf-8").startswith("// one")
    assert path.with_name("mcp.json.bak2").read_text("utf-8").startswith("// two")


def test_an_address_is_no_comment(open_store: OpenStore, path: Path) -> None:
    open_store('{"mcpServers": {"a": {"url": "http://h/*x*/"}}}').set_enabled("a", False)
    assert os.listdir(path.parent) == ["mcp.json"]


def test_two_servers_with_one_name_are_a_problem_that_names_both_lines(
    open_store: OpenStore, path: Path
) -> None:
    text = (
        '{"mcpServers": {\n"a": {"command": "x"},\n"b": {"command": "x"},\n"a": {"command": "y"}}}'
    )
    store = open_store(text)
    assert [*store.servers] == ["b"]
    assert "lines 2 and 4" in str(store.problems["a"])
    with pytest.raises(ConfigError, match="lines 2 and 4"):
        store.set_enabled("b", False)
    assert path.read_text("utf-8") == text
    assert "lines 2 and 4" in str(store.notices[0])


def test_one_wrong_server_is_a_problem_of_that_server_alone(open_store: OpenStore) -> None:
    store = open_store('{"mcpServers": {"a": {"command": 1}, "b": 2, "c": {"command": "x"}}}')
    assert [*store.servers] == ["c"]
    assert [*store.problems] == ["a", "b"]
    assert str(store.problems["a"]) == 'Server "a": "command" must be text'
    assert store.written("b") == 2


def test_a_wrong_server_can_be_removed_or_replaced_but_not_switched(
    open_store: OpenStore,
) -> None:
    store = open_store('{"mcpServers": {"a": {"args": "x", "keep": 1}, "b": 2}}')
    with pytest.raises(ConfigError, match='needs "command"'):
        store.set_enabled("a", True)
    store.remove_server("b")
    store.replace_server("a", ECHO)
    assert dict(store.servers) == {"echo": ECHO}
    assert store.written("echo") == {"args": ["-y", "pkg"], "keep": 1, "command": "npx"}
    assert not store.problems


def test_a_newer_file_is_read_and_never_written(open_store: OpenStore, path: Path) -> None:
    text = '{"mcpServers": {"a": {"command": "x"}}, "mcpDesktop": {"schemaVersion": 2}}'
    store = open_store(text)
    assert "a" in store.servers
    assert "newer version" in str(store.notices[0])
    with pytest.raises(ConfigError, match="newer version"):
        store.set_enabled("a", False)
    assert path.read_text("utf-8") == text


@pytest.mark.parametrize(("change", "words"), IMPOSSIBLE)
def test_an_impossible_change_is_refused_and_changes_nothing(
    open_store: OpenStore, path: Path, change: Callable[[ConfigStore], None], words: str
) -> None:
    store = open_store(ONE)
    with pytest.raises(ConfigError, match=words):
        change(store)
    assert path.read_text("utf-8") == ONE
    assert [*store.servers] == ["a"]


def test_a_server_is_renamed_in_its_place(open_store: OpenStore, path: Path) -> None:
    store = open_store('{"mcpServers": {"a": {"command": "x", "k": 1}, "b": {"command": "y"}}}')
    with pytest.raises(ConfigError, match='A server named "b" already exists'):
        store.replace_server("a", store.servers["a"].changed(name="b"))
    store.replace_server("a", store.servers["a"].changed(name="c"))
    assert [*json.loads(path.read_text("utf-8"))["mcpServers"].items()] == [
        ("c", {"command": "x", "k": 1}),
        ("b", {"command": "y"}),
    ]


def test_tools_are_switched_and_remembered(open_store: OpenStore, path: Path) -> None:
    store = open_store(ONE)
    store.set_tool_enabled("a", "t", False)
    store.set_tool_enabled("a", "u", False)
    store.set_tool_enabled("a", "t", True)
    assert store.servers["a"].disabled_tools == ("u",)
    store.set_tool_enabled("a", "u", True)
    assert json.loads(path.read_text("utf-8"))["mcpServers"] == {"a": {"command": "npx"}}


def test_of_a_server_with_a_list_of_its_only_tools_each_is_switched_too(
    open_store: OpenStore, path: Path
) -> None:
    store = open_store('{"mcpServers": {"a": {"command": "npx", "enabledTools": ["t"]}}}')

    def offered() -> list[str]:
        return [tool for tool in ("t", "u", "v") if store.servers["a"].offers(tool)]

    assert offered() == ["t"]
    store.set_tool_enabled("a", "u", True)
    store.set_tool_enabled("a", "t", False)
    assert offered() == ["u"]
    store.set_tool_enabled("a", "t", True)
    assert offered() == ["t", "u"]
    entry = json.loads(path.read_text("utf-8"))["mcpServers"]["a"]
    assert entry == {"command": "npx", "enabledTools": ["t", "u"]}


def test_a_builtin_server_is_off_until_switched_and_its_switch_is_remembered(
    open_store: OpenStore, path: Path
) -> None:
    store = open_store(ONE, builtins=(CALCULATOR,))
    assert [*store.servers] == ["a", "calculator"]
    store.set_enabled("calculator", True)
    store.set_tool_enabled("calculator", "evaluate", False)
    again = open_store(builtins=(CALCULATOR,)).servers["calculator"]
    assert (again.enabled, again.disabled_tools, again.source) == (True, ("evaluate",), "builtin")
    assert "python" not in path.read_text("utf-8")
    with pytest.raises(ConfigError, match="comes from the app itself"):
        store.remove_server("calculator")


def test_the_persons_server_hides_a_builtin_of_its_name(open_store: OpenStore) -> None:
    store = open_store(builtins=(CALCULATOR,))
    store.add_server(ECHO.changed(name="calculator"))
    assert store.servers["calculator"].source == "file"
    assert "built-in" in str(store.notices[0])


def test_a_server_that_this_run_was_given_stays_first_through_changes_and_is_never_written(
    open_store: OpenStore, path: Path
) -> None:
    store = open_store(ONE)
    store.give([ECHO.changed(name="a"), ECHO])
    store.update_settings(theme="dark")
    store.reload()
    assert [(each.name, each.source) for each in store.servers.values()] == [
        ("a", "given"),
        ("echo", "given"),
    ]
    assert store.servers["a"].args == ECHO.args
    assert store.refusal(store.servers["a"]) is None
    assert json.loads(path.read_text("utf-8"))["mcpServers"] == {"a": {"command": "npx"}}
    with pytest.raises(ConfigError, match="comes from the command line"):
        store.remove_server("echo")


def test_a_server_of_the_environment_is_never_written_to_the_file(
    open_store: OpenStore, path: Path
) -> None:
    environ = {"MCP_SERVERS": '{"e": {"command": "secret-program"}}'}
    store = open_store(environ=environ)
    store.set_enabled("e", False)
    assert json.loads(path.read_text("utf-8")) == {
        "mcpDesktop": {"schemaVersion": 1, "overrides": {"e": {"enabled": False}}}
    }
    assert not open_store(environ=environ).servers["e"].enabled
    with pytest.raises(ConfigError, match="comes from MCP_SERVERS"):
        store.replace_server("e", ECHO)


def test_what_is_shown_after_a_save_is_what_is_read_later(
    open_store: OpenStore, path: Path
) -> None:
    store = open_store('{"mcpServers": {"a": {"url": "https://h/sse"}}}')
    a = store.servers["a"]
    steps: tuple[dict[str, Any], ...] = (
        {"url": "https://h/mcp"},
        {"transport": "http", "headers": {"A": "${T}"}},
        {"transport": "stdio", "command": "x", "cwd": "~", "env": {"N": "1"}, "timeout": 1.5},
        {"timeout": 120.0, "connect_timeout": 5.0, "era": "legacy", "enabled": False},
        {"env": {}, "cwd": None, "enabled": True, "disabled_tools": ("t",)},
    )
    for changes in steps:
        store.replace_server("a", a := store.servers["a"].changed(**changes))
        assert store.servers["a"] == a
        assert open_store().servers["a"] == a


def several(*names: str) -> list[ServerConfig]:
    return [ServerConfig(name=name, transport="stdio", command="x") for name in names]


def test_several_servers_are_added_in_one_save_and_the_file_as_it_was_is_kept(
    open_store: OpenStore, path: Path
) -> None:
    text = '{"mcpServers": {"old": {"command": "o", "theirs": 1}}}'
    store = open_store(text)
    seen: list[list[str]] = []
    store.changed.connect(lambda: seen.append(list(store.servers)))
    backup = store.add_servers(several("a", "b"))
    assert backup == path.with_name("mcp.json.bak")
    assert path.with_name("mcp.json.bak").read_text() == text
    assert seen == [["old", "a", "b"]]
    assert json.loads(path.read_text())["mcpServers"]["old"] == {"command": "o", "theirs": 1}


def test_of_several_servers_all_are_added_or_none(open_store: OpenStore, path: Path) -> None:
    text = '{"mcpServers": {"b": {"command": "o"}}}'
    store = open_store(text)
    with pytest.raises(ConfigError, match='"b" already'):
        store.add_servers(several("a", "b"))
    with pytest.raises(ConfigError, match='"c" already'):
        store.add_servers(several("c", "c"))
    assert path.read_text() == text
    assert [one.name for one in path.parent.iterdir()] == ["mcp.json"]


def test_where_there_was_no_file_none_is_kept(open_store: OpenStore, path: Path) -> None:
    store = open_store()
    assert store.add_servers(several("a")) is None
    assert list(store.servers) == ["a"]
