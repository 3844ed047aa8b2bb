"""Looks whether our entry is in a client's file; writes it there, takes it out, puts a file back.

In two steps: what would become of the file is planned and can be shown; it is then written only if
the file is still the one that was planned for. A file is kept with the date beside it before it is
written. Waits on disks, so it is for a thread.
"""

from __future__ import annotations

import difflib
import os
import stat
import time
import tomllib
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from msgspec import Struct

from desktop.base.atomic_file import read_file, write_file
from desktop.base.errors import ConfigError
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.config.document import as_object, parse
from desktop.config.imports.clients import APPS
from desktop.config.yaml_text import read_yaml
from desktop.features.gateway.entries import entry_text
from desktop.features.gateway.entries.forms import FORMS, HttpAccess
from desktop.redaction.redactor import Redaction, redact_bounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.config.document import JsonObject
    from desktop.config.imports.clients import App, ClientLocations
    from desktop.features.gateway.entries.forms import Access, ClientForm, GatewayCommand

State: TypeAlias = Literal["connected", "other", "found", "absent", "unreadable"]
"""Our entry is there; one of our name leads elsewhere; the client is there without it; it is not
there at all; its file cannot be read or written to."""
MAX_BACKUPS: Final = 6
"""The first one stays: it is the file as it was before this app wrote it."""
_BACKUP: Final = compile_later(r"(\d{8}-\d{6})(?:-(\d{1,3}))?")
"""When it was kept, to the second, and which one of that second."""
_CONTEXT: Final = 2
_MAX_LINES: Final = 2_000
_MAX_LINE_LENGTH: Final = 300


class ClientStatus(Struct, frozen=True):
    """What there is of one client on this machine."""

    app: App
    path: Path
    """Its file, which need not exist."""
    state: State
    access: Access | None = None
    """How the client reaches the gateway, if it does."""
    error: ConfigError | None = None
    backups: tuple[Path, ...] = ()
    """Its file as it was before, the newest first."""
    knows_http: bool = False


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """A file as it is and as it would be; `None` is no file."""

    app: App
    path: Path
    before: bytes | None = field(repr=False)
    after: bytes = field(repr=False)
    difference: str = field(repr=False)
    """Lines of a unified diff, without secrets."""
    has_token: bool = False
    """Whether the entry has the token of the gateway over HTTP."""

    @property
    def is_closed(self) -> bool:
        """Whether a file that others can read becomes its owner's alone: it gets the token."""
        if not self.has_token or os.name != "posix" or not self.path.exists():
            return False
        return bool(stat.S_IMODE(self.path.stat().st_mode) & 0o077)

    @property
    def is_empty(self) -> bool:
        return self.before == self.after


