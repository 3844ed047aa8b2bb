"""Saved calls as plain files that a team can commit: one call a file, or several in a list.

A file is `{call}`, `[{call}, ...]` or `{"calls": [{call}, ...]}`, and stays what it was. UTF-8,
indented by two, keys in a stable order, a line feed at the end. An entry that has `ask` is a
question for a model: it is kept as it is, for who can read it. Runs nothing.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, cast

from msgspec import Struct
from msgspec.structs import replace
from pydantic import ValidationError

from desktop.base.errors import UsageError
from desktop.base.file_lock import FolderLock, locked
from desktop.base.json_places import parser_message
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.features.saved_calls.saved_call import SavedCall
from desktop.values.json_schema import dump_json

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from desktop.history.records import SavedCallPlace

SUFFIX = ".json"
MAX_FILE_BYTES = 16_000_000
"""Bytes of a file that is read."""
MAX_FILES = 5_000
MAX_LOCK_WAIT = 2.0
"""Seconds for another run of the app that writes at the same time; it takes milliseconds."""
_NAME_BYTES = 80
_RESERVED = compile_later(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")
_LIST = "calls"
_ASK = "ask"


class CallFileError(UsageError):
    """A file of saved calls cannot be read or written; the message names it and the key."""


class CallFile(Struct, frozen=True):
    """One file. `whole` is its document, so that what is not ours in it stays.

    `asked` are the entries with `ask` as they are written, each with its place among all entries.
    """

    path: Path
    calls: tuple[SavedCall, ...]
    whole: Any = None
    asked: tuple[tuple[int, dict[str, Any]], ...] = ()

    def document(self) -> Any:
        """What to write: the shape it was read in, else the shortest."""
        calls = [call.to_json() for call in self.calls]
        for place, entry in self.asked:
            calls.insert(place, entry)
        around = _around(self.whole)
        if around is not None:
            return {**around, _LIST: calls}
        if len(calls) == 1 and not isinstance(self.whole, list):
            return calls[0]
        return calls


class SavedEntry(Struct, frozen=True):
    """One call and where it is: `index` in the calls of its file."""

    file: CallFile
    index: int

    @property
    def call(self) -> SavedCall:
        return self.file.calls[self.index]

    @property
    def place(self) -> SavedCallPlace:
        """The same for as long as neither file nor call is renamed."""
        return str(self.file.path), self.call.name


def list_entries(file: CallFile) -> list[SavedEntry]:
    """The calls of a file, in its order."""
    return [SavedEntry(file, index) for index in range(len(file.calls))]


def find_files(place: Path) -> list[Path]:
    """The file itself, or the `.json` files under a folder, by name.

    Hidden files and snapshots are left out.

    Raises:
        CallFileError: there is nothing of this name, or too much.
    """
    if not place.is_dir():
        if not place.exists():
            raise CallFileError(translatable("There is no file or folder {file}.", file=place))
        return [place]
    found = [path for path in _walk(place) if path.suffix.lower() == SUFFIX]
    if len(found) > MAX_FILES:
        raise CallFileError(
            translatable("{file} has more than {count} files.", file=place, count=f"{MAX_FILES:,}")
        )
    return sorted(found)


def _walk(folder: Path) -> Iterable[Path]:
    """Links to folders are not followed: they may lead in a circle.

    A folder in the place of a file is found, too: reading says that it is none.
    """
    count = 0
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and not _is_aside(name)]
        for name in (*files, *(each for each in folders if each.lower().endswith(SUFFIX))):
            count += 1
            if count > 10 * MAX_FILES:
                return
            if not name.startswith("."):
                yield Path(here, name)


def walk_folders(place: Path) -> Iterable[Path]:
    """The folders under `place` and itself, those of snapshots too; no hidden ones, no links."""
    for count, (here, folders, _) in enumerate(os.walk(place)):
        folders[:] = [name for name in folders if not name.startswith(".")]
        if count > MAX_FILES:
            return
        yield Path(here)


def _is_aside(folder: str) -> bool:
    """Whether a folder has snapshots beside the calls, and no calls."""
    return folder.endswith(".snapshots")


def read_calls(path: Path) -> CallFile:
    """The calls of one file.

    Raises:
        CallFileError: it cannot be read, is no JSON, or has something that is no saved call.
    """
    whole = read_json(path)
    around = _around(whole)
    listed: Any = around[_LIST] if around is not None else whole
    entries, where = cast("list[Any]", listed), "[{}]"
    if around is not None:
        if not isinstance(listed, list):
            raise CallFileError(translatable("{file}: {key} must be a list.", file=path, key=_LIST))
        where = _LIST + "[{}]"
    elif not isinstance(listed, list):
        entries, where = [whole], ""
    asked = [(n, entry) for n, entry in enumerate(entries) if _is_asked(entry)]
    calls = [
        _call(path, where.format(n), entry)
        for n, entry in enumerate(entries)
        if not _is_asked(entry)
    ]
    _refuse_doubled(path, calls)
    return CallFile(path, tuple(calls), whole, tuple(asked))


def _is_asked(entry: object) -> bool:
    return isinstance(entry, dict) and _ASK in entry and "tool" not in entry


def _around(whole: Any) -> dict[str, Any] | None:
    """The object that has the list of calls, where the document is one."""
    members = cast("dict[str, Any]", whole) if isinstance(whole, dict) else {}
    return members if _LIST in members else None


def parse_call(text: str) -> SavedCall:
    """One call from JSON that a person typed. Raises `CallFileError` without a file's name."""
    try:
        entry = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise CallFileError(f"This is no JSON: {error}.") from None
    return _call(None, "", entry)


