"""Which libraries of a bundle something in it loads, and what goes with those that nothing does.

Names alone, as in bundle_contents.py, which says what is kept at all; nothing here builds anything.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from resources.packaging.bundle_contents import Entry


def reachable(entries: Iterable[Entry], needs: Callable[[Entry], Iterable[str]]) -> list[Entry]:
    """Of these libraries those that something of the bundle is linked against.

    Plug-ins that are not kept leave libraries behind that nothing else loads. Begins with what is
    loaded by name: extension modules, plug-ins, and Python itself.

    Args:
        entries: all that is kept so far.
        needs: the names of the files that an entry is linked against.
    """
    by_name: dict[str, list[Entry]] = {}
    for entry in entries:
        by_name.setdefault(_name(entry).lower(), []).append(entry)
    todo = [entry for entry in entries if _is_root(entry)]
    kept: set[Entry] = set()
    while todo:
        entry = todo.pop()
        if entry in kept:
            continue
        kept.add(entry)
        if entry[2] != "SYMLINK":  # else what it points to has the same name
            for name in needs(entry):
                todo += by_name.get(name.lower(), ())  # Windows asks for MSVCP140.dll in capitals
    return [entry for entry in entries if entry in kept]


def without_remains(datas: Iterable[Entry], libraries: Iterable[Entry]) -> list[Entry]:
    """Without what belonged to a library that is left out.

    That is a link to it, and on macOS the rest of its framework, which nothing could sign.
    """
    targets = {posixpath.normpath(_slashed(entry[0])) for entry in libraries}
    frameworks = {_framework(target) for target in targets}

    def stays(entry: Entry) -> bool:
        if framework := _framework(entry[0]):
            return framework in frameworks
        return entry[2] != "SYMLINK" or _led_to(entry) in targets

    return [entry for entry in datas if stays(entry)]


def needed(said: str) -> list[str]:
    """The names that a file is linked against, from what `readelf -dW` said of it."""
    return re.findall(r"\(NEEDED\).*\[([^\]]+)\]", said)


def _slashed(target: str) -> str:
    return target.replace("\\", "/")


def _name(entry: Entry) -> str:
    return PurePosixPath(_slashed(entry[0])).name


def _framework(target: str) -> str:
    """The folder of a framework that it is in; empty where it is in none."""
    folder, found, _ = target.partition(".framework/")
    return folder if found else ""


def _led_to(link: Entry) -> str:
    """Where a link of the bundle leads; its source is told from its own folder."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(link[0]), link[1]))


def _is_root(entry: Entry) -> bool:
    """Loaded by its name at run time, so that nothing is linked against it."""
    name = _name(entry).lower()
    is_python = name.startswith(("libpython", "python")) or "runtime" in name
    return entry[2] == "EXTENSION" or "plugins" in entry[0] or is_python
