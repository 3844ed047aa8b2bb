"""The terminal's side of `ask`: prints what a session emits, and asks for approvals.

The answer goes to stdout, everything else to stderr; `--json` prints one document at the end.
Approvals are asked one after the other and show the exact arguments; where nobody can be asked, the
answer is no. Decides nothing else.
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import asdict

from desktop.base.visible_text import as_sentence, mark_hidden
from desktop.cli.keyboard import Keyboard
from desktop.cli.output import plain, to_json
from desktop.features.chat.agent.events import (
    BuiltinLost,
    BuiltinReconnected,
    CallAnswered,
    CallStarted,
    CallStepped,
    Ended,
    NoticePosted,
    TurnFinished,
    TurnStarted,
)
from desktop.features.chat.agent.limits import NEARLY_FULL_PERCENT
from desktop.features.chat.llm.completion import Retrying, TextDelta
from desktop.tools.approvals import ApprovalResponse

if TYPE_CHECKING:
    from desktop.cli.output import Console
    from desktop.config.providers import Price
    from desktop.features.chat.agent.events import AgentEvent, TurnOutcome
    from desktop.features.models.messages import Usage
    from desktop.tools.approvals import ApprovalPrompter, ApprovalQuestion, Choice

WIDTH = 200
"""Characters of a line about a call where the terminal does not say how wide it is."""


SILENCE = 10.0
"""Seconds between two lines about a model that says nothing."""


class SessionPrinter:
    """What one ask came to, and its lines on the screen."""

    def __init__(self, console: Console) -> None:
        self.outcome: TurnOutcome | None = None
        self._context = 0
        self._screen = console
        self._calls: dict[str, dict[str, Any]] = {}
        self._finished: list[dict[str, Any]] = []
        self._is_line_open = False
        self._silent_since = 0.0

    async def tell_silence(self, pause: float = SILENCE) -> None:
        """Say from time to time for how long the model has said nothing. Never ends."""
        while True:
            await asyncio.sleep(pause)
            if self._silent_since and not self._screen.as_json:
                seconds = time.monotonic() - self._silent_since
                self._note(f"Waiting for the model: {seconds:.0f} s")

    def tell(self, event: AgentEvent) -> None:
        """Takes every event of the session."""
        if isinstance(event, TurnStarted):
            self._silent_since = time.monotonic()
        elif not isinstance(event, Retrying | NoticePosted):
            self._silent_since = 0.0
        match event:
            case TextDelta():
                self._text(plain(event.text))
            case TurnFinished():
                usage = event.message.usage
                self._context = usage.input + usage.output or self._context
                self._end_line()
            case CallStarted():
                self._started(event)
            case CallStepped(step) if step.step in {"validated", "approved"}:
                self._calls[step.call.call_id]["arguments"] = dict(step.call.arguments)
            case CallAnswered():
                self._answered(event)
            case Ended():
                self._end_line()
                self.outcome = event.outcome
            case Retrying() | BuiltinLost() | BuiltinReconnected() | NoticePosted():
                self._note(_words(event))
            case _:
                pass

    def is_full(self, window: int) -> bool:
        """Whether the conversation leaves little or no room in a window, which is 0 if unknown."""
        is_too_long = self.outcome is not None and self.outcome.kind == "context"
        return is_too_long or (bool(window) and 100 * self._context >= window * NEARLY_FULL_PERCENT)

    def summary(self, price: Price | None) -> str:
        """What it took: tokens, calls, and about what they cost; empty where nothing did."""
        if self.outcome is None or not self.outcome.usage.input:
            return ""
        used, count = self.outcome.usage, len(self._finished)
        cached = f" ({used.cached:,} cached)" if used.cached else ""
        parts = [f"{used.input:,} tokens in{cached}, {used.output:,} out"]
        if count:
            parts.append("1 call" if count == 1 else f"{count} calls")
        if price is not None:
            amount = price.figure(used.input, used.output, used.cached)
            parts.append(f"about {amount} {price.currency}")
        return " · ".join(parts)

    def document(self, session: str, price: Price | None = None) -> dict[str, Any]:
        """The one document of `--json`; `cost` is there where the model's `price` is known."""
        outcome = self.outcome
        if outcome is None:
            return {"success": False, "data": None, "error": None}
        is_done = outcome.end == "done" and outcome.stop not in {"refused", "filtered"}
        message = outcome.error or outcome_label(outcome)
        code = outcome.kind or (outcome.stop if outcome.end == "done" else outcome.end)
        return {
            "success": is_done,
            "data": {
                "session": session,
                "text": outcome.text,
                "end": outcome.end,
                "stop": outcome.stop,
                "turns": outcome.turns,
                "usage": asdict(outcome.usage),
                "cost": _cost(outcome.usage, price),
                "calls": self._finished,
            },
            "error": None if is_done else {"type": "Ended", "message": message, "code": code},
        }

    def _text(self, text: str) -> None:
        if text and not self._screen.as_json:
            self._screen.piece(text)
            self._is_line_open = not text.endswith("\n")

    def _end_line(self) -> None:
        if self._is_line_open:
            self._screen.piece("\n")
            self._is_line_open = False

    def _started(self, event: CallStarted) -> None:
        arguments = event.request.arguments
        text = (
            arguments
            if isinstance(arguments, str)
            else json.dumps(dict(arguments), ensure_ascii=False)
        )
        name = event.key or event.request.wire_name
        self._calls[event.call_id] = {"tool": name, "arguments": arguments}
        self._line(f"> {name} {text}")

    def _answered(self, event: CallAnswered) -> None:
        result = event.answer.result
        call = self._calls.pop(event.answer.call_id, {"tool": event.answer.wire_name})
        self._finished.append({**call, **result.to_json()})
        text = f"failed: {result.error.message}" if result.error is not None else result.output
        self._line(f"< {call['tool']} {text or '(nothing to read)'}")

    def _line(self, text: str) -> None:
        """About a call, in one line: what a server or a model wrote may have many."""
        width = (self._screen.width or WIDTH) - 1
        line = " ".join(plain(text[: 4 * width]).split())
        self._note(line if len(line) <= width else f"{line[: width - 1]}…")

    def _note(self, text: str) -> None:
        self._end_line()
        self._screen.note(plain(text))


