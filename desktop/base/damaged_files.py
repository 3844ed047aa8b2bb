"""Files of the app's own that are damaged: recognised, set aside, and said in one sentence.

The app alone writes them, so each carries a check of its content; one of an earlier version has
none and is taken as it is. What can be read of a damaged file is used. The file itself is kept
beside its place as `NAME.damaged-DATE-TIME`, before anything is written over it, by a second name
and not by a copy: that costs no room on a full disk. Must not know what any file is for, and must
not be used for files that people edit: those are theirs to repair, and are not written meanwhile.
"""

from __future__ import annotations

import json
import logging
import os
import stat
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, cast
from zlib import crc32

from desktop.base.private_files import opener
from desktop.base.signals import Signal
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

JsonObject: TypeAlias = dict[str, Any]
MAX_BYTES: Final = 16_000_000
"""Bytes of a file that is read."""
VERSION: Final = 1
"""Of the files that are read here; a higher one is of a later version of the app."""
SALVAGED: Final = translatable("What can be read of it is used.")
_CHECK: Final = "check"

logger = logging.getLogger(__name__)


class Damages:
    """What was found damaged in this run, a sentence a file. May be used by any thread."""

    def __init__(self) -> None:
        self.found: dict[Path, str] = {}
        self._added: Signal[[str]] = Signal()

    def follow(self, say: Callable[[str], object]) -> None:
        """Have all said that was found so far, and from now on what is: by the thread it is in."""
        self._added.connect(say)
        for sentence in list(self.found.values()):
            say(sentence)

    def note(self, path: Path, why: str, lost: str) -> str:
        """Set a damaged file aside and say it, once for each file; returns the sentence.

        Args:
            path: the file, or what is in its place.
            why: what is wrong with it, as a clause.
            lost: what that means for the person, as a sentence.
        """
        try:
            kept = set_aside(path)
        except OSError as error:
            sentence = translatable(
                "{file} is damaged: {why}. {lost} It stays as it is: a copy cannot be kept "
                "beside it ({error}).",
                file=path,
                why=why,
                lost=lost,
                error=error.strerror or error,
            )
        else:
            if kept is None:
                return self.found.get(path, "")
            sentence = translatable(
                "{file} is damaged: {why}. {lost} The original is kept as {kept}.",
                file=path,
                why=why,
                lost=lost,
                kept=kept.name,
            )
        if self.found.get(path) != sentence:
            self.found[path] = sentence
            self._added.send(sentence)
        return sentence


def logged_damages() -> Damages:
    """For a part that stands alone: they go to the log at once."""
    damages = Damages()
    damages.follow(logger.warning)
    return damages


def set_aside(path: Path) -> Path | None:
    """Keep what is at `path` under a second name beside it; returns that, None for nothing there.

    A file also stays in its place until it is written as a whole (`desktop.base.atomic_file`), so
    that a damaged one is never taken for none. Anything else, such as a folder, gives up the place.

    Raises:
        OSError: that is not possible, and nothing has changed.
    """
    path = Path(os.path.realpath(path))
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(status.st_mtime))
    name = f"{path.name}.damaged-{stamp}"
    for number in range(1, 1000):
        kept = path.with_name(name if number == 1 else f"{name}-{number}")
        if not os.path.lexists(kept):
            break
        if kept.is_file() and _is_same(path, kept):
            return kept
    else:
        raise FileExistsError(f"{name} is taken")
    if not stat.S_ISREG(status.st_mode):
        path.rename(kept)
        return kept
    try:
        os.link(path, kept)
    except FileExistsError:
        return set_aside(path)  # another process was faster
    except OSError:  # a file system that gives each file one name
        _copy(path, kept)
    return kept


def _is_same(path: Path, kept: Path) -> bool:
    if path.samefile(kept):
        return True
    a, b = path.stat(), kept.stat()
    return a.st_size == b.st_size <= MAX_BYTES and path.read_bytes() == kept.read_bytes()


def _copy(path: Path, kept: Path) -> None:
    import shutil  # at most one file in a thousand starts

    try:
        with open(path, "rb") as source, open(kept, "xb", opener=opener) as target:
            shutil.copyfileobj(source, target)
            target.flush()
            os.fsync(target.fileno())
    except BaseException:
        kept.unlink(missing_ok=True)
        raise
    shutil.copystat(path, kept)


