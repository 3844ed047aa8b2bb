"""Writes the file of a session as it goes on: only ever appended to.

If the app is killed, at most the line that was being written is lost. What a disk refuses is kept
and written as soon as it can be; a file that goes while it is open is written again. Secrets are
removed before anything leaves the loop; encoding and writing happen in a thread.
"""

from __future__ import annotations

import asyncio
import logging
import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from desktop.base.private_files import make_private_folder, open_private
from desktop.base.signals import Signal
from desktop.base.tasks import spawn
from desktop.base.translatable import translatable
from desktop.features.chat.agent.session_file import (
    KEPT,
    MAX_FILE_BYTES,
    SENDING,
    SHORTENED,
    describe,
    encode,
    seal,
)
from desktop.features.models.messages import AssistantMessage
from desktop.redaction.arguments import redact_texts, replace_values
from desktop.values.json_schema import dump_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from desktop.features.chat.agent.compaction import Shortened
    from desktop.features.chat.agent.kept_tools import KeptTools
    from desktop.features.chat.agent.message_tree import MessageTree
    from desktop.features.chat.agent.secrets import SessionSecrets
    from desktop.features.chat.agent.session_info import SessionInfo
    from desktop.features.models.messages import Message

_MEDIA = frozenset(("data",))
"""Members that hold base64."""
CLOSE_LIMIT = 3.0
"""Seconds that the end of a session, and a call that is to be sent, wait for the disk."""
_NEARLY_FULL = MAX_FILE_BYTES * 9 // 10

logger = logging.getLogger(__name__)


class Transcript:
    """Writes from the first message on; a description alone makes no file."""

    def __init__(
        self,
        path: Path,
        about: SessionInfo,
        secrets: SessionSecrets,
        *,
        exists: bool,
        tree: MessageTree | None = None,
        size_file: Path | None = None,
        kept: KeptTools | None = None,
        shortened: Shortened | None = None,
    ) -> None:
        """Write to `path`.

        Args:
            path: the file.
            about: what the session is.
            secrets: what must not be written.
            exists: whether the file is there: then it is gone on with.
            tree: the whole conversation, for a file that is gone while it is open.
            kept: what the file says of the tools that the model was told of.
            shortened: what it says of older results.
            size_file: is kept to say how large the file is, so that a file that was cut is known.
        """
        self._path, self._secrets, self._tree, self._size_file = path, secrets, tree, size_file
        self._about, self._is_described = about, exists
        self._kept = kept
        self._shortened = shortened
        self._begun = exists
        self._size = int(exists)
        self._sending: list[str] = []
        self._waiting: list[Callable[[], str]] = []
        self._writing: asyncio.Task[None] | None = None
        self.problem = ""
        """Why the last write failed; empty where it did not."""
        self.told: Signal[[str]] = Signal()
        """A sentence for the person about the file."""

    @property
    def is_saved(self) -> bool:
        """Whether all of it is in the file."""
        return not self._waiting and self._writing is None and not self.problem

    @property
    def is_readable(self) -> bool:
        """Whether the file is small enough to be opened again."""
        return self._size <= MAX_FILE_BYTES

    def describe(self, about: SessionInfo) -> None:
        """Title, model or tools are others now."""
        self._about, self._is_described = about, False
        if self._begun:
            self._add_about()

    def add(self, message: Message, place: tuple[int, int] | None = None) -> None:
        """Write it soon; returns at once.

        Args: place: its number and its parent in the `MessageTree`; None where it just follows.
        """
        self._begun = True
        self._add_about()
        self._put(self._line(message, place))

    def keep_tools(self, kept: KeptTools) -> None:
        """The model is told of these tools from now on."""
        self._kept = kept
        if self._begun:
            self._put(lambda: dump_json({"type": KEPT, **kept.to_json()}, default=str))

    def shorten(self, how: Shortened) -> None:
        """The model is sent the beginnings of older results from now on."""
        self._shortened = how
        if self._begun:
            self._put(lambda: dump_json({"type": SHORTENED, **how.to_json()}))

    def move(self, number: int) -> None:
        """The conversation goes on after another message."""
        if self._begun:
            self._put(lambda: dump_json({"type": "head", "at": number}))

    async def note_sending(self, call_id: str) -> None:
        """Write down that a call is about to be sent, before it is.

        So after a crash the calls without such a line are known never to have been sent.
        """
        self._sending.append(call_id)
        self._put(lambda: dump_json({"type": SENDING, "call": call_id}))
        await self._wait_for_disk()

    async def flush(self) -> None:
        """Wait until all that was added is written, or could not be."""
        while self._writing is not None and not self._writing.done():
            await asyncio.wait({self._writing})

    async def close(self) -> None:
        """Try once more to write what could not be written; wait for the disk, some seconds."""
        self._start()
        await self._wait_for_disk()
        if not self.is_saved:
            logger.error("%s does not hold all of its conversation", self._path)

    async def _wait_for_disk(self) -> None:
        if self._writing is not None:
            await asyncio.wait({self._writing}, timeout=CLOSE_LIMIT)

    def _add_about(self) -> None:
        if not self._is_described:
            self._is_described = True
            self._put(self._description())

    def _description(self) -> Callable[[], str]:
        values = self._secrets.values
        described = describe(self._about)
        return lambda: dump_json(_without_secrets(described, values), default=str)

    def _line(self, message: Message, place: tuple[int, int] | None) -> Callable[[], str]:
        requests = message.requests if isinstance(message, AssistantMessage) else ()
        arguments = {request.call_id: self._secrets.arguments_of(request) for request in requests}
        is_open = not any(self._secrets.hides_in(request) for request in requests)
        values = self._secrets.values

        def line() -> str:
            written = _without_secrets(encode(message, arguments, is_open), values)
            if place is not None:
                written["n"], written["after"] = place
            return dump_json(written, default=str)

        return line

    def _put(self, line: Callable[[], str]) -> None:
        self._waiting.append(line)
        self._start()

    def _start(self) -> None:
        if self._waiting and self._writing is None:
            self._writing = spawn(self._write(), "transcript")

    async def _write(self) -> None:
        try:
            while lines := self._waiting:
                self._waiting = []
                try:
                    broken = await asyncio.to_thread(self._append, lines)
                except _FileChangedError as error:
                    self._waiting = self._all_lines() or lines + self._waiting
                    self._size = 0
                    self.told.send(error.sentence)
                except OSError as error:
                    # Tried again with what is said next, and at the end.
                    self._waiting = lines + self._waiting
                    self._fail(error.strerror or str(error))
                    return
                else:
                    self._recover(broken)
        finally:
            # Here and not in a callback of the task: what is added in between would stay unwritten.
            self._writing = None

    def _append(self, lines: list[Callable[[], str]]) -> list[str]:
        """In a thread: write all, taking off what is written. Returns: why some cannot be."""
        make_private_folder(self._path.parent)
        known, broken = self._size, list[str]()
        file = _open_known(self._path, known)
        try:
            if _is_torn(file):
                os.write(file, b"\n")  # what a kill left in pieces stays a line of its own
            while lines:
                try:
                    line = seal(lines[0]())
                except (RecursionError, TypeError, ValueError) as error:
                    broken.append(str(error))
                else:
                    _write_whole(file, f"{line}\n".encode())
                del lines[0]
        finally:
            self._size = os.fstat(file).st_size
            os.close(file)
        if self._size_file is not None:
            _note_size(self._size_file, self._size)
        if known < _NEARLY_FULL <= self._size:
            broken.append(_full_words())
        return broken

    def _all_lines(self) -> list[Callable[[], str]]:
        """The whole conversation, where it is known."""
        if self._tree is None or not len(self._tree):
            return []
        lines = [self._description()]
        lines += [self._line(each.message, (each.number, each.parent)) for each in self._tree]
        if (kept := self._kept) is not None:
            lines.append(lambda: dump_json({"type": KEPT, **kept.to_json()}, default=str))
        if (how := self._shortened) is not None:
            lines.append(lambda: dump_json({"type": SHORTENED, **how.to_json()}))
        head = self._tree.head
        lines.append(lambda: dump_json({"type": "head", "at": head}))
        return lines + [_sending_line(call) for call in self._sending]

    def _recover(self, broken: Iterable[str]) -> None:
        for words in broken:
            self.told.send(words)
        if self.problem:
            self.problem = ""
            self.told.send(translatable("This conversation is saved again, with all of it."))

    def _fail(self, words: str) -> None:
        problem = translatable(
            "This conversation is not saved: {file}: {reason}. It is kept in memory and written "
            "with your next question, if the disk takes it then.",
            file=self._path,
            reason=words,
        )
        if problem != self.problem:
            self.problem = problem
            logger.warning("%s", problem)
            self.told.send(problem)


