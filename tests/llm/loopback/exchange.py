"""What passes between a client and the loopback server; one file a provider says the rest."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


@dataclass(frozen=True)
class Request:
    """One request as it came: `body` is the parsed JSON, in the order in which it was sent."""

    path: str
    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        return json.loads(self.raw)


@dataclass(frozen=True)
class Reply:
    """What is answered: one JSON document, or pieces that are sent one by one (a stream)."""

    body: Any = None
    status: int = 200
    pieces: Iterable[bytes] = field(default=())
    content_type: str = "application/json"

    def parts(self) -> Iterable[bytes]:
        return self.pieces or (json.dumps(self.body).encode(),)


@dataclass(frozen=True)
class Wire:
    """One provider's wire: which paths are its, what it refuses, and what it says by itself."""

    matches: Callable[[str], bool]
    violations: Callable[[dict[str, Any]], list[str]]
    refusal: Callable[[str], Any]
    answer: Callable[[Request], Reply]
