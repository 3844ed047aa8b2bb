"""The file of one session, JSON Lines: a line a message, only ever appended to.

A kill loses at most the line that was being written; the rest is as it was. Secrets are left out
before anything leaves the loop; encoding and writing are a thread's. Must not read.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
from typing import TYPE_CHECKING, Any

from desktop.agent.message_json import encode
from desktop.llm.messages import AssistantMessage
from desktop.redaction.arguments import covered
from desktop.signals import Signal
from desktop.tasks import spawn

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.agent.about import SessionInfo
    from desktop.agent.secrets import SessionSecrets
    from desktop.llm.messages import Message

VERSION = 1
CLOSE_LIMIT = 3.0
"""Seconds that the end of a session waits for the disk."""

logger = logging.getLogger(__name__)


class Transcript:
    """Writes from the first message on; a description alone makes no file."""

    def __init__(
        self, path: Path, about: SessionInfo, secrets: SessionSecrets, *, exists: bool
    ) -> None:
        """Args: exists: whether the file is there: then it is gone on with."""
        self._path, self._secrets = path, secrets
        self._about: SessionInfo | None = None if exists else about
        self._begun = exists
        self._waiting: list[Callable[[], str]] = []
        self._writing: asyncio.Task[None] | None = None
        self.problem = ""
        """Why the last write failed; empty where it did not."""
        self.failed: Signal[[str]] = Signal()

    def describe(self, about: SessionInfo) -> None:
        """Title, model or tools are others now."""
        self._about = about
        if self._begun:
            self._add_about()

    def add(self, message: Message) -> None:
        """Write it soon; returns at once."""
        self._begun = True
        self._add_about()
        requests = message.requests if isinstance(message, AssistantMessage) else ()
        arguments = {one.call_id: self._secrets.arguments_of(one) for one in requests}
        is_open = not any(self._secrets.hides_in(one) for one in requests)
        values = self._secrets.values

        def line() -> str:
            return _dump(covered(encode(message, arguments, is_open), values))

        self._put(line)

    async def flush(self) -> None:
        """Wait until all that was added is written, or could not be."""
        while self._writing is not None:
            await asyncio.wait({self._writing})

    async def close(self) -> None:
        """Wait for the disk, some seconds at most."""
        if self._writing is not None:
            await asyncio.wait({self._writing}, timeout=CLOSE_LIMIT)

    def _add_about(self) -> None:
        if (about := self._about) is not None:
            self._about = None
            values = self._secrets.values
            described = {"type": "session", "version": VERSION, **about.to_json()}
            self._put(lambda: _dump(covered(described, values)))

    def _put(self, line: Callable[[], str]) -> None:
        self._waiting.append(line)
        if self._writing is None:
            self._writing = spawn(self._write(), "transcript")
            self._writing.add_done_callback(self._written)

    def _written(self, _: asyncio.Task[None]) -> None:
        self._writing = None

    async def _write(self) -> None:
        while self._waiting:
            lines, self._waiting = self._waiting, []
            try:
                await asyncio.to_thread(_append, self._path, lines)
                self.problem = ""
            except (OSError, RecursionError, TypeError, ValueError) as error:
                self._fail(error)

    def _fail(self, error: Exception) -> None:
        words = getattr(error, "strerror", None) or str(error)
        problem = f"This conversation is not saved: {self._path}: {words}"
        if problem != self.problem:
            self.problem = problem
            logger.warning("%s", problem)
            self.failed.send(problem)


def _append(path: Path, lines: list[Callable[[], str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
    try:
        if _is_torn(file):
            os.write(file, b"\n")  # what a kill left in pieces stays a line of its own
        for line in lines:
            left = memoryview(f"{line()}\n".encode())
            while left:
                left = left[os.write(file, left) :]
    finally:
        os.close(file)


def _is_torn(file: int) -> bool:
    size = os.fstat(file).st_size
    if size == 0:
        return False
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1) != b"\n"


def _dump(value: dict[str, Any]) -> str:
    """One line; half a surrogate pair, which JSON can carry and UTF-8 cannot, as an escape."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, default=str)
    return text
