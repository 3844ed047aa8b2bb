"""A conversation, neutral of provider: what a person, a model and its tools said.

Holds; decides nothing. Each service turns it into its provider's messages and back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.tool_types import ToolResult

StopReason: TypeAlias = Literal["end", "tools", "length", "refused", "filtered", "other"]
"""Why a model stopped: done, wants its tools run, out of room, will not, was not let, else."""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture given to a model: its bytes and its MIME type."""

    data: bytes
    mime: str


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What a person said."""

    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A tool call as the model wrote it: unread, and perhaps neither valid JSON nor a known name.

    `call_id` is ours where the provider gave none; never empty, never twice in a turn. A call that
    was cut in the middle has a text that cannot be read as `arguments`: `WireTools.read_arguments`
    says so to the model.
    """

    call_id: str
    wire_name: str
    arguments: str | Mapping[str, Any] = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; `cached` is the part of `input` that cost less."""

    input: int = 0
    output: int = 0
    cached: int = 0


@dataclass(frozen=True, slots=True)
class Replay:
    """A model's turn exactly as its provider sent it, to be sent back unchanged.

    Thought signatures and reasoning items are only valid there; another provider gets the text.
    `items` is JSON: content blocks, output items or parts. `model` is the one that was asked.
    """

    provider: str
    items: tuple[Mapping[str, Any], ...]
    model: str = ""


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """One turn of a model."""

    text: str = ""
    requests: tuple[ToolRequest, ...] = ()
    thinking: str = ""
    stop: StopReason = "end"
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    replay: Replay | None = None


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What one requested call came to: `call_id` and `wire_name` are those of its `ToolRequest`."""

    call_id: str
    wire_name: str
    result: ToolResult


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """The answers to all requests of the turn before it, in their order."""

    answers: tuple[ToolAnswer, ...]


Message: TypeAlias = UserMessage | AssistantMessage | ToolMessage
