"""Reads the file of a session, whatever became of it on the disk.

What can be read is given. What was lost or changed is counted, so that the person is told; a place
in the conversation that cannot be trusted is not taken from the file. Must not write.
"""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct, field
from msgspec.structs import replace

from desktop.base.errors import DesktopError
from desktop.base.private_files import opener
from desktop.base.translatable import join_texts, translatable
from desktop.features.chat.agent.compaction import Shortened
from desktop.features.chat.agent.kept_tools import KeptTools
from desktop.features.chat.agent.loop import repair_messages
from desktop.features.chat.agent.message_tree import ROOT, MessageTree
from desktop.features.chat.agent.session_file import (
    KEPT,
    MAX_FILE_BYTES,
    SENDING,
    SHORTENED,
    VERSION,
    decode,
    is_intact,
)
from desktop.features.chat.agent.session_info import SessionInfo
from desktop.features.models.messages import AssistantMessage, ToolMessage, UserMessage

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from desktop.features.models.messages import Message

_ABOUT = b'{"type": "session"'
_BROKEN = (
    ArithmeticError,
    AttributeError,
    DesktopError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
_LAST_MEMBERS = {
    *("images", "replay", "notes_sending", "answers", "after"),
    *("at", "call", "tools", "terms", "bare"),
}
"""With which a line ends that has no sum: one of an earlier version."""
BLOCK = 1024 * 1024
"""Bytes that are looked through at a time."""
MAX_DESCRIPTION_BYTES = 16 * 1024 * 1024


class SessionError(DesktopError):
    """A stored session is not there or cannot be used; the message says which and why."""


class LoadedSession(Struct, frozen=True):
    """A session as its file has it; `words` says what is not as it was written, empty for nothing.

    `messages` are those of the branch that is gone on with, without the gaps that a kill left;
    `tree` has all branches.
    """

    about: SessionInfo
    messages: tuple[Message, ...]
    dropped: int = 0
    """Lines that could not be read."""
    changed: int = 0
    """Lines that are given, and are not as they were written."""
    left_out: int = 0
    """Messages that are not given, as what they answer is lost."""
    missing_bytes: int = 0
    """How much shorter the file is than it was."""
    is_torn: bool = False
    """Whether all that could not be read is the end of the last line."""
    tree: MessageTree = field(default_factory=MessageTree)
    kept: KeptTools | None = None
    shortened: Shortened = field(default_factory=Shortened)

    @property
    def words(self) -> str:
        lost = changed = left_out = missing = ""
        if self.is_torn:
            lost = translatable(
                "The last line of the conversation could not be read (cut off when the app ended?)."
            )
        elif self.dropped:
            lost = translatable(
                "Lines of the conversation that could not be read: {count}. They stay in its file.",
                count=self.dropped,
            )
        if self.changed:
            changed = translatable(
                "Lines that are not as they were written: {count}. Read with care.",
                count=self.changed,
            )
        if self.left_out:
            left_out = translatable(
                "Messages that are left out, because what they answer is lost: {count}.",
                count=self.left_out,
            )
        if self.missing_bytes:
            missing = translatable(
                "The file is {count} bytes shorter than it was: its end is missing.",
                count=self.missing_bytes,
            )
        return join_texts(" ", lost, changed, left_out, missing)


def read_session(path: Path, known_size: int = 0) -> LoadedSession:
    """All of a session.

    Args:
        path: its file.
        known_size: bytes that the file is known to have had.

    Raises:
        SessionError: it is not there, too large, of a newer version, or nothing of it can be read.
    """
    lines = _Lines()
    with _opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        check_size(path, size)
        for line in file:
            if line.strip():
                lines.take(line)
    if lines.is_newer:
        raise _newer(path)
    return lines.session(path, max(0, known_size - size))


class Description(Struct, frozen=True):
    """What a file says of its session last, and at which byte."""

    about: SessionInfo
    at: int


def find_description(path: Path, known: tuple[int, int] | None = None) -> Description:
    """The last description of the file: later ones have the later title and model.

    It is looked for from the end. Where that was far away, the caller keeps where it was found:
    a file only grows, so no more than what came since is looked through the next time.

    Args:
        path: the file, however large.
        known: how large it was when it was looked through, and where the description was then.

    Raises:
        SessionError: it cannot be read, is of a newer version, or has none.
    """
    with _opened(path) as file:
        size = file.seek(0, os.SEEK_END)
        if known is not None and known[1] < known[0] <= size:
            found = _last_description(file, path, known[0], size)
            found = found or _description_at(file, path, known[1])
            if found is not None:
                return found
        if found := _last_description(file, path, 0, size):
            return found
    raise SessionError(
        translatable("{file} holds no description of a session: it is damaged.", file=path),
        remedy=translatable("What can be read of it is shown. If that is nothing, delete it."),
    )


def blank_description(session: str, used: datetime) -> SessionInfo:
    """What can be said of a session whose file says nothing."""
    try:
        created = datetime.strptime(session[:15], "%Y%m%d-%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        created = used
    return SessionInfo(session, created)


def _last_description(file: BinaryIO, path: Path, start: int, end: int) -> Description | None:
    """The last one that begins at or after `start`, looked for in blocks from the end."""
    mark = b"\n" + _ABOUT
    at = end
    while at > start:
        begin = max(start, at - BLOCK)
        file.seek(max(0, begin - 1))
        block = file.read(at - begin + len(mark))
        if begin == 0:
            block = b"\n" + block
        # From here on `begin - 1` is the place of the first byte of the block.
        found = block.rfind(mark)
        while found >= 0:
            line_end = block.find(b"\n", found + 1)
            if begin + found >= end:
                read = None
            elif line_end >= 0:
                read = _description(block[found + 1 : line_end + 1], path, begin + found)
            else:
                read = _description_at(file, path, begin + found)
            if read is not None:
                return read
            found = block.rfind(mark, 0, found + len(mark) - 1)
        at = begin
    return None


def _description_at(file: BinaryIO, path: Path, at: int) -> Description | None:
    file.seek(max(0, at - 1))
    if at and file.read(1) != b"\n":
        return None
    line = file.readline(MAX_DESCRIPTION_BYTES)
    return _description(line, path, at) if line.startswith(_ABOUT) else None


def _description(line: bytes, path: Path, at: int) -> Description | None:
    try:
        value, state = _object(line)
        if _is_newer(value) and state is not False:
            raise _newer(path)
        return Description(replace(SessionInfo.from_json(value), id=path.stem), at)
    except SessionError:
        raise
    except _BROKEN:
        return None


class _Lines:
    """The lines of one file, as they are read."""

    def __init__(self) -> None:
        self.is_newer = False
        self._about: SessionInfo | None = None
        self._kept: KeptTools | None = None
        self._shortened = Shortened()
        self._said: list[tuple[Message | int, tuple[int, int] | None, bool]] = []
        """A message or the number that is gone on from; its place; whether that is certain."""
        self._requested, self._sent = set[str](), set[str]()
        self._read = self._dropped = self._changed = 0
        self._is_last_dropped = False

    def take(self, line: bytes) -> None:
        """Read one line, or count it."""
        self._is_last_dropped = False
        try:
            value, state = _object(line)
            self._keep(value, state is not False, is_sealed=state is True)
        except _BROKEN:
            self._dropped += 1
            self._is_last_dropped = True
            return
        self._changed += state is False

    def session(self, path: Path, missing_bytes: int) -> LoadedSession:
        """What was read. Raises `SessionError` where that is nothing."""
        if self._about is None and not self._read:
            raise SessionError(
                translatable("{file} holds no session.", file=path),
                remedy=translatable("Delete it from the list."),
            )
        tree = self._tree()
        lost = max(self._dropped, self._gap())
        is_torn = lost == self._dropped == 1 and self._is_last_dropped
        if not (self._dropped or lost or self._changed or missing_bytes):
            tree.never_sent = frozenset(self._requested - self._sent)
        path_of_tree = [node.message for node in tree.path()]
        about = self._about or blank_description(path.stem, datetime.now(UTC))
        return LoadedSession(
            replace(about, id=path.stem),
            tuple(repair_messages(path_of_tree, tree.never_sent)),
            lost,
            self._changed,
            _count_orphans(path_of_tree),
            missing_bytes,
            is_torn,
            tree,
            self._kept,
            self._shortened,
        )

    def _keep(self, value: dict[str, Any], is_whole: bool, is_sealed: bool) -> None:
        if value["type"] == "session":
            self.is_newer = is_whole and _is_newer(value)
            if not self.is_newer:
                self._about = SessionInfo.from_json(value)
        elif value["type"] == KEPT:
            self._kept = KeptTools.from_json(value)
        elif value["type"] == SHORTENED:
            self._shortened = Shortened.from_json(value)
        elif value["type"] == SENDING:
            self._sent.add(str(value["call"]))
        elif value["type"] == "head":
            if is_whole:
                self._said.append((int(value["at"]), None, is_sealed))
        else:
            message = decode(value)
            self._read += 1
            place = (value.get("n"), value.get("after"))
            is_placed = is_whole and all(type(each) is int for each in place)
            known = cast("tuple[int, int]", place) if is_placed else None
            self._said.append((message, known, is_sealed))
            if isinstance(message, AssistantMessage) and value.get("notes_sending"):
                self._requested.update(request.call_id for request in message.requests)

    def _gap(self) -> int:
        """How many messages are missing, as far as the numbers of the others say."""
        numbers = [place[0] for _, place, _ in self._said if place is not None]
        return max(0, max(numbers, default=-1) + 1 - self._read)

    def _in_order(self) -> list[tuple[Message | int, tuple[int, int] | None, bool]]:
        """As it was written: parts of a file that changed places are put back."""
        keys: list[int] = []
        for _, place, _ in self._said:
            keys.append(place[0] if place is not None else keys[-1] if keys else -1)
        if keys == sorted(keys):
            return self._said
        self._changed += 1
        order = sorted(range(len(keys)), key=keys.__getitem__)
        return [self._said[at] for at in order if not isinstance(self._said[at][0], int)]

    def _tree(self) -> MessageTree:
        tree = MessageTree()
        nodes: dict[int, int] = {}
        for what, place, is_sealed in self._in_order():
            if isinstance(what, int):
                try:
                    tree.go_to(nodes.get(what, what))
                except LookupError:
                    self._changed += 1
                continue
            if place is None:
                node = tree.add(what)
            else:
                number, after = place
                parent = nodes.get(after, after)
                is_there = parent == ROOT or parent in nodes.values()
                if not is_sealed and parent != tree.head and is_there:
                    self._changed += 1  # a branch is announced: this number is another one now
                    parent = tree.head
                node = tree.put(number, parent, what)
                nodes[number] = node.number
            nodes.setdefault(node.number, node.number)
        return tree


def _count_orphans(messages: Sequence[Message]) -> int:
    """How many messages `repair_messages` leaves out."""
    count, has_question, requests = 0, False, False
    for message in messages:
        has_question = has_question or isinstance(message, UserMessage)
        is_answer = isinstance(message, ToolMessage)
        count += not has_question or (is_answer and not requests)
        requests = has_question and isinstance(message, AssistantMessage) and bool(message.requests)
    return count


def _object(line: bytes) -> tuple[dict[str, Any], bool | None]:
    """The object of a line, and whether it is as it was written, None where that is not known.

    Raises one of `_BROKEN` where it is none.
    """
    state = is_intact(line)
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text, state = line.decode(errors="replace"), False
    value: object = json.loads(text)
    if not isinstance(value, dict) or not value:
        raise TypeError("no object")
    read = cast("dict[str, Any]", value)
    if state is None and next(reversed(read)) not in _LAST_MEMBERS and not _is_newer(read):
        state = False
    return read, state


def _is_newer(value: dict[str, Any]) -> bool:
    version: object = value.get("version")
    return isinstance(version, int) and version > VERSION


def check_size(path: Path, size: int) -> None:
    """Raises `SessionError` where a file of so many bytes is not read."""
    if size > MAX_FILE_BYTES:
        most = MAX_FILE_BYTES // 1024 // 1024
        raise SessionError(
            translatable("{file} is larger than {size} MB.", file=path, size=most),
            remedy=translatable("Its file can be shown, kept elsewhere or deleted."),
        )


def unreadable(path: Path, error: OSError) -> SessionError:
    """What is said of a file or folder that the system does not give."""
    return SessionError(
        translatable("{file} cannot be read: {reason}.", file=path, reason=error.strerror or error)
    )


def _newer(path: Path) -> SessionError:
    return SessionError(
        translatable("{file} was written by a newer version of the app.", file=path),
        remedy=translatable("Update the app to open it."),
    )


@contextmanager
def _opened(path: Path) -> Generator[BinaryIO]:
    try:
        with open(path, "rb", opener=opener) as file:
            yield file
    except FileNotFoundError:
        words = translatable("There is no session {session}.", session=path.stem)
        raise SessionError(words, remedy=translatable("Look at the list.")) from None
    except OSError as error:
        raise unreadable(path, error) from error
    except MemoryError:
        raise SessionError(
            translatable("{file} takes more memory than there is.", file=path)
        ) from None
