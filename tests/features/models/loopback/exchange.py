"""What passes between a client and the loopback server; one file a provider says the rest."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Stop = Literal["end", "tools", "length", "refused", "filtered"]
Ending = Literal["whole", "cut", "held"]
EVENTS = "text/event-stream"


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
    """What is answered: one JSON document, or pieces that are sent one by one (a stream).

    `ending` says how it ends: "whole"; "cut" in the middle of what was announced; "held" open until
    the client hangs up, which sets `Loopback.hung_up`.
    """

    body: Any = None
    status: int = 200
    pieces: Iterable[bytes] = field(default=())
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    ending: Ending = "whole"

    def parts(self) -> Iterable[bytes]:
        return self.pieces or (json.dumps(self.body).encode(),)


@dataclass(frozen=True)
class Call:
    """A call that the model of a script makes; a text is sent as arguments as it is."""

    name: str
    arguments: Mapping[str, Any] | str

    @property
    def text(self) -> str:
        given = self.arguments
        return given if isinstance(given, str) else json.dumps(given)


@dataclass(frozen=True)
class Turn:
    """One answer of a scripted model; `number` counts the turns of the script from 0."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    thinking: str = ""
    stop: Stop = "end"
    number: int = 0

    def call_id(self, index: int) -> str:
        return f"call_{self.number}_{index}"


@dataclass(frozen=True)
class Wire:
    """One provider's wire: which paths are its, what it refuses, and what it says by itself.

    `stream` is a scripted turn as the events that the provider would send for it.
    """

    matches: Callable[[str], bool]
    violations: Callable[[Request], list[str]]
    refusal: Callable[[str, int], Any]
    answer: Callable[[Request], Reply]
    stream: Callable[[Turn, Request], list[bytes]]


def data_event(value: Any) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


def named_event(value: dict[str, Any]) -> bytes:
    """An event with its type in front of it, as OpenAI Responses and Anthropic send them."""
    return f"event: {value['type']}\n".encode() + data_event(value)


def pieces(text: str, size: int = 7) -> list[str]:
    """A text in the pieces in which a model sends it."""
    return [text[start : start + size] for start in range(0, len(text), size)]
