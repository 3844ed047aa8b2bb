"""A call as a `mcp-desktop call` command that reads back as exactly the same arguments.

`key=value` where the schema's own words leave no doubt, `key:=JSON` elsewhere, `--args` where a
key cannot stand alone. Nothing that a terminal would act on is written as it is. Must not run it.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.tools.call_texts.request import plain_json

if TYPE_CHECKING:
    from desktop.tool_types import JsonObject

_LONGEST: Final = 100_000
"""Linux takes at most 128 KiB in one argument."""
_LONGEST_NUMBER: Final = 300
_PARTS: Final = 16


def terminal_command(key: str, arguments: JsonObject, schema: JsonObject) -> str:
    """The command for a shell of this system.

    Args:
        key: `server:tool`.
        arguments: what the command has to give the tool, value for value.
        schema: the tool's input schema, by which the command will read its words.

    Raises:
        ValueError: the tool's name has characters that no terminal can be given, or the
            arguments are too long for a command.
    """
    if not key.isprintable():
        raise ValueError("the tool's name has control characters")
    words = ["mcp-desktop", "call"]
    pairs = [_pair(name, value, schema) for name, value in arguments.items()]
    if None in pairs:
        words += ["--args", plain_json(dict(arguments))]
    words += ["--"] if key.startswith("-") else []
    words.append(key)
    if None not in pairs:
        words += [pair for pair in pairs if pair is not None]
    if max(map(len, words)) > _LONGEST:
        raise ValueError("the arguments are too long for a command line")
    return shlex.join(words) if os.name == "posix" else subprocess.list2cmdline(words)


def _pair(name: str, value: Any, schema: JsonObject) -> str | None:
    """One word for one argument; None where its key would be read as something else."""
    declared = _mapping(schema.get("properties"))
    is_plain = name.isprintable() and "=" not in name and not name.endswith(":")
    if not name or name[0] in "-@" or not is_plain or ("." in name and name not in declared):
        return None
    text = _plain_text(value, _mapping(declared.get(name)))
    return f"{name}={text}" if text is not None else f"{name}:={plain_json(value)}"


def _plain_text(value: Any, spec: Mapping[str, Any]) -> str | None:
    """What stands for the value without JSON around it, None where that could be misread."""
    if isinstance(value, str):
        return value if _takes_text(spec) and value.isprintable() else None
    kind = spec.get("type")
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    fits = (
        (kind == "boolean" and isinstance(value, bool))
        or (kind == "integer" and is_number and isinstance(value, int))
        or (kind == "number" and is_number)
    )
    text = plain_json(value) if fits and not _is_mixed(spec) else ""
    return text if 0 < len(text) < _LONGEST_NUMBER else None


def _takes_text(spec: Mapping[str, Any]) -> bool:
    """Whether text is among the types that the schema itself, or one of its branches, names."""
    branches = [
        _mapping(branch)
        for key in ("allOf", "anyOf", "oneOf")
        if isinstance(spec.get(key), list)
        for branch in cast("list[Any]", spec[key])[:_PARTS]
    ]
    kinds = [part.get("type") for part in (spec, *branches)]
    return any(kind == "string" or (isinstance(kind, list) and "string" in kind) for kind in kinds)


def _is_mixed(spec: Mapping[str, Any]) -> bool:
    return any(key in spec for key in ("$ref", "allOf", "anyOf", "oneOf"))


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
