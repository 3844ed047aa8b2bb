"""What a connection needs of a transport besides the SDK's streams, whatever the wire.

A `Link` is a transport of the SDK (an async context manager that gives two streams) which also
tells when the other side is gone. Must not know the protocol.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from mcp.client._transport import Transport


class ServerTransport(Protocol):
    """One way to one server, for one connection; `pid` and `exit_code` only of a process."""

    @property
    def transport(self) -> Transport: ...
    @property
    def pid(self) -> int | None: ...
    @property
    def exit_code(self) -> int | None: ...
    @property
    def lost(self) -> str:
        """Why nothing can be received any more, in words; empty while it can."""
        ...

    @property
    def is_closed(self) -> bool: ...
    @property
    def refusal(self) -> str:
        """The HTTP status with which it last refused a request; empty where there was none."""
        ...