def write_calls(file: CallFile) -> None:
    """Replace the file as a whole or not at all. Raises `CallFileError`."""
    from desktop.base.atomic_file import write_file
    from desktop.base.errors import ConfigError

    try:
        write_file(file.path, to_text(file.document()).encode())
    except ConfigError as error:
        raise CallFileError(str(error.args[0]), remedy=error.remedy) from error


@contextmanager
def alone_in(folder: Path) -> Generator[None]:
    """Keep other runs of the app from changing calls of this folder. Blocks: for a thread.

    Raises:
        CallFileError: another one did so all the time.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(FolderLock(folder), MAX_LOCK_WAIT))
        except TimeoutError:
            raise CallFileError(
                translatable("Another program is writing {path}; nothing was saved", path=folder),
                remedy=translatable("Try the change again."),
            ) from None
        except OSError:  # no locks there, or no folder: writing says what is wrong with it
            pass
        yield


def add_call(folder: Path, call: SavedCall) -> CallFile:
    """Write a new file for `call`, under a name that says what it is and is not taken.

    Raises:
        CallFileError: the folder cannot be written to.
    """
    return add_file(folder, call.name, lambda path: CallFile(path, (call,)))


def add_file(folder: Path, entry: str, make: Callable[[Path], CallFile]) -> CallFile:
    """Write what `make` returns for a path that is not taken, and that says `entry`; as above."""
    with alone_in(folder):
        return _add_file(folder, entry, make)


def _add_file(folder: Path, entry: str, make: Callable[[Path], CallFile]) -> CallFile:
    stem = file_stem(entry)
    taken = {path.name.casefold() for path in folder.iterdir()} if folder.is_dir() else set[str]()
    name, number = stem + SUFFIX, 1
    while name.casefold() in taken:
        number += 1
        name = f"{stem}-{number}{SUFFIX}"
    file = make(folder / name)
    write_calls(file)
    return file


def replace_call(file: CallFile, index: int, call: SavedCall) -> CallFile:
    """Write `call` in place of the one at `index`; the others of the file stay."""
    changed = replace(file, calls=(*file.calls[:index], call, *file.calls[index + 1 :]))
    _refuse_doubled(file.path, changed.calls)
    write_calls(changed)
    return changed


def remove_call(file: CallFile, index: int) -> None:
    """Take one call out of its file; the file goes with its last one. Raises `CallFileError`."""
    left = file.calls[:index] + file.calls[index + 1 :]
    if left or file.asked:
        write_calls(replace(file, calls=left))
        return
    try:
        file.path.unlink(missing_ok=True)
    except OSError as error:
        raise CallFileError(
            translatable(
                "{file} cannot be deleted: {why}.", file=file.path, why=error.strerror or ""
            )
        ) from error


def file_stem(name: str) -> str:
    """A name that is safe on every platform and still tells which call it is."""
    stem = re.sub(r"[^\w-]+", "-", name.lower()).strip("-_") or "call"
    while len(stem.encode()) > _NAME_BYTES:
        stem = stem[:-1]
    return f"call-{stem}" if _RESERVED.match(stem) else stem


def to_text(document: Any) -> str:
    """The text of a file, its characters as they are."""
    return dump_json(document, indent=2) + "\n"


def read_json(path: Path, most: int = MAX_FILE_BYTES) -> Any:
    """The JSON of a file of at most so many bytes. Raises `CallFileError`."""
    try:
        if not path.is_file():
            raise CallFileError(translatable("{file} is not a file.", file=path))
        if path.stat().st_size > most:
            raise CallFileError(
                translatable("{file} is larger than {most} MB.", file=path, most=most // 1_000_000)
            )
        text = path.read_text(encoding="utf-8-sig")
        return json.loads(text, parse_constant=_refuse)
    except OSError as error:
        raise CallFileError(
            translatable("{file} cannot be read: {why}.", file=path, why=error.strerror or "")
        ) from error
    except UnicodeDecodeError as error:
        raise CallFileError(
            translatable("{file} is not UTF-8 (at byte {place}).", file=path, place=error.start)
        ) from error
    except json.JSONDecodeError as error:
        raise CallFileError(
            translatable(
                "{file} is no JSON: {why} (line {line}, column {column}).",
                file=path,
                why=parser_message(error.msg),
                line=error.lineno,
                column=error.colno,
            )
        ) from error
    except RecursionError as error:
        raise CallFileError(translatable("{file} is nested too deeply.", file=path)) from error
    except ValueError as error:
        raise CallFileError(
            translatable("{file} is no JSON: {why}.", file=path, why=error)
        ) from error


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no value of JSON")


def _call(path: Path | None, where: str, entry: object) -> SavedCall:
    prefix = f"{path}: " if path is not None else ""
    if not isinstance(entry, dict):
        raise CallFileError(f"{prefix}{f'{where} is' if where else 'This is'} no saved call.")
    try:
        return SavedCall.model_validate(entry)
    except ValidationError as error:
        lines = [_problem(where, detail) for detail in error.errors()[:5]]
        raise CallFileError(prefix + "; ".join(lines) + ".") from None


def _problem(where: str, found: Any) -> str:
    """One finding of pydantic as `expect.seconds: Input should be greater than 0`."""
    place = where
    for part in found["loc"]:
        if part == "[key]":  # pydantic's own word
            continue
        place += f"[{part}]" if isinstance(part, int) else f".{part}" if place else str(part)
    kind: str = found["type"]
    if kind == "extra_forbidden":
        from desktop.features.saved_calls.saved_call import Expectations

        return f"{place} is no expectation; there are {', '.join(Expectations.model_fields)}"
    if kind == "missing":
        return f"{place} is missing"
    return f"{place}: {found['msg'].removeprefix('Value error, ')}"


def _refuse_doubled(path: Path, calls: Iterable[SavedCall]) -> None:
    seen = set[str]()
    for call in calls:
        if call.name in seen:
            raise CallFileError(
                translatable("{file}: two calls have the name {name!r}.", file=path, name=call.name)
            )
        seen.add(call.name)
