"""For whom the requests run that a server works on now: a client of the gateway, or the app itself.

A server that several use does not say for which request it asks for its roots. So it is told those
of a caller only while it works for that one alone; of nothing else is anybody told here.
"""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Generator, Hashable, Sequence

    from mcp_types import Root


class Caller(Protocol):
    """A client in one of its requests."""

    @property
    def client(self) -> Hashable:
        """The same for all requests of one client."""
        ...

    async def roots(self) -> Sequence[Root] | None:
        """The folders that it names; None where it has none to name, or does not."""
        ...


_caller: Final[ContextVar[Caller | None]] = ContextVar("caller", default=None)


@contextmanager
def calling_for(caller: Caller) -> Generator[None]:
    """A block whose requests to servers are made for `caller`."""
    token = _caller.set(caller)
    try:
        yield
    finally:
        _caller.reset(token)


class Callers:
    """Those of one session, by the requests that are open."""

    def __init__(self) -> None:
        self._open: dict[int, Caller | None] = {}
        self._opened = 0

    @contextmanager
    def entered(self) -> Generator[None]:
        """A block in which the answer to a request is waited for, made for whoever makes it."""
        self._opened += 1
        number = self._opened
        self._open[number] = _caller.get()
        try:
            yield
        finally:
            del self._open[number]

    def only_one(self) -> Caller | None:
        """The client for which all that is open runs; None where it runs for the app, or others."""
        callers = list(self._open.values())
        clients = Counter(caller.client if caller is not None else None for caller in callers)
        return callers[-1] if len(clients) == 1 else None
