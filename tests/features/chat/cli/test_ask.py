"""`mcp-desktop ask` against a provider of our own, over each of the four wires."""

from __future__ import annotations

import json
import signal
import sys
from typing import TYPE_CHECKING, Any

import pytest

from desktop.cli.exit_codes import Exit
from desktop.cli.main import run_command
from desktop.features.chat.agent.events import TurnOutcome
from desktop.features.chat.cli.ask import exit_of, read_options
from desktop.features.models.formats import ApiFormat
from tests.cli.terminal import entry, names_below, servers_of
from tests.faults.population import GONE_LIMIT
from tests.features.models.loopback.script import Script, failing, held, turn
from tests.features.models.loopback.server import Loopback
from tests.processes.guarded_app import gone_within

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.cli.terminal import Terminal
    from tests.features.models.loopback.exchange import Turn

KINDS: dict[ApiFormat, dict[str, str]] = {
    ApiFormat.OPENAI: {"kind": "openai", "api": "chat"},
    ApiFormat.OPENAI_RESPONSES: {"kind": "openai", "api": "responses"},
    ApiFormat.ANTHROPIC: {"kind": "anthropic"},
    ApiFormat.GEMINI: {"kind": "gemini"},
}
EVALUATE = ("calculator__evaluate", {"expression": "6*7"})
SUM: list[Turn] = [turn("Let me see.", [EVALUATE]), turn("It is 42.")]


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


def configure(
    terminal: Terminal, loopback: Loopback, wire: ApiFormat = ApiFormat.OPENAI, **servers: Any
) -> None:
    """The loopback as the only provider, with a key in the environment."""
    mine = {"baseUrl": loopback.base_url(wire), "model": "model-x", **KINDS[wire]}
    document = {"mcpServers": servers, "mcpDesktop": {"providers": {"mine": mine}}}
    terminal.config.write_text(json.dumps(document), encoding="utf-8")
    terminal.environment["MINE_API_KEY"] = "sk-secret-0123456789"


def play(loopback: Loopback, *turns: Any) -> Script:
    script = Script(list(turns))
    loopback.play(script)
    return script


def sessions(terminal: Terminal) -> list[str]:
    return sorted(path.stem for path in (terminal.folder / "data" / "sessions").glob("*.jsonl"))


@pytest.mark.parametrize("wire", list(KINDS))
def test_the_model_calls_a_tool_and_its_answer_is_printed(
    terminal: Terminal, loopback: Loopback, wire: ApiFormat
) -> None:
    configure(terminal, loopback, wire)
    script = play(loopback, *SUM)
    done = terminal.run("ask", "What is 6*7?", "--builtin", "calculator", "--yes")
    assert (done.code, done.out) == (Exit.DONE, "Let me see.\nIt is 42.\n"), done.err
    assert '> calculator:evaluate {"expression": "6*7"}' in done.err
    assert "< calculator:evaluate 42" in done.err
    assert "42" in json.dumps(script.requests[1].body)
    assert f"session {sessions(terminal)[0]}" in done.err
    assert "sk-secret" not in done.err


def test_the_tools_of_servers_are_offered_as_chosen_and_no_terminal_obeys_what_is_said(
    terminal: Terminal, loopback: Loopback
) -> None:
    configure(terminal, loopback, one=entry("plain"), two=entry("plain"))
    bell = ("mcp__two__echo", {"message": "\x1b]0;owned\x07\nsecond"})
    script = play(loopback, turn("\x1b[31mred\x07", [bell]), turn("ok"), turn("none"))
    done = terminal.run("ask", "hi", "--yes", "--server", "two")
    assert (done.code, done.out) == (Exit.DONE, "[31mred\nok\n"), done.err
    assert "< two:echo ]0;owned second" in done.err
    assert "\x1b" not in done.err
    assert "\x07" not in done.err
    assert terminal.run("ask", "hi", "--no-servers").out == "none\n"
    offered = [
        {one["function"]["name"].split("__")[1] for one in request.body.get("tools", [])}
        for request in script.requests
    ]
    own = "read_result"
    assert offered == [{"two", own}, {"two", own}, set()]


def test_a_conversation_goes_on_with_all_that_was_said(
    terminal: Terminal, loopback: Loopback
) -> None:
    configure(terminal, loopback)
    script = play(loopback, *SUM, turn("It was 42."), turn("Still."))
    words = ("--builtin", "calculator", "--yes", "--system", "Be brief.", "--json")
    document = terminal.run("ask", "What is 6*7?", *words).document
    (session,) = sessions(terminal)
    (call,) = document["data"]["calls"]
    assert (document["success"], document["error"]) == (True, None)
    assert (document["data"]["text"], document["data"]["turns"]) == ("It is 42.", 2)
    assert document["data"]["session"] == session
    assert (call["tool"], call["arguments"]) == ("calculator:evaluate", {"expression": "6*7"})
    assert call["data"]["output"] == "42"
    done = terminal.run("ask", "What was it?", "--session", session)
    assert (done.code, done.out) == (Exit.DONE, "It was 42.\n"), done.err
    done = terminal.run("ask", "Sure?", "--session", "last")
    assert done.out == "Still.\n"
    assert sessions(terminal) == [session]
    said = json.dumps(script.requests[3].body)
    for text in ("Be brief.", "What is 6*7?", "Let me see.", "It was 42.", "Sure?"):
        assert text in said
    assert "calculator__evaluate" in json.dumps(script.requests[3].body["tools"])