class ClientFiles:
    """The files of all clients that can be written."""

    def __init__(self, places: ClientLocations, command: GatewayCommand) -> None:
        """Look at nothing yet. Args: places: where the files are."""
        self._places, self.command = places, command

    def look(self) -> list[ClientStatus]:
        """Every client that can be connected, in a person's order. Never raises."""
        return [self.status(app) for app in APPS if app.key in FORMS and self._has_place(app)]

    def _has_place(self, app: App) -> bool:
        return not FORMS[app.key].in_project or self._places.project is not None

    def status(self, app: App) -> ClientStatus:
        form, path = FORMS[app.key], self._path(app)
        backups, knows_http = tuple(_backups(path)), form.http is not None
        try:
            entry = _member(_read(path, _content(path)), form.path)
        except ConfigError as error:
            return ClientStatus(app, path, "unreadable", None, error, backups, knows_http)
        access = form.access(entry)
        state: State = "found" if self._is_installed(app, path) else "absent"
        if entry is not None:
            is_ours = isinstance(access, HttpAccess) or access == self.command.start(app.key)
            state = "connected" if is_ours else "other"
        return ClientStatus(app, path, state, access, None, backups, knows_http)

    def connect(self, app: App, access: Access | None = None) -> PlannedChange:
        """Plan our entry; `access` None: the client starts the gateway.

        Raises:
            ConfigError: its file cannot be read, or our entry cannot be put into it.
        """
        form = FORMS[app.key]
        if access is None:
            self.command.require_lasting()
        change = self._plan(app, form, form.entry(access or self.command.start(app.key)))
        return replace(change, has_token=isinstance(access, HttpAccess))

    def disconnect(self, app: App) -> PlannedChange:
        """Plan the file without our entry; raises as `connect`."""
        return self._plan(app, FORMS[app.key], None)

    def restore(self, app: App, backup: Path) -> PlannedChange:
        """Plan the file as it was; raises `ConfigError` where the backup cannot be read."""
        path = self._path(app)
        if (kept := read_file(backup)) is None:
            raise ConfigError(translatable("File not found: {path}", path=backup))
        return self._changed(app, path, _content_to_change(path), kept)

    def apply(self, change: PlannedChange) -> Path | None:
        """Write what was planned; returns where the file as it was is kept, if there was one.

        Raises:
            ConfigError: the file has changed meanwhile, or cannot be written: nothing was.
        """
        if _content_to_change(change.path) != change.before:
            raise ConfigError(
                translatable("{path} has changed; nothing was written", path=change.path),
                remedy=translatable("Look at the changes again."),
            )
        backup = _keep(change.path, change.before) if change.before is not None else None
        write_file(change.path, change.after, keep_mode=not change.is_closed)
        return backup

    def _plan(self, app: App, form: ClientForm, entry: JsonObject | None) -> PlannedChange:
        path = self._path(app)
        content = _content_to_change(path)
        after = _edited(path, content, form.path, entry)
        return self._changed(app, path, content, after)

    @staticmethod
    def _changed(app: App, path: Path, before: bytes | None, after: bytes) -> PlannedChange:
        return PlannedChange(app, path, before, after, _difference(before or b"", after))

    def _path(self, app: App) -> Path:
        places = self._places if FORMS[app.key].in_project else self._places.for_person()
        files = places.files_of(app)
        if app.key == "vscode":  # the settings are not where servers are written any more
            files = [file for file in files if file.name == "mcp.json"]
        return next((file for file in files if os.path.lexists(file)), files[0])

    def _is_installed(self, app: App, path: Path) -> bool:
        if FORMS[app.key].in_project:
            return os.path.lexists(path)
        sign = FORMS[app.key].sign
        folder = self._places.fill(sign) if sign else path.parent
        return os.path.lexists(path) or folder.is_dir()


# --- what is in a file --------------------------------------------------------------------------


def _content(path: Path) -> bytes | None:
    """The file; None where there is none. Raises `ConfigError`."""
    try:
        return read_file(path)
    except ConfigError as error:
        raise ConfigError(error.args[0], remedy=_BY_HAND) from None


def _content_to_change(path: Path) -> bytes | None:
    """The file, if it could be written.

    Raises:
        ConfigError: it cannot be read, is no file or must not be written.
    """
    content = _content(path)
    if content is None and os.path.lexists(path):
        raise ConfigError(
            translatable("{path} is a link that leads nowhere", path=path),
            remedy=translatable("Remove the link, or make the file that it leads to."),
        )
    if content is not None and not path.stat().st_mode & stat.S_IWUSR:
        raise ConfigError(
            translatable("{path} is read-only", path=path),
            remedy=translatable("Allow yourself to write to it, then look again."),
        )
    return content


def _read(path: Path, content: bytes | None) -> JsonObject:
    if content is None or not content.strip():
        return {}
    text = _text(path, content)
    if path.suffix in _YAML:
        return _read_yaml(path, content)
    if path.suffix != ".toml":
        document = parse(content, str(path))
        if document.duplicates:
            name = next(iter(document.duplicates))[-1]
            raise ConfigError(
                translatable('{path} has the key "{name}" twice', path=path, name=name),
                remedy=translatable("Remove one of them in an editor."),
            )
        return document.data
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(
            translatable("{path} is not valid TOML: {error}", path=path, error=error),
            remedy=_BY_HAND,
        ) from None


def _read_yaml(path: Path, content: bytes) -> JsonObject:
    try:
        return read_yaml(content)
    except ConfigError as error:
        told = translatable("{path} {words}", path=path, words=error.args[0])
        raise ConfigError(told, line=error.line, column=error.column, remedy=_BY_HAND) from None


_YAML: Final = {".yaml", ".yml"}
_BY_HAND: Final = translatable("Correct it in an editor. Until then it is not written to.")


