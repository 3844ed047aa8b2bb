"""Which messages a person wants to see. Must not import Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.servers.message_log import RecordedMessage

_TOOL_ERRORS = (b'"isError":true', b'"isError": true')


@dataclass(frozen=True, slots=True)
class MessageFilter:
    """All that is set has to fit; `text` is looked for in method, id and what was kept of the body.

    An error is what JSON-RPC calls one, what could not be read, and a tool's own `isError`.
    """

    text: str = ""
    server: str = ""
    kind: str = ""
    errors_only: bool = False

    def fits(self, message: RecordedMessage) -> bool:
        """Whether a message is shown; upper and lower case are the same."""
        if self.server and message.server != self.server:
            return False
        if self.kind and message.kind != self.kind:
            return False
        if self.errors_only and not is_error(message):
            return False
        return not self.text or self._has_text(message)

    def _has_text(self, message: RecordedMessage) -> bool:
        wanted = self.text.lower()
        if (
            wanted in message.method.lower()
            or wanted in message.subject.lower()
            or wanted == str(message.id)
        ):
            return True
        return wanted.encode() in message.body.lower()


def is_error(message: RecordedMessage) -> bool:
    """Whether something went wrong at the other side, or on the way."""
    if message.kind in {"error", "unreadable"}:
        return True
    return message.kind == "response" and any(mark in message.body for mark in _TOOL_ERRORS)