def _cost(usage: Usage, price: Price | None) -> dict[str, Any] | None:
    if price is None:
        return None
    amount = price.of(usage.input, usage.output, usage.cached)
    return {"amount": round(amount, 6), "currency": price.currency}


def outcome_label(outcome: TurnOutcome) -> str:
    """A sentence for an end that is not what was hoped for; empty for a good one."""
    if outcome.error:
        return outcome.error
    if outcome.end == "stopped":
        return "Stopped."
    return {
        "length": "The answer was cut off at the length limit.",
        "refused": "The model declined to answer.",
        "filtered": "The provider's content filter blocked the answer.",
    }.get(outcome.stop, "")


def _words(event: Retrying | BuiltinLost | BuiltinReconnected | NoticePosted) -> str:
    match event:
        case Retrying():
            return f"{as_sentence(event.reason)} Trying again in {max(1, event.seconds):.0f} s."
        case BuiltinLost():
            then = "it is restarting" if event.restarting else "the session continues without it"
            return f"The built-in server {event.name} stopped, {then}: {event.error}"
        case BuiltinReconnected():
            return f"The built-in server {event.name} is running again."
        case NoticePosted():
            return event.sentence


NOBODY: Final = "There is no terminal to ask on."
_CHOICES: Final[dict[str, Choice]] = {
    "y": "once",
    "yes": "once",
    "a": "always",
    "always": "always",
    "n": "deny",
    "no": "deny",
    "": "deny",
    "never": "never",
}


def choose_prompter(console: Console, keyboard: Keyboard | None, *, yes: bool) -> ApprovalPrompter:
    """Who is asked: nobody with `--yes`, the person where there is a terminal, else it is no."""
    if yes:
        return ApproveAll()
    return TerminalPrompter(console, keyboard) if keyboard is not None else DenyAll(console)


class ApproveAll:
    """Allows each call, and remembers none."""

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        return ApprovalResponse("once")


class DenyAll:
    """Refuses each call, and says how to allow it."""

    def __init__(self, console: Console) -> None:
        self._screen = console

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        self._screen.note(
            f"{mark_hidden(question.definition.key)} was not run: there is no terminal to ask on. "
            "Use --yes to approve every call."
        )
        return ApprovalResponse("deny", reason=NOBODY)


class TerminalPrompter:
    """Whoever sits at the terminal."""

    def __init__(self, console: Console, keyboard: Keyboard | None = None) -> None:
        """Args: keyboard: what others ask on, too; without it, one that is nobody else's."""
        self._screen = console
        self._keyboard = keyboard or Keyboard(console)

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        async with self._keyboard.turn:
            self._show(question)
            choices = "y, n, always, never" if question.can_always else "y, n, never"
            while True:
                line = await self._keyboard.line(f"Run it? ({choices}) ")
                if line is None:
                    return ApprovalResponse("deny", reason=NOBODY)
                choice = _CHOICES.get(line.strip().lower())
                if choice is not None and (choice != "always" or question.can_always):
                    return ApprovalResponse(choice)

    def _show(self, question: ApprovalQuestion) -> None:
        key = mark_hidden(question.definition.key)
        arguments = plain(to_json(dict(question.arguments)))
        self._screen.note(f"\nThe model wants to call {key} with\n{arguments}")
        if (change := question.change) is not None:
            what = "would write the new file" if change.is_new else "would change"
            self._screen.note(f"It {what} {mark_hidden(change.path)}\n{plain(change.difference)}")
        if question.difference:
            words = "This tool has changed since you allowed it:"
            self._screen.note(f"{words}\n{plain(question.difference)}")