def _text(path: Path, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise ConfigError(
            translatable("{path} is not UTF-8 text", path=path), remedy=_BY_HAND
        ) from None


def _member(data: JsonObject, path: Sequence[str]) -> object:
    found: object = data
    for key in path:
        if (inside := as_object(found)) is None:
            return None
        found = inside.get(key)
    return found


def _edited(
    path: Path, content: bytes | None, member: Sequence[str], entry: JsonObject | None
) -> bytes:
    """The file with this entry, or without it."""
    data = _read(path, content)
    wanted = _wanted(path, data, member, entry)
    if wanted == data:
        return content or b""
    text = _text(path, content or b"")
    if path.suffix in _YAML:
        drop, put = entry_text.drop_from_yaml, entry_text.put_in_yaml
    elif path.suffix == ".toml":
        drop, put = entry_text.drop_from_toml, entry_text.put_in_toml
    else:
        drop, put = entry_text.drop_from_json, entry_text.put_in_json
    changed = drop(text, member) if entry is None else put(text, member, entry)
    after = changed.encode()
    try:
        is_as_wanted = _read(path, after) == wanted
    except ConfigError:
        is_as_wanted = False
    if not is_as_wanted:  # written in a way that only its own program can change
        raise ConfigError(
            translatable("The entry cannot be changed in {path} without changing more", path=path),
            remedy=translatable("Change it in an editor, or in the app itself."),
        )
    return after


def _wanted(
    path: Path, data: JsonObject, member: Sequence[str], entry: JsonObject | None
) -> JsonObject:
    """What the file is to say; raises `ConfigError` where something else stands in the way."""
    wanted: dict[str, Any] = deepcopy(data)
    inside = wanted
    for key in member[:-1]:
        if entry is None and key not in inside:
            return wanted
        if inside.get(key) is None and path.suffix in _YAML:  # a name with nothing behind it
            inside[key] = {}
        found = as_object(inside.setdefault(key, {}))
        if found is None:
            raise ConfigError(
                translatable('"{key}" must be an object in {path}', key=key, path=path),
                remedy=_BY_HAND,
            )
        inside = found
    if entry is None:
        inside.pop(member[-1], None)
    else:
        inside[member[-1]] = entry
    return wanted


def _difference(before: bytes, after: bytes) -> str:
    """What changes, without what nobody has to read over a shoulder."""
    old, new = (content.decode(errors="replace").splitlines() for content in (before, after))
    start = _shared(old, new)
    end = _shared(old[start:][::-1], new[start:][::-1])
    start, end = max(0, start - _CONTEXT), max(0, end - _CONTEXT)
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if len(old) + len(new) > _MAX_LINES:
        return translatable(
            "{old} lines become {new} others: too many to show", old=len(old), new=len(new)
        )
    lines = list(difflib.unified_diff(old, new, "", "", "", "", _CONTEXT))[3:]
    redaction = Redaction()
    shown = (redact_bounded(line, redaction)[:_MAX_LINE_LENGTH] for line in lines)
    return "\n".join("…" if line.startswith("@@") else line for line in shown)


def _shared(old: list[str], new: list[str]) -> int:
    """How many lines both begin with."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(old), len(new)))


# --- backups ------------------------------------------------------------------------------------


def _backups(path: Path) -> list[Path]:
    """What was kept of a file, the newest first."""
    target = Path(os.path.realpath(path))
    return [target.with_name(name) for _, _, name in sorted(_dated(target), reverse=True)]


def _dated(target: Path) -> list[tuple[str, int, str]]:
    """When each backup was kept, which one of that second it is, and its name."""
    start, end = f"{target.name}.", ".bak"
    try:
        names = os.listdir(target.parent)
    except OSError:
        return []
    ours = [name for name in names if name.startswith(start) and name.endswith(end)]
    dated = [(_BACKUP.fullmatch(name[len(start) : -len(end)]), name) for name in ours]
    return [(found[1], int(found[2] or 1), name) for found, name in dated if found is not None]


def _keep(path: Path, content: bytes) -> Path:
    """Keep the file beside itself, with the date; the same content once."""
    target = Path(os.path.realpath(path))
    kept = _backups(path)
    for backup in kept:
        if _same(backup, content):
            return backup
    stamp = time.strftime("%Y%m%d-%H%M%S")
    numbers = [1, *(number + 1 for date, number, _ in _dated(target) if date == stamp)]
    tail = f"-{max(numbers)}" if len(numbers) > 1 else ""
    backup = target.with_name(f"{target.name}.{stamp}{tail}.bak")
    write_file(backup, content)
    for old in kept[MAX_BACKUPS - 2 : -1]:
        old.unlink(missing_ok=True)
    return backup


def _same(backup: Path, content: bytes) -> bool:
    try:
        return read_file(backup) == content
    except ConfigError:
        return False
