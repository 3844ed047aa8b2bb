"""A judge: an official SDK that reads our requests by its own types, and asks in our place.

    judge = judge_of(api_format)         # imports that SDK, and no other
    judge.misfits(body, path)            # what its types refuse, and keys that they do not know
    judge.ask(loopback.url, body, path)  # its client sends the same and reads the answer

Each SDK takes a second to import: nothing else of the tests imports one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, cast

from pydantic import TypeAdapter, ValidationError

from desktop.features.models.formats import ApiFormat

if TYPE_CHECKING:
    Body: TypeAlias = dict[str, Any]

KEY: Final = "sk-secret-0123456789"
SECONDS: Final = 20.0
"""How long a judge waits for the loopback server."""
_MODULES: Final = {
    ApiFormat.OPENAI: "openai_judge",
    ApiFormat.OPENAI_RESPONSES: "openai_judge",
    ApiFormat.ANTHROPIC: "anthropic_judge",
    ApiFormat.GEMINI: "google_judge",
}


@dataclass(frozen=True)
class Heard:
    """An answer as the client reads it; `stop` is the provider's own word.

    `usage` counts what went in, what came out, and what of the first was cached.
    """

    text: str
    thinking: str
    calls: list[tuple[str, Any]]
    usage: tuple[int, int, int]
    stop: str


@dataclass(frozen=True)
class Refused:
    """An error as the client raises it: the status of the answer, 0 where it broke off."""

    status: int
    message: str


class Judge(Protocol):
    """One SDK for one of its APIs."""

    def misfits(self, body: Body, path: str) -> list[str]:
        """What its request types say against a body; `path` is where it was sent."""
        ...

    def ask(self, url: str, body: Body, path: str) -> Heard | Refused:
        """Send the same request with the SDK's client to the server at `url`, once."""
        ...


def judge_of(api_format: ApiFormat) -> Judge:
    module = import_module(f"tests.features.chat.llm.judges.{_MODULES[api_format]}")
    return module.JUDGES[api_format]


def misfits_of(adapter: TypeAdapter[Any], value: Any) -> list[str]:
    """What a type refuses, and the keys that it does not know, each with its place.

    A `TypedDict` takes keys that it does not know, and leaves them out of what it read.
    """
    try:
        read = _plain(adapter.validate_python(value))
    except ValidationError as error:
        return [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()]
    return list(_unknown(value, read, ""))


def _plain(read: Any) -> Any:
    """A copy in which what is validated only when it is read has been read."""
    if isinstance(read, Mapping):
        return {key: _plain(value) for key, value in cast("Body", read).items()}
    if isinstance(read, Iterable) and not isinstance(read, str | bytes):
        return [_plain(value) for value in cast("Iterable[Any]", read)]
    return read


def _unknown(sent: Any, read: Any, place: str) -> Iterable[str]:
    if isinstance(sent, dict) and isinstance(read, dict):
        known = cast("Body", read)
        for key, value in cast("Body", sent).items():
            if key not in known:
                yield f"{place}{key}: unknown"
            else:
                yield from _unknown(value, known[key], f"{place}{key}.")
    elif isinstance(sent, list) and isinstance(read, list):
        for number, (one, other) in enumerate(
            zip(cast("list[Any]", sent), cast("list[Any]", read), strict=True)
        ):
            yield from _unknown(one, other, f"{place}{number}.")
    elif sent != read:
        yield f"{place[:-1]}: read as another value"
