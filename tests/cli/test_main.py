from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from desktop import __version__
from desktop.cli.commands import COMMANDS
from desktop.cli.main import run_command
from tests.cli.terminal import entry

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal

EVERY_COMMAND = [
    ["servers"],
    ["tools"],
    ["call", "plain:echo"],
    ["doctor"],
    ["doctor", "plain"],
    [],
]


@pytest.mark.skipif(sys.platform == "win32", reason="it always has a display")
def test_without_a_command_and_a_display_it_shows_the_servers_and_how_to_get_the_window(
    terminal: Terminal,
) -> None:
    terminal.configure(plain=entry("plain"))
    terminal.environment["SSH_CONNECTION"] = "from elsewhere"  # where macOS shows no window
    done = terminal.run()
    assert done.code == 0
    assert "plain" in done.out
    assert "connected" in done.out
    assert "xvfb-run" in done.err


def test_help_lists_every_command_the_exit_codes_and_examples(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run_command(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name}" in shown for name in COMMANDS)
    assert "130 interrupted" in shown
    assert "mcp-desktop call everything:get-sum a=1 b=2" in shown


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_its_own_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: mcp-desktop {command} ")
    assert "example" in shown
    assert all(flag in shown for flag in ("--json", "--config FILE", "--data-dir DIR", "--verbose"))


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command(["--version"]) == 0
    assert capsys.readouterr().out == f"mcp-desktop {__version__}\n"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["serverz"], "Did you mean servers?"),
        (["\x1b[2Jxyz"], "Available: servers, tools, call"),
        (["servers", "--nonsense"], "--nonsense"),
        (["--nonsense"], "--nonsense"),
        (["servers", "word"], "word"),
        (["call"], "TOOL"),
        (["builtin", "x", "y"], "y"),
    ],
)
def test_wrong_usage_is_2_with_a_sentence_and_a_document_where_one_is_asked_for(
    args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(args) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert said in shown.err
    assert "\x1b" not in shown.err
    assert run_command(["--json", *args]) == 2
    answer = json.loads(capsys.readouterr().out)
    assert answer["error"]["code"] == "usage"
    assert said in answer["error"]["message"]


def test_a_wrong_command_of_a_real_run_is_2_without_a_traceback(terminal: Terminal) -> None:
    done = terminal.run("serverz", "--json")
    assert (done.code, done.document["success"]) == (2, False)
    assert "Traceback" not in done.err


@pytest.mark.parametrize("args", EVERY_COMMAND)
def test_a_broken_config_is_2_with_line_and_column_and_stays_as_it_is(
    args: list[str], terminal: Terminal
) -> None:
    broken = b'{\n  "mcpServers": {\n    "plain": {"command" "x"}\n  }\n}\n'
    terminal.config.write_bytes(broken)
    done = terminal.run(*args, "--json")
    assert done.code == 2
    error = done.document["error"]
    assert (error["code"], error["line"]) == ("invalid_config", 3)
    assert error["column"] > 1
    assert f"line 3, column {error['column']}" in done.err
    assert terminal.config.read_bytes() == broken
    assert [file.name for file in terminal.config.parent.glob("mcp.json*")] == ["mcp.json"]


def test_the_places_are_read_from_flags_before_and_after_the_command(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    other = terminal.folder / "other.json"
    terminal.config.rename(other)
    data = terminal.folder / "elsewhere"
    call = ("plain:echo", "message=hi")
    assert terminal.run("call", *call).code == 2
    before = terminal.run("--config", str(other), "--data-dir", str(data), "call", *call)
    after = terminal.run("call", f"--config={other}", *call, "--data-dir", str(data))
    assert (before.code, before.out) == (after.code, after.out) == (0, "hi\n")
    assert data.is_dir()


def test_verbose_tells_on_stderr_what_happens_and_leaves_stdout_alone(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain"))
    quiet = terminal.run("call", "plain:echo", "message=hi")
    loud = terminal.run("--verbose", "call", "plain:echo", "message=hi", "--json")
    assert quiet.err == ""
    assert loud.document["success"] is True