def test_a_conversation_that_fills_the_window_goes_on_with_a_summary(
    terminal: Terminal, loopback: Loopback
) -> None:
    configure(terminal, loopback)
    written = json.loads(terminal.config.read_text(encoding="utf-8"))
    written["mcpDesktop"]["providers"]["mine"]["contextWindow"] = 8
    terminal.config.write_text(json.dumps(written), encoding="utf-8")
    script = play(loopback, turn("Paris."), failing(401, "no"), turn("France: Paris."), turn("No."))
    done = terminal.run("ask", "Its capital?", "--no-servers", "--system", "Be brief.")
    assert "nearly fills the window of the model: --with-summary" in done.err
    words = ("ask", "And now?", "--session", "last", "--with-summary", "--no-servers", "--json")
    failed = terminal.run(*words)
    assert (failed.code, failed.document["error"]["code"]) == (Exit.USAGE, "key"), failed.err
    (first,) = sessions(terminal)
    assert failed.document["data"]["session"] == first
    document = terminal.run(*words).document
    (second,) = set(sessions(terminal)) - {first}
    assert document["data"]["session"] == second
    asked = json.dumps(script.requests[3].body)
    assert "What is known of it:\\n\\nFrance: Paris.\\n\\nAnd now?" in asked
    assert "Be brief." in asked
    assert "Its capital?" not in asked


def test_what_it_took_is_told_in_a_line_and_in_the_document(
    terminal: Terminal, loopback: Loopback
) -> None:
    configure(terminal, loopback)
    play(loopback, *SUM, *SUM)
    words = ("ask", "What is 6*7?", "--builtin", "calculator", "--yes")
    line = "20 tokens in (4 cached), 10 out · 1 call"
    assert f"{line}\nsession " in terminal.run(*words).err
    written = json.loads(terminal.config.read_text(encoding="utf-8"))
    written["mcpDesktop"]["providers"]["mine"]["price"] = {"input": 3, "output": 15, "cached": 0.3}
    terminal.config.write_text(json.dumps(written), encoding="utf-8")
    document = terminal.run(*words, "--json").document
    assert document["data"]["cost"] == {"amount": 0.000199, "currency": "USD"}
    play(loopback, turn("Hello."))
    said = "10 tokens in (2 cached), 5 out · about 0.0001 USD"
    assert said in terminal.run("ask", "hi", "--no-servers").err


def test_without_a_terminal_a_call_is_refused_and_said(
    terminal: Terminal, loopback: Loopback
) -> None:
    configure(terminal, loopback)
    script = play(loopback, *SUM)
    done = terminal.run("ask", "-", "--builtin", "calculator", stdin="What is this sum?")
    assert done.code == Exit.DONE, done.err
    assert "calculator:evaluate was not run: there is no terminal" in done.err
    assert "--yes" in done.err
    assert "What is this sum?" in json.dumps(script.requests[0].body)
    assert "There is no terminal to ask on" in json.dumps(script.requests[1].body)


def test_a_person_at_the_terminal_is_asked_and_always_is_remembered(
    terminal: Terminal, loopback: Loopback
) -> None:
    configure(terminal, loopback)
    script = play(loopback, turn("", [EVALUATE, EVALUATE]), turn("It is 42."), *SUM)
    words = ("ask", "6*7?", "--builtin", "calculator")
    code, shown = terminal.type("what?\nn\nalways\n", *words)
    assert code == Exit.DONE, shown
    assert "The model wants to call calculator:evaluate with" in shown
    assert '"expression": "6*7"' in shown
    assert shown.count("Run it? (y, n, always, never)") >= 3
    assert "It is 42." in shown
    assert "The person refused this call." in json.dumps(script.requests[1].body)
    assert "< calculator:evaluate 42" in terminal.run(*words).err


def test_the_turns_are_limited(terminal: Terminal, loopback: Loopback) -> None:
    configure(terminal, loopback)
    play(loopback, *SUM)
    words = ("--builtin", "calculator", "--yes", "--max-turns", "1", "--json")
    done = terminal.run("ask", "6*7?", *words)
    assert done.code == Exit.TOOL_ERROR
    assert done.document["error"]["code"] == "turns"
    assert "limit of 1 turns" in done.document["error"]["message"]


def test_the_time_is_limited(terminal: Terminal, loopback: Loopback) -> None:
    configure(terminal, loopback)
    play(loopback, held(turn("Never whole"), 2))
    done = terminal.run("ask", "hi", "--timeout", "1")
    assert done.code == Exit.TIMEOUT
    assert "(1 s) is over" in done.err


