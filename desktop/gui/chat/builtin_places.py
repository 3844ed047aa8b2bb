"""What a built-in server of a conversation may touch, read from its arguments and written to them.

Knows the arguments of `builtin_servers.catalog`, no widget. What it does not know it leaves alone.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from desktop.agent.session_info import Builtin

Kind: TypeAlias = Literal["folder", "file"]
_KINDS: dict[str, Kind] = {"filesystem": "folder", "sqlite": "file"}
_READ_ONLY, _WRITE = "--read-only", "--write"

translate = QCoreApplication.translate


def kind_of(name: str) -> Kind | None:
    """What a person chooses for it; None where there is nothing to choose."""
    return _KINDS.get(name)


def place_of(builtin: Builtin) -> str:
    """Its folders or its file, as a person types them."""
    return os.pathsep.join(one for one in builtin.arguments if not one.startswith("--"))


def may_write(builtin: Builtin) -> bool:
    if builtin.name == "filesystem":
        return _READ_ONLY not in builtin.arguments
    return _WRITE in builtin.arguments


def with_place(builtin: Builtin, place: str, *, writes: bool) -> Builtin:
    """The same server for another place; its other options stay."""
    options = [one for one in builtin.arguments if one.startswith("--")]
    options = [one for one in options if one not in (_READ_ONLY, _WRITE)]
    if builtin.name == "filesystem":
        options += [] if writes else [_READ_ONLY]
        places = [one.strip() for one in place.split(os.pathsep) if one.strip()]
    else:
        options += [_WRITE] if writes else []
        places = [place.strip()] if place.strip() else []
    return replace(builtin, arguments=(*options, *places))


def access_words(builtin: Builtin) -> str:
    """What it may touch, as one sentence that begins with its name."""
    place = place_of(builtin)
    if kind_of(builtin.name) is not None and not place:
        words = translate("BuiltinPlaces", "{name}: choose what it may use, else it cannot start")
    else:
        words = _pattern(builtin)
    return words.format(name=builtin.name, place=place)


def _pattern(builtin: Builtin) -> str:
    writes = may_write(builtin)
    match builtin.name:
        case "filesystem" if writes:
            return translate("BuiltinPlaces", "{name} may read and write in {place}")
        case "filesystem":
            return translate("BuiltinPlaces", "{name} may read in {place}")
        case "sqlite" if writes:
            return translate("BuiltinPlaces", "{name} may read and change {place}")
        case "sqlite":
            return translate("BuiltinPlaces", "{name} may read {place}")
        case "shell":
            return translate("BuiltinPlaces", "{name} may run any command as you, anywhere")
        case "fetch" if "--allow-private" in builtin.arguments:
            return translate("BuiltinPlaces", "{name} may fetch pages, also of private networks")
        case "fetch":
            return translate("BuiltinPlaces", "{name} may fetch public web pages")
        case "memory":
            return translate("BuiltinPlaces", "{name} may read and write the file of its memory")
        case _:
            return translate("BuiltinPlaces", "{name} touches nothing of yours")
