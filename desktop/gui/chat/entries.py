"""What a conversation consists of for the eye: one entry for each thing that is shown.

Holds; decides nothing. Must not import Qt.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from desktop.gui.chat.text_parts import GrowingText

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.agent.events import ApprovalQuestion
    from desktop.llm.messages import Image
    from desktop.tool_types import ToolResult

CallState: TypeAlias = Literal[
    "waiting", "asking", "running", "done", "failed", "denied", "cancelled"
]
"""Not sent yet; a person is asked; sent; and the four ways it ends."""
NoticeKind: TypeAlias = Literal[
    "retry", "stopped", "limit", "failed", "length", "refused", "filtered", "lost", "said"
]
"""Another attempt; why it ended other than with an answer; a built-in server; a plain sentence."""


@dataclass(slots=True, eq=False)
class UserEntry:
    """What a person asked."""

    text: GrowingText
    images: tuple[Image, ...] = ()


@dataclass(slots=True, eq=False)
class ModelEntry:
    """The words of one turn; `is_live` while more may come."""

    text: GrowingText = field(default_factory=GrowingText)
    thinking: GrowingText = field(default_factory=GrowingText)
    is_live: bool = False


@dataclass(slots=True, eq=False)
class ToolCallEntry:
    """One tool call. `key` is empty where the model named no tool there is: then `name` is said.

    `text` is what the model wrote where it could not be read as arguments. `elapsed` is in seconds:
    what the tool took, once it is over; `detail` how far it is, or why not.
    """

    call_id: str
    name: str
    key: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    text: str = ""
    state: CallState = "waiting"
    question: ApprovalQuestion | None = None
    result: ToolResult | None = None
    elapsed: float = 0.0
    detail: str = ""


@dataclass(slots=True, eq=False)
class NoticeEntry:
    """A sentence between the others; `sentence` in the words of whoever said it."""

    kind: NoticeKind
    sentence: str = ""
    seconds: float = 0.0
    attempt: int = 0
    cause: str = ""


Entry: TypeAlias = UserEntry | ModelEntry | ToolCallEntry | NoticeEntry
