"""Asks the person at the terminal whether a call may be sent, one question after the other.

Shows the exact arguments. Where nobody can be asked the answer is no. Must not decide anything
else.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from desktop.agent.events import ApprovalResponse
from desktop.cli.screen import plain, to_json

if TYPE_CHECKING:
    from desktop.agent.events import ApprovalPrompter, ApprovalQuestion, Choice
    from desktop.cli.screen import Console

NOBODY: Final = "Nobody could be asked: there is no terminal."
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


def choose_asker(screen: Console, *, yes: bool) -> ApprovalPrompter:
    """Who is asked: nobody with `--yes`, the person where there is a terminal, else it is no."""
    if yes:
        return ApproveAll()
    return TerminalPrompter(screen) if _is_person_there() else DenyAll(screen)


class ApproveAll:
    """Allows each call, and remembers none."""

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        return ApprovalResponse("once")


class DenyAll:
    """Refuses each call, and says how to allow it."""

    def __init__(self, screen: Console) -> None:
        self._screen = screen

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        self._screen.note(
            f"{plain(question.definition.key)} was not run: there is no terminal to ask on. "
            "--yes allows every call."
        )
        return ApprovalResponse("deny", reason=NOBODY)


class TerminalPrompter:
    """Whoever sits at the terminal."""

    def __init__(self, screen: Console) -> None:
        self._screen = screen
        self._turn = asyncio.Lock()

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        async with self._turn:
            self._show(question)
            choices = "y, n, always, never" if question.can_always else "y, n, never"
            while True:
                line = await self._line(f"Run it? ({choices}) ")
                if line is None:
                    return ApprovalResponse("deny", reason=NOBODY)
                choice = _CHOICES.get(line.strip().lower())
                if choice is not None and (choice != "always" or question.can_always):
                    return ApprovalResponse(choice)

    def _show(self, question: ApprovalQuestion) -> None:
        key = plain(question.definition.key)
        arguments = plain(to_json(dict(question.arguments)))
        self._screen.note(f"\nThe model wants to call {key} with\n{arguments}")
        if question.difference:
            words = "You allowed this tool, but it is another one now:"
            self._screen.note(f"{words}\n{plain(question.difference)}")

    async def _line(self, prompt: str) -> str | None:
        """A line that is typed; None at the end of the input."""
        self._screen.ask(prompt)
        loop = asyncio.get_running_loop()
        typed: asyncio.Future[bytes] = loop.create_future()

        def hand_over(text: bytes) -> None:
            if not typed.done():
                typed.set_result(text)

        def read() -> None:
            try:
                # Not sys.stdin: its lock would be held when the interpreter ends.
                text = os.read(sys.stdin.fileno(), 65536)
            except OSError:
                text = b""
            with suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(hand_over, text)

        # A thread that may wait for ever: nothing waits for it at the end.
        threading.Thread(target=read, name="terminal", daemon=True).start()
        try:
            text = await typed
        finally:
            self._screen.ask("")
        return text.decode(errors="replace") if text else None


def _is_person_there() -> bool:
    try:
        return sys.stdin.isatty() and sys.stderr.isatty()
    except (AttributeError, ValueError):  # closed, or never there
        return False