def sealed(value: Mapping[str, Any]) -> JsonObject:
    """The JSON object with the check of what is in it."""
    content = {name: member for name, member in value.items() if name != _CHECK}
    return {**content, _CHECK: _check(content)}


def take_seal(value: JsonObject) -> bool:
    """Take the check out of an object; returns whether it fits. One without a check fits."""
    check = value.pop(_CHECK, None)
    return check is None or check == _check(value)


def _check(content: Mapping[str, Any]) -> str:
    return checksum(json.dumps(content, separators=(",", ":")).encode())


def checksum(content: bytes) -> str:
    """Eight letters that are others for other bytes, as good as always."""
    return f"{crc32(content):08x}"


class Found(NamedTuple):
    """What a file says: nothing where there is none or none can be read; `problem` is a sentence.

    With a document and a problem, the document is what was left.
    """

    document: JsonObject | None
    problem: str = ""


class OwnFile:
    """One JSON object in a file that the app alone writes, with one member that it is for."""

    def __init__(
        self,
        path: Path,
        member: str,
        kind: type[list[Any]] | type[dict[str, Any]],
        lost: str,
        damages: Damages | None = None,
        *,
        most: int = MAX_BYTES,
    ) -> None:
        """Reads nothing yet.

        Args:
            path: where it is; it need not be there.
            member: the name of what it is for; an earlier version may have written that alone.
            kind: of that member.
            lost: what it means that nothing of it can be read, as a sentence.
            damages: tells a person; without one, the log has it.
            most: bytes of it that are read, and written.
        """
        self.path = path
        self._lost, self._damages, self._most = lost, damages or logged_damages(), most
        self._member, self._kind = member, kind

    def read(self) -> Found:
        """What it says now; what is wrong with it is said. Never raises, never waits on a pipe."""
        try:
            with open(self.path, "rb", opener=opener) as file:
                content = file.read(self._most + 1)
        except (FileNotFoundError, NotADirectoryError):
            return Found(None)
        except OSError as error:
            if self.path.exists() and not self.path.is_file():
                return self._damaged(translatable("it is not a file"))
            return Found(None, self._unreadable(error))
        if len(content) > self._most:
            most = f"{self._most / 1e6:g}"
            return self._damaged(translatable("it is larger than {most} MB", most=most))
        try:
            value: object = json.loads(content)
            if isinstance(value, list) and value and self._kind is list:
                value = {self._member: cast("object", value)}
            document = cast("JsonObject", value) if isinstance(value, dict) else None
        except (RecursionError, ValueError):
            document = None
        if document is None:
            return self._damaged(translatable("it is no JSON object"))
        return self._checked(document)

    def _checked(self, document: JsonObject) -> Found:
        is_intact = take_seal(document)
        version = document.get("version", VERSION)
        if version != VERSION:
            is_newer = isinstance(version, int) and version > VERSION and is_intact
            return self._damaged(
                translatable("a newer version of the app has written it")
                if is_newer
                else translatable("it has no version that is known")
            )
        if not isinstance(document.get(self._member), self._kind):
            return self._damaged(translatable("it lacks “{name}”", name=self._member))
        if is_intact:
            return Found(document)
        why = translatable("it is not what the app has written")
        return Found(document, self._damages.note(self.path, why, SALVAGED))

    def damaged(self, why: str) -> str:
        """Say that what it has is of no use; for the reader of its document."""
        return self._damages.note(self.path, why, self._lost)

    def _damaged(self, why: str) -> Found:
        return Found(None, self.damaged(why))

    def _unreadable(self, error: OSError) -> str:
        return translatable(
            "{file} cannot be read: {why}. {lost}",
            file=self.path,
            why=error.strerror or error,
            lost=self._lost,
        )

    def write(self, document: Mapping[str, Any]) -> None:
        """Replace it as a whole; what is damaged in its place is kept first. For a thread.

        Raises:
            ConfigError: it cannot be written, or what is there cannot be read or kept.
        """
        from desktop.base.atomic_file import write_file
        from desktop.base.errors import ConfigError

        found = self.read()
        if found.problem:
            try:
                set_aside(self.path)
            except OSError as error:
                raise ConfigError(found.problem) from error
        content = json.dumps(sealed({"version": VERSION, **document}), indent=1).encode()
        if len(content) > self._most:
            raise ConfigError(
                translatable("{file} would become too large; nothing was changed", file=self.path)
            )
        write_file(self.path, content)
