"""The servers and tools as the window showed them last, in a small file of the data folder.

Read before the first paint: imports next to nothing, and whatever is wrong with the file, it counts
as none. It names servers and tools and has the first line of what they are for: no command,
no address, no schema, no arguments. Must not know Qt or the core.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast
from zlib import crc32

from desktop.base.damaged_files import OwnFile
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.base.damaged_files import Damages

MAX_BYTES: Final = 400_000
MAX_SERVERS: Final = 100
MAX_TOOLS: Final = 300
"""Tools that are kept: more than a window shows at once, whatever its size."""
MAX_WORDS: Final = 200
"""Characters of a name, and of the line that says what a tool is for."""
_YEAR_9000: Final = 2.2e11


class KnownServer(NamedTuple):
    """One row of the Servers page; `figures` is the line below its name."""

    name: str
    is_builtin: bool
    is_enabled: bool
    figures: str


class KnownTool(NamedTuple):
    """One row of the tool list; `hint` is "read-only", "destructive" or empty."""

    server: str
    name: str
    title: str
    words: str
    hint: str

    @property
    def key(self) -> str:
        """`server:tool`."""
        return f"{self.server}:{self.name}"


class KnownSection(NamedTuple):
    """The row above the tools of a section; `server` is empty for the person's own sections."""

    id: str
    server: str
    tools: int
    is_open: bool


class KnownContent(NamedTuple):
    """What was shown, and when, in seconds since the epoch.

    `rows` are those of the tool list from its top, each a section or the place of a tool in
    `tools`. `tool_count` counts those that were left out, too. `config` is the stamp of the config
    file (`stamp_of`) that the servers are from: with another one, they may be gone or changed.
    """

    as_of: float
    config: tuple[int, int]
    servers: tuple[KnownServer, ...]
    tools: tuple[KnownTool, ...]
    rows: tuple[KnownSection | int, ...]
    tool_count: int


def stamp_of(config: Path) -> tuple[int, int]:
    """What tells a config file from another one: its size and a checksum; zeros where none is read.

    The same content counts as the same file, whoever wrote it again.
    """
    try:
        with open(config, "rb", opener=_without_waiting) as file:
            content = file.read(MAX_BYTES + 1)
    except OSError:
        return 0, 0
    return (len(content), crc32(content)) if len(content) <= MAX_BYTES else (0, 0)


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))


def read_snapshot(path: Path, config: Path, damages: Damages | None = None) -> KnownContent | None:
    """What is kept for this config file as it is now; None where there is nothing to be trusted."""
    file = _file(path, damages)
    found = file.read()
    if found.document is None:
        return None
    try:
        snapshot = _snapshot(found.document)
    except (ValueError, TypeError, KeyError, IndexError):
        file.damaged(translatable("it is not what the app has written"))
        return None
    return snapshot if snapshot.config == stamp_of(config) else None


def _file(path: Path, damages: Damages | None) -> OwnFile:
    lost = translatable("This start shows servers and tools once they are connected.")
    return OwnFile(path, "tools", list, lost, damages, most=MAX_BYTES)


def write_snapshot(path: Path, snapshot: KnownContent) -> None:
    """Replace the file as a whole, readable by its owner alone; blocks.

    Raises:
        ConfigError: it cannot be written.
    """
    _file(path, None).write(snapshot._asdict())


def _snapshot(fields: dict[str, Any]) -> KnownContent:
    tools = tuple(KnownTool(*map(_text, row)) for row in _some(fields["tools"], MAX_TOOLS))
    rows = tuple(
        _section(cast("list[Any]", row)) if isinstance(row, list) else _place(row, len(tools))
        for row in _some(fields["rows"], 2 * MAX_TOOLS)
    )
    size, checksum = fields["config"]
    return KnownContent(
        _seconds(fields["as_of"]),
        (_count(size), _count(checksum)),
        tuple(map(_server, _some(fields["servers"], MAX_SERVERS))),
        tools,
        rows,
        _count(fields["tool_count"]),
    )


def _some(value: object, limit: int) -> list[Any]:
    if not isinstance(value, list) or len(cast("list[Any]", value)) > limit:
        raise ValueError("no list of this length")
    return cast("list[Any]", value)


def _server(row: list[Any]) -> KnownServer:
    name, is_builtin, is_enabled, figures = row
    return KnownServer(_text(name), bool(is_builtin), bool(is_enabled), _text(figures))


def _section(row: list[Any]) -> KnownSection:
    id_, server, count, is_open = row
    return KnownSection(_text(id_), _text(server), _count(count), bool(is_open))


def _place(value: object, count: int) -> int:
    if not isinstance(value, int) or not 0 <= value < count:
        raise ValueError("no place of a tool")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return "".join(c if c.isprintable() else " " for c in value[:MAX_WORDS])


def _count(value: object) -> int:
    if not isinstance(value, int) or value < 0:
        raise TypeError("no count")
    return value


def _seconds(value: object) -> float:
    if not isinstance(value, (int, float)) or not 0 <= value < _YEAR_9000:
        raise TypeError("no time")
    return float(value)
