"""Names for servers that have none, or one that cannot be used here. Pure text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from desktop.config.checks import NAME_LIMIT, check_name

if TYPE_CHECKING:
    from collections.abc import Container

    from desktop.config.document import JsonObject

_NOISE = re.compile(r"^(mcp[-_]server[-_]|server[-_]|mcp[-_])|([-_]mcp([-_]server)?|[-_]server)$")
_SUFFIX = re.compile(r"\.(py|js|ts|exe)$")


def suggest_name(entry: JsonObject) -> str:
    """A name from the package or the address, for a server that came without one."""
    written = entry.get("args")
    args = cast("list[object]", written) if isinstance(written, list) else []
    words = [str(one) for one in args]
    named = next((word for word in words if not word.startswith("-")), "")
    source = named or str(entry.get("command") or entry.get("url") or "")
    if "://" in source:
        source = source.split("://", 1)[1].split("/")[0].split(":")[0]
    last = re.split(r"[/\\]", source)[-1].split("@")[0].split("=")[0]
    return _NOISE.sub("", _SUFFIX.sub("", last)).strip(".:") or "server"


def usable_name(name: str) -> str:
    """`name` where it can be used, else the nearest that can."""
    try:
        return check_name(name)
    except ValueError:
        pass
    kept = "".join(one if one.isprintable() and one != ":" else "-" for one in name[:200])
    trimmed = re.sub(r"-{2,}", "-", kept)[:NAME_LIMIT].strip(" -")
    try:
        return check_name(trimmed)
    except ValueError:
        return "server"


def free_name(name: str, taken: Container[str], origin: str = "") -> str:
    """`name`, or where it is taken `name-origin`, `name-2` ..., within the limit."""
    if name not in taken:
        return name
    tails = [f"-{origin}"] if origin else []
    number = 1
    while True:
        for tail in tails:
            found = f"{name[: NAME_LIMIT - len(tail)]}{tail}"
            if found not in taken:
                return found
        number += 1
        tails = [f"-{origin}-{number}" if origin else f"-{number}"]
