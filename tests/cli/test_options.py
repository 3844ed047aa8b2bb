from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import ConfigError, UsageError
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, exit_of, make_parser, open_store
from desktop.values.tool_types import ErrorCode, ToolError, ToolResult
from tests.cli.terminal import entry

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.terminal import Terminal


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (ErrorCode.TOOL_ERROR, 1),
        (ErrorCode.PROTOCOL, 1),
        (ErrorCode.INTERNAL, 1),
        (ErrorCode.NOT_FOUND, 2),
        (ErrorCode.INVALID_ARGUMENTS, 2),
        (ErrorCode.DENIED, 2),
        (ErrorCode.UNREACHABLE, 3),
        (ErrorCode.TIMEOUT, 4),
        (ErrorCode.CANCELLED, 130),
    ],
)
def test_each_kind_of_failure_has_its_exit_code(code: ErrorCode, expected: int) -> None:
    assert exit_of(ToolResult(success=False, error=ToolError("E", "words", code))) == expected


def test_a_result_without_an_error_is_done() -> None:
    assert exit_of(ToolResult(success=True)) == Exit.DONE == 0


class WordOptions(Options):
    word: str
    more: list[str]


def parse(*args: str) -> WordOptions:
    parser = make_parser("try", "tries things", "notes")
    parser.add_argument("word")
    parser.add_argument("more", nargs="*")
    return parser.parse(list(args), WordOptions())


def test_flags_and_words_may_come_in_any_order() -> None:
    options = parse("--json", "a", "--config", "file", "b", "--data-dir=d", "c", "--verbose")
    assert (options.word, options.more) == ("a", ["b", "c"])
    assert (options.json, options.verbose) == (True, True)
    assert (options.config, options.data_dir) == ("file", "d")


def test_flags_are_off_where_they_are_not_given() -> None:
    options = parse("a")
    assert (options.json, options.verbose, options.config, options.data_dir) == (
        False,
        False,
        None,
        None,
    )


@pytest.mark.parametrize("args", [[], ["a", "--unknown"], ["a", "--conf", "x"], ["a", "--config"]])
def test_wrong_usage_is_an_error_with_the_usage(args: list[str]) -> None:
    with pytest.raises(UsageError) as caught:
        parse(*args)
    assert "usage: mcp-desktop try" in str(caught.value)


def _options(folder: Path) -> Options:
    return Options(config=str(folder / "mcp.json"), data_dir=str(folder / "data"))


def test_the_servers_of_the_file_and_the_built_in_ones_are_there(tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text('{"mcpServers": {"a": {"command": "x"}}}')
    store = open_store(_options(tmp_path))
    assert store.servers["a"].source == "file"
    assert store.servers["calculator"].source == "builtin"
    assert not (tmp_path / "data").exists()


def test_a_broken_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text("{")
    with pytest.raises(ConfigError, match="not valid JSON"):
        open_store(_options(tmp_path))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("no JSON", "MCP_SERVERS: file not found: no JSON"),
        ('[{"command": "x"}]', 'must be an object with a "name"'),
        ('[{"name": "a", "command": "x"}, {"name": "b"}]', 'Server "b"'),
        ('{"b": {"url": "ftp://x"}}', 'Server "b"'),
    ],
)
def test_what_is_refused_of_the_servers_of_the_environment_ends_each_command(
    terminal: Terminal, value: str, words: str
) -> None:
    terminal.environment["MCP_SERVERS"] = value
    for command in (["tools"], ["servers", "--json"], ["call", "time:get_current_time"]):
        done = terminal.run(*command)
        assert done.code == 2, command
        assert words in done.out + done.err


def test_a_list_of_servers_in_the_environment_is_used(terminal: Terminal) -> None:
    terminal.environment["MCP_SERVERS"] = json.dumps([{"name": "plain", **entry("plain")}])
    done = terminal.run("call", "plain:add", "a=1", "b=2")
    assert (done.code, done.out.strip()) == (0, "3")
