"""A request to run one tool, from a person or an agent alike, and what is told while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from uuid import uuid4

if TYPE_CHECKING:
    from desktop.tools.definition import JsonObject

Origin: TypeAlias = Literal["person", "agent", "terminal"]
"""Who makes a call."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """`key` is `server:tool`; `timeout` in seconds, None for the server's own limit.

    `text` is what a model wrote as its arguments, JSON that may be wrong: where it is not None the
    executor reads it instead of `arguments`, and says where it is no JSON object.
    """

    key: str
    arguments: JsonObject = field(default_factory=dict[str, Any])
    call_id: str = field(default_factory=lambda: uuid4().hex)
    origin: Origin = "person"
    timeout: float | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a running call is; `total` None when the server does not know."""

    progress: float
    total: float | None = None
    message: str = ""
