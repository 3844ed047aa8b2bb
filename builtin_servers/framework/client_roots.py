"""The folders that the client offers: asks for them in the handshake era, and reads its answer.

What a server does with them is its own affair. Source: MCP specification 2025-11-25, client/roots.
"""

from __future__ import annotations

from threading import Condition

from builtin_servers.framework.schema import is_array, is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from builtin_servers.framework.protocol import RpcAnswer, RpcWriter

_MAX_WAIT_SECONDS = 5.0
"""How long a call waits for a client that promised roots and does not say them."""
_MAX_ROOTS = 1000


class ClientRoots:
    """The roots of one connection; the reading thread asks and takes, the workers wait."""

    def __init__(self, writer: RpcWriter) -> None:
        self._writer = writer
        self._changed = Condition()
        self._asked = 0
        self._is_waiting = False
        self._roots: list[str] = []

    def ask(self) -> None:
        """Ask the client; only the answer to the last request counts."""
        with self._changed:
            self._asked += 1
            self._is_waiting = True
            request = {"jsonrpc": "2.0", "id": self._id, "method": "roots/list"}
        self._writer.send(request)

    def take(self, answer: RpcAnswer) -> None:
        """An answer of the client; one to a request that is not ours is left alone."""
        with self._changed:
            if answer.id == self._id:
                self._roots = read_roots(answer.result)
                self._is_waiting = False
                self._changed.notify_all()

    def wait(self) -> list[str]:
        """The paths of the roots, once the client has answered or some seconds have passed."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_waiting, _MAX_WAIT_SECONDS)
            self._is_waiting = False  # the next call does not wait as long again
            return list(self._roots)

    @property
    def _id(self) -> str:
        return f"roots-{self._asked}"


def read_roots(result: object) -> list[str]:
    """The paths in a `ListRootsResult`; what is no folder of this machine is left out."""
    roots: object = result.get("roots") if is_object(result) else None
    paths = [_to_path(root) for root in roots[:_MAX_ROOTS]] if is_array(roots) else []
    return [path for path in paths if path is not None]


def _to_path(root: object) -> str | None:
    # Imported late: a server that is offered no roots starts without it.
    from urllib.parse import unquote, urlsplit

    uri: object = root.get("uri") if is_object(root) else None
    if not isinstance(uri, str):
        return None
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(parts.path)
    is_here = parts.scheme == "file" and parts.netloc in ("", "localhost")
    return path if is_here and path.startswith("/") and "\0" not in path else None