def test_an_interruption_cancels_the_call_and_keeps_what_was_said(
    terminal: Terminal, loopback: Loopback
) -> None:
    configure(terminal, loopback, one=entry("plain"))
    play(loopback, turn("I wait.", [("mcp__one__slow", {"seconds": 60, "steps": 600})]))
    process = terminal.start("ask", "wait", "--yes", "--json")
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("> one:slow"):
            break
    servers = servers_of(process)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == Exit.INTERRUPTED
    document = json.loads(out)
    assert document["data"]["end"] == "stopped"
    assert document["data"]["calls"][0]["error"]["code"] == "cancelled"
    assert [server for server in servers if server.is_running()] == []
    assert len(sessions(terminal)) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="a guardian is Linux's")
def test_a_kill_in_the_middle_of_calls_leaves_nothing(
    terminal: Terminal, loopback: Loopback
) -> None:
    configure(terminal, loopback, one=entry("plain"))
    away = "env -i setsid sleep 60 & sleep 60"
    both = [("mcp__one__slow", {"seconds": 60}), ("shell__run_command", {"command": away})]
    play(loopback, turn("I wait.", both))
    process = terminal.start("ask", "wait", "--yes", "--builtin", "shell")
    while "sleep" not in names_below(process):
        assert process.poll() is None
    below = servers_of(process)
    process.kill()
    process.communicate()
    assert gone_within(GONE_LIMIT, below)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ask"], "required"),
        (["ask", " "], "The prompt is empty."),
        (["ask", "x", "--provider", "nobody"], "No provider is named 'nobody'."),
        (["ask", "x", "--provider", "openai"], "No model is chosen for openai."),
        (["ask", "x", "--builtin", "nothing"], "No built-in or local server is named 'nothing'."),
        (["ask", "x", "--builtin", "filesystem"], "was given nothing that it may use."),
        (["ask", "x", "--server", "nothing"], "No server is named 'nothing'."),
        (["ask", "x", "--session", "../x"], "'../x' is no session."),
        (["ask", "x", "--session", "last"], "No conversation to continue."),
        (["ask", "x", "--max-turns", "0"], "--max-turns must be 1 or more."),
        (["ask", "x", "--timeout", "nan"], "--timeout must be more than 0 seconds."),
        (["ask", "x", "--server", "a", "--no-servers"], "exclude each other"),
        (["ask", "x", "--session", "last", "--builtin", "time"], "keeps its built-in servers"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_started(
    terminal: Terminal,
    loopback: Loopback,
    words: list[str],
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    configure(terminal, loopback)
    for name, value in terminal.environment.items():
        monkeypatch.setenv(name, value)
    assert run_command(words) == Exit.USAGE
    assert said in capsys.readouterr().err


def test_without_a_key_it_is_said_what_to_do(terminal: Terminal) -> None:
    for name in [name for name in terminal.environment if name.endswith("_API_KEY")]:
        del terminal.environment[name]
    terminal.environment["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"
    done = terminal.run("ask", "hi", "--provider", "openai", "--model", "m", "--json")
    assert done.code == Exit.USAGE
    assert done.document["error"]["code"] == "key"
    assert "OPENAI_API_KEY" in done.document["error"]["message"]


def test_a_provider_that_refuses_or_is_not_there_is_an_error_with_its_code(
    terminal: Terminal, loopback: Loopback
) -> None:
    configure(terminal, loopback)
    play(loopback, failing(400, "no such model"))
    done = terminal.run("ask", "hi", "--json")
    assert done.code == Exit.TOOL_ERROR
    assert done.document["error"]["code"] == "request"
    assert "no such model" in done.document["error"]["message"]


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        (TurnOutcome("done"), Exit.DONE),
        (TurnOutcome("done", stop="length"), Exit.DONE),
        (TurnOutcome("done", stop="refused"), Exit.TOOL_ERROR),
        (TurnOutcome("stopped"), Exit.INTERRUPTED),
        (TurnOutcome("limit", kind="time"), Exit.TIMEOUT),
        (TurnOutcome("limit", kind="turns"), Exit.TOOL_ERROR),
        (TurnOutcome("failed", kind="key"), Exit.USAGE),
        (TurnOutcome("failed", kind="connection"), Exit.UNREACHABLE),
        (TurnOutcome("failed", kind="timeout"), Exit.TIMEOUT),
        (TurnOutcome("failed", kind="overloaded"), Exit.TOOL_ERROR),
    ],
)
def test_how_it_ended_is_the_exit_code(outcome: TurnOutcome, code: Exit) -> None:
    assert exit_of(outcome) == code


@pytest.mark.parametrize(
    ("words", "builtin", "server"),
    [
        (["--builtin", "calculator", "What is it?"], ["calculator"], []),
        (["--server", "a", "b", "What is it?"], [], ["a", "b"]),
        (["What is it?", "--builtin", "calculator", "time"], ["calculator", "time"], []),
        (["--builtin", "calculator", "--yes", "What is it?"], ["calculator"], []),
    ],
)
def test_a_question_behind_names_is_no_name(
    words: list[str], builtin: list[str], server: list[str]
) -> None:
    options = read_options(words)
    assert (options.prompt, options.builtin, options.server_names) == (
        "What is it?",
        builtin,
        server,
    )
