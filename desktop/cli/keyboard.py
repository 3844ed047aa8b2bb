"""Lines that a person types at the terminal, for whoever asks there; one question at a time.

Must not know what is asked.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.cli.output import Console


def find_keyboard(console: Console) -> Keyboard | None:
    """The terminal's; None where stdin and stderr are none, so that nobody can be asked."""
    return Keyboard(console) if console.terminal.types else None


class Keyboard:
    """The terminal of one command. Hold `turn` from a question to its answer."""

    def __init__(self, console: Console) -> None:
        self._screen = console
        self.turn = asyncio.Lock()

    async def line(self, prompt: str) -> str | None:
        """A line that is typed; None at the end of the input.

        One that is typed after being cancelled is lost: it was not meant for the next question.
        """
        self._screen.ask(prompt)
        try:
            text = await (self._screen.terminal.typed or _read_stdin)()
        finally:
            self._screen.ask("")
        return text.decode(errors="replace") if text else None

    async def choose(self, prompt: str, choices: dict[str, str], otherwise: str) -> str:
        """What the first word that is one of `choices` stands for; `otherwise` at the end."""
        while (line := await self.line(prompt)) is not None:
            if (choice := choices.get(line.strip().lower())) is not None:
                return choice
        return otherwise


async def _read_stdin() -> bytes:
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
    return await typed
