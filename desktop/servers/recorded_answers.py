"""What a recorded server answered, found again by what is asked.

By the arguments, and in the order of the recording where the same was asked more than once; the
last answer stays. A secret that was taken out fits whatever stands in its place. Nothing is made
up, and no server is started.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, cast

from desktop.redaction.policy import PLACEHOLDER
from desktop.redaction.redactor import Redaction

if TYPE_CHECKING:
    from desktop.servers.recording import Exchange, RecordedServer


class RecordedAnswers:
    """The answers of one server; each is taken once, and the last of its kind as often as asked."""

    def __init__(self, server: RecordedServer) -> None:
        self._server = server
        self._taken: Counter[tuple[str, str]] = Counter()

    def has(self, method: str, asked: dict[str, Any]) -> bool:
        """Whether this was ever asked."""
        return bool(_matching(self._server.of(method), asked))

    def count_of(self, method: str, name: str) -> int:
        """How often the tool or prompt was asked for, with whatever arguments."""
        return len(self._of(method, name))

    def differing(self, method: str, asked: dict[str, Any]) -> list[str]:
        """The arguments in which the nearest of those differs."""
        others = self._of(method, asked["name"])
        differing = (_differing(each, asked["arguments"]) for each in others)
        return min(differing, key=len, default=[])

    def _of(self, method: str, name: str) -> list[Exchange]:
        return [each for each in self._server.of(method) if each.params.get("name") == name]

    def take(self, method: str, asked: dict[str, Any]) -> Exchange | None:
        """The next answer to this; None where it was never asked.

        Args: asked: the params that count: all of these have to be the same.
        """
        matching = _matching(self._server.of(method), asked)
        if not matching:
            return None
        key = method, json.dumps(asked, sort_keys=True, ensure_ascii=False)
        exchange = matching[min(self._taken[key], len(matching) - 1)]
        self._taken[key] += 1
        return exchange


def _matching(exchanges: list[Exchange], asked: dict[str, Any]) -> list[Exchange]:
    """Those that asked the same, in their order."""
    hidden = Redaction().value(asked)  # as it would have been recorded
    return [each for each in exchanges if _fits(_with_arguments(each.params, asked), asked, hidden)]


def _with_arguments(params: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    known = {key: params.get(key) for key in asked}
    return known | ({"arguments": params.get("arguments") or {}} if "arguments" in asked else {})


def _differing(exchange: Exchange, asked: dict[str, Any]) -> list[str]:
    """The names of arguments that are not in both, or not the same."""
    recorded = cast("dict[str, Any]", exchange.params.get("arguments") or {})
    shared = recorded.keys() & asked.keys()
    changed = {name for name in shared if not _fits(recorded[name], asked[name], asked[name])}
    return sorted(changed | (recorded.keys() ^ asked.keys()))


def _fits(recorded: Any, asked: Any, hidden: Any) -> bool:
    """Whether a recorded value is what is asked, as it is or without what looks like a secret."""
    if isinstance(recorded, str) and PLACEHOLDER in recorded:
        return isinstance(asked, str) and _fits_around(recorded, asked)
    if isinstance(recorded, dict) and isinstance(asked, dict) and isinstance(hidden, dict):
        known, now = cast("dict[str, Any]", recorded), cast("dict[str, Any]", asked)
        as_hidden = cast("dict[str, Any]", hidden)
        return known.keys() == now.keys() and all(
            _fits(known[key], now[key], as_hidden.get(key)) for key in known
        )
    if isinstance(recorded, list) and isinstance(asked, list) and isinstance(hidden, list):
        items, others = cast("list[Any]", recorded), cast("list[Any]", asked)
        as_hidden = cast("list[Any]", hidden)
        return len(items) == len(others) and all(map(_fits, items, others, as_hidden))
    same_kind = isinstance(recorded, bool) == isinstance(asked, bool)  # 1 == True
    return same_kind and recorded in (asked, hidden)


def _fits_around(recorded: str, asked: str) -> bool:
    """Whether what is left around a secret is there, at both ends."""
    beginning, _, rest = recorded.partition(PLACEHOLDER)
    end = rest.rpartition(PLACEHOLDER)[2]
    return asked.startswith(beginning) and asked.endswith(end)
