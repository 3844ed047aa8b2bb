"""What comes back from a tool call: success, data or error, how long it took and when.

A failing tool is a result, never an exception. Holds; decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from desktop.tools.definition import JsonObject
    from desktop.tools.issue import ValidationIssue


class ErrorCode(StrEnum):
    """Why a call has no data; stable, for programs. Terminal exit codes follow from it."""

    NOT_FOUND = "tool_not_found"
    INVALID_ARGUMENTS = "invalid_arguments"
    DENIED = "denied"
    TOOL_ERROR = "tool_error"
    UNREACHABLE = "server_unreachable"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    PROTOCOL = "protocol_error"
    INTERNAL = "internal_error"


@dataclass(frozen=True, slots=True)
class ToolError:
    """`type` is the class of the cause, `message` a sentence for a person, `code` for a program."""

    type: str
    message: str
    code: ErrorCode


ContentKind: TypeAlias = Literal["text", "image", "audio", "resource", "link"]


@dataclass(frozen=True, slots=True)
class Content:
    """One block of a result: `text` for text, `data` (decoded) for media, `uri` for resources."""

    kind: ContentKind
    text: str = ""
    data: bytes = b""
    mime: str = ""
    uri: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The wrapped result of one call. `output` is its content as text (`flatten_content`).

    `execution_time` is in seconds, `timestamp` the moment the call ended, in UTC. `output_issues`
    is the verdict of the tool's `outputSchema` on `structured`: None where nothing was checked,
    empty where it fits.
    """

    success: bool
    output: str = ""
    error: ToolError | None = None
    content: tuple[Content, ...] = ()
    structured: Any = None
    execution_time: float = 0.0
    timestamp: datetime = field(default_factory=lambda: datetime.now(UTC))
    meta: JsonObject = field(default_factory=dict[str, Any])
    output_issues: tuple[ValidationIssue, ...] | None = None

    @property
    def is_error(self) -> bool:
        return not self.success

    def to_json(self) -> dict[str, Any]:
        """The shape that `mcp-desktop call --json` prints and history stores; media as sizes."""
        error = self.error
        return {
            "success": self.success,
            "data": None if error and not self.content else self._data(),
            "error": error and {"type": error.type, "message": error.message, "code": error.code},
            "execution_time": round(self.execution_time, 6),
            "timestamp": self.timestamp.isoformat(),
        }

    def _data(self) -> dict[str, Any]:
        return {
            "output": self.output,
            "content": [_content_json(block) for block in self.content],
            "structuredContent": self.structured,
        }


def _content_json(block: Content) -> dict[str, Any]:
    fields = {"type": block.kind, "text": block.text, "mimeType": block.mime, "uri": block.uri}
    shown = {key: value for key, value in fields.items() if value}
    return shown | ({"bytes": len(block.data)} if block.data else {})
