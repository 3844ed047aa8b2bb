"""The plain types of prompts, and of the values that a server proposes for an argument.

They only hold values, as `desktop.values.tool_types` does. A person looks at a message first:
nothing here sends it to a model. Source: MCP specification 2025-11-25 and 2026-07-28,
server/prompts and server/utilities/completion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct, field

if TYPE_CHECKING:
    from desktop.values.tool_types import Content, JsonObject, ToolError


class PromptArgument(Struct, frozen=True):
    """One value that a prompt takes; it is always text."""

    name: str
    title: str = ""
    description: str = ""
    required: bool = False

    @property
    def label(self) -> str:
        return self.title or self.name


class Prompt(Struct, frozen=True):
    """One prompt of one server, as the server declared it."""

    server: str
    name: str
    title: str = ""
    description: str = ""
    arguments: tuple[PromptArgument, ...] = ()
    icons: tuple[JsonObject, ...] = ()
    meta: JsonObject = field(default_factory=dict[str, Any])

    @property
    def key(self) -> str:
        """`server:prompt`, as a tool has it."""
        return f"{self.server}:{self.name}"

    @property
    def label(self) -> str:
        return self.title or self.name


Role: TypeAlias = Literal["user", "assistant"]


class PromptMessage(Struct, frozen=True):
    """One message of a prompt: who says it, and one block."""

    role: Role
    content: Content


class PromptResult(Struct, frozen=True):
    """The messages of a prompt with its arguments put in; `error` says why there are none."""

    messages: tuple[PromptMessage, ...] = ()
    description: str = ""
    error: ToolError | None = None
    seconds: float = 0.0
    meta: JsonObject = field(default_factory=dict[str, Any])

    @property
    def is_error(self) -> bool:
        return self.error is not None


class Completion(Struct, frozen=True):
    """The values that a server proposes for what was typed, the best first.

    `total` is how many there are in all, None where the server does not say; `has_more` that there
    are more than these. `error` says why there are none.
    """

    values: tuple[str, ...] = ()
    total: int | None = None
    has_more: bool = False
    error: ToolError | None = None
