"""What servers ask is asked at the terminal, whole and with the server's name, or declined."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.errors import DesktopError
from desktop.base.tasks import spawn
from desktop.cli.keyboard import Keyboard
from desktop.cli.output import Console
from desktop.cli.request_terminal import BY_HAND, MAX_SHOWN, RequestTerminal
from desktop.config.imports.dangers import address_dangers
from desktop.servers.requests import (
    Accepted,
    Declined,
    Dismissed,
    ElicitationRequest,
    SamplingAnswer,
    SamplingMessage,
    SamplingRequest,
    ServerRequests,
    ToolOutcome,
    ToolUse,
    UrlElicitationRequest,
)
from desktop.tools.validation import find_misfits
from desktop.values.tool_types import Content, ToolDefinition
from tests.cli.terminal import entry, typed
from tests.patience import LIMIT

if TYPE_CHECKING:
    from desktop.servers.requests import Answer, Request
    from tests.cli.terminal import Terminal

ALL_FIELDS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Your name", "minLength": 2},
        "age": {"type": "integer", "minimum": 0},
        "size": {"type": "number", "default": 1.5},
        "tick": {"type": "boolean", "default": True},
        "colour": {"type": "string", "enum": ["r", "g"], "enumNames": ["red", "green"]},
        "days": {"type": "array", "items": {"type": "string", "enum": ["mo", "tu"]}},
    },
    "required": ["name"],
}
FORM = ElicitationRequest("Who are you?", ALL_FIELDS)
POEM = SamplingRequest((SamplingMessage("user", (Content("text", "a poem"),)),), 100)
HELLO = SamplingAnswer((Content("text", "hello"),), "m")


class Model:
    """A model that answers, or fails, when it is asked."""

    def __init__(self, error: DesktopError | None = None) -> None:
        self.error = error
        self.asked: list[SamplingRequest] = []

    def propose(self, request: SamplingRequest) -> str:
        return "m of mine"

    async def answer(self, request: SamplingRequest) -> SamplingAnswer:
        self.asked.append(request)
        if self.error is not None:
            raise self.error
        return HELLO


async def ask(
    monkeypatch: pytest.MonkeyPatch, request: Request, text: str, model: Model | None = None
) -> Answer:
    """The answer of a person who types `text`."""
    console = Console()
    requests = ServerRequests(find_misfits)
    person = RequestTerminal(console, requests, Keyboard(console), sampler=model)
    try:
        with typed(monkeypatch, text):
            async with asyncio.timeout(LIMIT):
                return await requests.ask("weather", request)
    finally:
        await person.close()
        requests.close()


async def test_a_form_is_asked_field_by_field_and_shown_before_it_is_sent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "y\nA\nAda\n-1\n36\n\n\nb\ng\nmo, tu\ny\n"
    answer = await ask(monkeypatch, FORM, text)
    content = {
        "name": "Ada",
        "age": 36,
        "size": 1.5,
        "tick": True,
        "colour": "g",
        "days": ["mo", "tu"],
    }
    assert answer == Accepted(content)
    shown = capsys.readouterr().err
    assert "Request from weather:\nWho are you?" in shown
    assert shown.count("name (Your name) [string]: ") == 2, "one that does not fit is asked again"
    assert shown.count("age [integer; Enter: skip]: ") == 2
    assert "size [number; Enter: 1.5]: " in shown
    assert "colour [one of r (red), g (green); Enter: skip]: " in shown
    assert "days [some of mo, tu, with commas between; Enter: skip]: " in shown
    assert json.dumps(content, indent=2) in shown


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("n\n", Declined()),
        ("c\n", Dismissed()),
        ("what?\nn\n", Declined()),
        ("\x04", Dismissed()),
        ("y\n\x04", Dismissed()),
        ("y\nAda\n\n\n\n\n\nn\n", Declined()),
        ("y\n\nAda\n\n\nno\n\n\nyes\n", Accepted({"name": "Ada", "size": 1.5, "tick": False})),
    ],
)
async def test_a_form_can_be_left_at_any_time(
    monkeypatch: pytest.MonkeyPatch, text: str, answer: Answer
) -> None:
    assert await ask(monkeypatch, FORM, text) == answer


async def test_a_form_that_seems_to_ask_for_a_secret_is_warned_of_and_obeyed_by_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    schema = {"type": "object", "properties": {"password": {"type": "string"}}}
    form = ElicitationRequest("\x1b[2Jlog in", schema, ("password",))
    await ask(monkeypatch, form, "n\n")
    shown = capsys.readouterr().err
    assert "Warning: password looks like a secret." in shown
    assert "\x1b[2J" not in shown


@pytest.mark.parametrize(
    ("text", "answer"), [("y\n", Accepted()), ("n\n", Declined()), ("c\n", Dismissed())]
)
async def test_an_address_is_shown_whole_with_its_host_and_its_dangers(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    text: str,
    answer: Answer,
) -> None:
    address = f"http://bank.com.evil.example/{'x' * 3_000}"
    dangers = tuple(address_dangers("url", address))
    url = UrlElicitationRequest("Sign in", address, host="bank.com.evil.example", dangers=dangers)
    assert await ask(monkeypatch, url, text) == answer
    shown = capsys.readouterr().err
    assert address in shown
    assert "Visit bank.com.evil.example:" in shown
    assert "looks like another address" in shown
    assert "is not encrypted" in shown


async def test_a_prompt_is_shown_whole_and_its_answer_before_it_is_sent(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prompt = SamplingRequest(
        (
            SamplingMessage("user", (Content("text", "add"), Content("image", data=b"x"))),
            SamplingMessage("assistant", (ToolUse("1", "sum", {"a": 1}),)),
            SamplingMessage("user", (ToolOutcome("1", (Content("text", "one"),)),)),
        ),
        100,
        system="Be brief.",
        hints=("small",),
        tools=(ToolDefinition("weather", "sum"),),
        context="allServers",
    )
    model = Model()
    assert await ask(monkeypatch, prompt, "y\ny\n", model) == HELLO
    assert model.asked == [prompt]
    shown = capsys.readouterr().err
    for words in (
        "[system] Be brief.",
        "[user] add\n",
        "[user] [image: , 1 bytes]",
        '[assistant] calls sum {"a": 1}',
        "[user] gets one",
        "at most 100 tokens; preferred: small; with the tools sum; it also requests",
        "(y: ask m of mine, t: type the answer, n, c: cancel)",
        "hello\nSend this answer?",
    ):
        assert words in shown


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("n\n", Declined()),
        ("c\n", Dismissed()),
        ("\x04", Dismissed()),
        ("t\nroses\n", SamplingAnswer((Content("text", "roses"),), BY_HAND)),
        ("t\n\n", Dismissed()),
        ("y\nn\n", Declined()),
    ],
)
async def test_a_prompt_can_be_declined_or_answered_by_hand_without_a_model(
    monkeypatch: pytest.MonkeyPatch, text: str, answer: Answer
) -> None:
    model = Model()
    assert await ask(monkeypatch, POEM, text, model) == answer
    assert bool(model.asked) is text.startswith("y")


async def test_without_a_provider_yes_is_no_choice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await ask(monkeypatch, POEM, "y\nn\n") == Declined()
    assert capsys.readouterr().err.count("Allow? (t: type the answer, n, c: cancel)") == 2


async def test_a_model_that_fails_declines_with_the_reason_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model = Model(DesktopError("The key is wrong."))
    assert await ask(monkeypatch, POEM, "y\n", model) == Declined("the model gave no answer")
    assert "The key is wrong." in capsys.readouterr().err


async def test_a_prompt_too_long_to_be_read_is_cut_where_it_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prompt = SamplingRequest((SamplingMessage("user", (Content("text", "x" * 100_000),)),), 9)
    await ask(monkeypatch, prompt, "n\n")
    shown = capsys.readouterr().err
    assert "more characters are not shown" in shown
    assert len(shown) < MAX_SHOWN + 1_000


async def test_a_request_that_is_withdrawn_is_asked_no_more_and_the_next_one_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    console = Console()
    requests = ServerRequests(find_misfits)
    person = RequestTerminal(console, requests, Keyboard(console))
    with typed(monkeypatch, ""):
        first = spawn(requests.ask("one", FORM), "1")
        second = spawn(requests.ask("two", FORM), "2")
        for _ in range(5):
            await asyncio.sleep(0)
        assert "Request from one" in (shown := capsys.readouterr().err)
        assert "Request from two" not in shown
        first.cancel()
        for _ in range(10):
            await asyncio.sleep(0)
        shown = capsys.readouterr().err
        assert "one no longer waits for an answer." in shown
        assert "Request from two" in shown
        second.cancel()
        await asyncio.wait({second})
    await person.close()
    requests.close()


# --- real runs ------------------------------------------------------------------------------------


def asking(terminal: Terminal) -> list[str]:
    terminal.configure(asks=entry("asks_client", era="legacy"))
    form = {"message": "Who are you?", "requestedSchema": ALL_FIELDS}
    return ["call", "asks:ask", "method=elicitation/create", f"params:={json.dumps(form)}"]


def test_a_form_is_answered_by_what_is_typed_at_the_terminal(terminal: Terminal) -> None:
    code, shown = terminal.type("y\nAda\n\n\n\n\n\ny\n", *asking(terminal))
    assert code == 0
    assert "Request from asks:" in shown
    assert '"action": "accept"' in shown


def test_without_a_terminal_a_form_is_declined_with_a_word_and_the_call_goes_on(
    terminal: Terminal,
) -> None:
    done = terminal.run(*asking(terminal), "count:=1000")
    assert done.code == 0
    assert json.loads(done.out) == [{"action": "decline"}] * 1000
    assert done.err == (
        "asks requested a form. Declined: there is no terminal to ask on. "
        "Answer forms with --elicit JSON.\n"
    )


def test_a_form_is_answered_by_an_option_that_may_be_a_file(terminal: Terminal) -> None:
    file = terminal.folder / "answer.json"
    file.write_text('{"name": "Ada"}', encoding="utf-8")
    done = terminal.run(*asking(terminal), "--elicit", f"@{file}")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == [{"action": "accept", "content": {"name": "Ada"}}]


def test_an_option_that_does_not_fit_is_not_sent_and_ends_with_2(terminal: Terminal) -> None:
    done = terminal.run(*asking(terminal), "--elicit", '{"name": 1, "more": 2}', "--json")
    assert done.code == 2
    assert json.loads(done.document["data"]["output"]) == [{"action": "decline"}]
    assert "--elicit does not match the form from asks: more: was not requested; name: " in done.err


def test_saved_calls_are_answered_by_the_option_too(terminal: Terminal) -> None:
    form = {"message": "Who are you?", "requestedSchema": ALL_FIELDS}
    asked = {"method": "elicitation/create", "params": form}
    saved = {"name": "asks", "tool": "asks:ask", "arguments": asked}
    file = terminal.folder / "call.json"
    file.write_text(json.dumps(saved | {"expect": {"contains": "Ada"}}), encoding="utf-8")
    asking(terminal)
    assert terminal.run("test", str(file), "--elicit", '{"name": "Ada"}').code == 0
    done = terminal.run("test", str(file), "--elicit", "{}")
    assert (done.code, "--elicit does not match" in done.err) == (2, True)


def test_an_option_that_is_no_object_starts_nothing(terminal: Terminal) -> None:
    done = terminal.run(*asking(terminal), "--elicit", "[]")
    assert done.code == 2
    assert "--elicit must be a JSON object" in done.err
    assert terminal.server_log("asks") == ""
