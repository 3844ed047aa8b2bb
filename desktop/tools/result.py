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
    """Why a call has no data; stable, for programs. In brackets what the terminal exits with."""

    NOT_FOUND = "tool_not_found"
    """No tool, or more than one, has this name; nothing was sent (2)."""
    INVALID_ARGUMENTS = "invalid_arguments"
    """The arguments are not JSON or do not fit the tool's schema or rules; nothing was sent (2)."""
    DENIED = "denied"
    """Whoever was asked said no; nothing was sent (2)."""
    TOOL_ERROR = "tool_error"
    """The tool ran and reported an error (1)."""
    UNREACHABLE = "server_unreachable"
    """The server is not there, or went away in the call, which may have had effects (3)."""
    TIMEOUT = "timeout"
    """No answer and no progress within the limit; cancelled at the server (4)."""
    CANCELLED = "cancelled"
    """Whoever called gave it up; cancelled at the server where it was sent already (130)."""
    PROTOCOL = "protocol_error"
    """The server answered with an error of its own, or with what is no result (1)."""
    INTERNAL = "internal_error"
    """A fault of this app, or of a tool that lives in it; the log has more (1)."""


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

    `execution_time` is in seconds from sending to the answer, without what was waited before;
    `timestamp` the moment the call ended, in UTC. `output_issues` is the verdict of the tool's
    `outputSchema` on `structured`: None where nothing was checked, empty where it fits; an
    error among them says that it does not, a warning that it could not be checked whole. Output
    that does not fit is a success all the same: its data is there, and the finding beside it.
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
        """The shape that `mcp-desktop call --json` prints and history stores; media as sizes.

        `output_issues` is in it where the output was checked.
        """
        error, issues = self.error, self.output_issues
        checked = {} if issues is None else {"output_issues": [one.to_json() for one in issues]}
        return {
            "success": self.success,
            "data": None if error and not self.content else self._data(),
            "error": error and {"type": error.type, "message": error.message, "code": error.code},
            "execution_time": round(self.execution_time, 6),
            "timestamp": self.timestamp.isoformat(),
            **checked,
        }

    def _data(self) -> dict[str, Any]:
        return {
            "output": self.output,
            "content": [_content_json(block) for block in self.content],
            "structuredContent": self.structured,
        }


def failed(kind: str, message: str, code: ErrorCode) -> ToolResult:
    """A result without data; `kind` is the class of the cause."""
    return ToolResult(success=False, error=ToolError(kind, message, code))


def _content_json(block: Content) -> dict[str, Any]:
    fields = {"type": block.kind, "text": block.text, "mimeType": block.mime, "uri": block.uri}
    shown = {key: value for key, value in fields.items() if value}
    return shown | ({"bytes": len(block.data)} if block.data else {})
