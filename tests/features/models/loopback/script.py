"""A scripted model: what it says turn by turn, over whichever of the four wires it is asked.

    script = Script([turn("Let me see.", calls=[("calculator__add", {"a": 1, "b": 2})]), turn("3")])
    with Loopback() as loopback:  # or the fixture `loopback` of tests/features/models/conftest.py
        loopback.play(script)
        ... a service whose base_url is loopback.base_url(api_format) ...
    script.requests[1].body                # what the model was told before its second turn

`failing` and `reply` stand in the place of a turn. A request after the last turn is answered 500:
a conversation that goes on and on ends there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tests.features.models.loopback.exchange import (
    EVENTS,
    Call,
    Ending,
    Reply,
    Request,
    Stop,
    Turn,
    Wire,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def turn(
    text: str = "",
    calls: Iterable[tuple[str, Mapping[str, Any] | str]] = (),
    *,
    thinking: str = "",
    stop: Stop | None = None,
) -> Turn:
    """One answer; it stops for its calls where it has some, else because it is done."""
    made = tuple(Call(name, arguments) for name, arguments in calls)
    return Turn(text, made, thinking, stop or ("tools" if made else "end"))


class Interrupted:
    """A turn of which the last `missing` events never come: the connection is cut, or held open."""

    def __init__(self, turn: Turn, ending: Ending, missing: int) -> None:
        self.turn, self.missing = turn, missing
        self.ending: Ending = ending


def cut(turn: Turn, missing: int = 1) -> Interrupted:
    """The connection breaks off before the last `missing` events."""
    return Interrupted(turn, "cut", missing)


def short(turn: Turn, missing: int = 1) -> Interrupted:
    """The answer ends in good order, but its last `missing` events are not there."""
    return Interrupted(turn, "whole", missing)


def held(turn: Turn, missing: int = 1) -> Interrupted:
    """Nothing comes any more, and the connection stays open until the client hangs up."""
    return Interrupted(turn, "held", missing)


class Failing:
    """An error in the words of whichever provider is asked."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str]) -> None:
        self.status, self.message, self.headers = status, message, headers


def failing(status: int, message: str = "it failed", **headers: str) -> Failing:
    """An HTTP error; `retry_after="0"` becomes the header `Retry-After: 0`."""
    return Failing(status, message, {k.replace("_", "-"): v for k, v in headers.items()})


class Script:
    """Turns in their order; `requests` are those that were answered from it."""

    def __init__(self, turns: Sequence[Turn | Interrupted | Failing | Reply]) -> None:
        self.turns = list(turns)
        self.requests: list[Request] = []

    @property
    def is_done(self) -> bool:
        return len(self.requests) == len(self.turns)

    def answer(self, wire: Wire, request: Request) -> Reply:
        number = len(self.requests)
        if number >= len(self.turns):
            return Reply(wire.refusal("the script has no turn left", 500), 500)
        self.requests.append(request)
        match self.turns[number]:
            case Reply() as reply:
                return reply
            case Failing() as failure:
                body = wire.refusal(failure.message, failure.status)
                return Reply(body, failure.status, headers=failure.headers)
            case Interrupted() as broken:
                events = wire.stream(replace(broken.turn, number=number), request)
                said = events[: len(events) - broken.missing]
                return Reply(pieces=said, content_type=EVENTS, ending=broken.ending)
            case Turn() as whole:
                events = wire.stream(replace(whole, number=number), request)
                return Reply(pieces=events, content_type=EVENTS)
