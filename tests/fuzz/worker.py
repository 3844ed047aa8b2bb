"""One target under atheris: `python -m tests.fuzz.worker TARGET FOLDER LIBFUZZER_OPTION...`.

Mutates JSON as JSON, all else as bytes. Findings go to FOLDER. Only `python -m tests.fuzz` runs it.
"""

from __future__ import annotations

import copy
import json
import random
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

atheris: Any = import_module("atheris")  # of the group `fuzz`, not of `dev`
MAX_SECONDS = 3.0
"""Of the processor, for one input: one, and three times as long because each branch is watched."""
MAX_WAIT = 60
"""Seconds by the clock: libFuzzer ends there and keeps the input."""
MAX_MEGABYTES = 1_500
MAX_INPUT = 20_000
"""Bytes of an input. What is bounded for these is bounded by counts, and tests hold those."""
_JSON = ("messages", "schemas", "configs", "imports")
_WORDS: tuple[Any, ...] = (
    *(None, True, 0, -1, 1e308, 10**400, "", "a", "\u202e", "${HOME}", "${keyring:X}", [], {}),
    *("#/$defs/a", "#", "object", "string", "array", "integer", "null", "^(a|a)*$", "date-time"),
    *("http://a.b/c", "stdio", "npx", "2025-11-25", "2026-07-28", "tools/call", "text", "image"),
)
_KEYS = (
    *("type", "properties", "required", "items", "anyOf", "oneOf", "allOf", "not", "if"),
    *("then", "$ref", "$defs", "enum", "const", "pattern", "format", "default", "minimum"),
    *("maxLength", "patternProperties", "additionalProperties", "unevaluatedProperties"),
    *("dependentSchemas", "jsonrpc", "id", "method", "params", "result", "error", "tools"),
    *("content", "nextCursor", "name", "inputSchema", "outputSchema", "structuredContent"),
    *("isError", "_meta", "annotations", "mcpServers", "command", "args", "env", "url"),
    *("headers", "cwd", "transport", "inputs"),
)


def mutate(data: bytes, limit: int, seed: int) -> bytes:
    """A neighbour of `data`: one to four changes of its tree, where it is JSON."""
    chance = random.Random(seed)
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return atheris.Mutate(data, limit)
    if chance.random() < 0.1:
        return atheris.Mutate(data, limit)
    for _ in range(chance.randint(1, 4)):
        value = _changed(value, chance)
    try:
        made = json.dumps(value).encode()
    except (ValueError, RecursionError):
        return data
    return made if len(made) <= limit else data


def _changed(value: Any, chance: random.Random) -> Any:
    places = list(_places(value))
    if not places:
        return copy.deepcopy(chance.choice(_WORDS))
    parent, key = chance.choice(places)
    other_parent, other_key = chance.choice(places)
    match chance.randrange(5):
        case 0:
            del parent[key]
        case 1:
            parent[key] = copy.deepcopy(chance.choice(_WORDS))
        case 2:
            parent[key] = json.loads(json.dumps(other_parent[other_key]))
        case 3:
            parent[key] = {chance.choice(_KEYS): parent[key]}
        case _:
            inner = parent[key]
            if isinstance(inner, dict):
                inner[chance.choice(_KEYS)] = copy.deepcopy(chance.choice(_WORDS))
            elif isinstance(inner, list):
                cast("list[Any]", inner).append(copy.deepcopy(chance.choice(_WORDS)))
            else:
                parent[key] = [inner, inner]
    return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each member of `value`, however deep, as its parent and its key."""
    waiting: list[Any] = [value]
    while waiting:
        parent = waiting.pop()
        if isinstance(parent, dict):
            pairs: list[tuple[Any, Any]] = list(cast("dict[str, Any]", parent).items())
        elif isinstance(parent, list):
            pairs = list(enumerate(cast("list[Any]", parent)))
        else:
            continue
        for key, inner in pairs:
            yield parent, key
            waiting.append(inner)


class TooSlowError(Exception):
    """One input took the processor for longer than a person waits."""


def bounded(target: Callable[[bytes], None]) -> Callable[[bytes], None]:
    def run(data: bytes) -> None:
        began = time.thread_time()
        target(data)
        if (taken := time.thread_time() - began) > MAX_SECONDS:
            raise TooSlowError(f"{taken:.1f} s")

    return run


def main(name: str, folder: str, *options: str) -> None:
    with atheris.instrument_imports(include=["desktop"]):
        from tests.fuzz.targets import TARGETS

    limits = [
        *(f"-max_len={MAX_INPUT}", f"-timeout={MAX_WAIT}", f"-rss_limit_mb={MAX_MEGABYTES}"),
        f"-report_slow_units={MAX_WAIT}",  # what is slow by the clock alone, the machine made slow
        *("-print_final_stats=1", "-use_value_profile=1", f"-artifact_prefix={folder}/found-"),
    ]
    # libFuzzer starts itself anew where it merges, by the first word of its command line.
    again = Path(folder, "again")
    again.write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -m {__spec__.name} "{name}" "{folder}" "$@"\n', "utf-8"
    )
    again.chmod(0o700)
    more = {"custom_mutator": mutate} if name in _JSON else {}
    atheris.Setup([str(again), *limits, *options], bounded(TARGETS[name]), **more)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