class _FileChangedError(Exception):
    """The file is gone, or shorter than it was: `sentence` says so."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def _sending_line(call: str) -> Callable[[], str]:
    return lambda: dump_json({"type": SENDING, "call": call})


def _full_words() -> str:
    return translatable(
        "This conversation takes {size} MB on the disk. Above {most} MB it cannot be opened again: "
        "go on in a new one.",
        size=_NEARLY_FULL // 1024 // 1024,
        most=MAX_FILE_BYTES // 1024 // 1024,
    )


def _without_secrets(value: dict[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    own_form = value.get("replay")
    told = {name: member for name, member in value.items() if name != "replay"}
    written: dict[str, Any] = redact_texts(told, known, _MEDIA)
    if "replay" not in value:
        return written
    # A provider refuses its own form of a turn that was changed.
    return {**written, "replay": replace_values(own_form, known) if written == told else None}


def _open_known(path: Path, size: int) -> int:
    """Open the file that has at least `size` bytes; a shorter one is kept under another name."""
    try:
        file = open_private(path, os.O_RDWR | os.O_APPEND | (0 if size else os.O_CREAT))
    except FileNotFoundError:
        words = translatable(
            "The file of this conversation was removed while it was open. It is written again."
        )
        raise _FileChangedError(words) from None
    if os.fstat(file).st_size >= size:
        return file
    os.close(file)
    kept = path.with_name(f"{path.name}.{datetime.now(UTC):%Y%m%d-%H%M%S-%f}")
    os.replace(path, kept)
    raise _FileChangedError(
        translatable(
            "Something else changed the file of this conversation while it was open. It is written "
            "again; what was found there is kept as {file}.",
            file=kept,
        )
    )


def _write_whole(file: int, line: bytes) -> None:
    """All of it or nothing. Raises OSError."""
    before, left = os.fstat(file).st_size, memoryview(line)
    try:
        while left:
            left = left[os.write(file, left) :]
    except OSError:
        with suppress(OSError):
            os.ftruncate(file, before)
        raise


def _note_size(path: Path, size: int) -> None:
    with suppress(OSError):  # it only serves to find damage
        make_private_folder(path.parent)
        file = open_private(path, os.O_WRONLY | os.O_CREAT)
        try:
            os.write(file, b"%020d\n" % size)
        finally:
            os.close(file)


def _is_torn(file: int) -> bool:
    size = os.fstat(file).st_size
    if size == 0:
        return False
    os.lseek(file, size - 1, os.SEEK_SET)
    return os.read(file, 1) != b"\n"
