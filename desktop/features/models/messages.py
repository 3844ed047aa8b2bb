"""A conversation in terms of no provider: messages of a person, a model and its tools.

Plain types. Each service converts them to its provider's messages and back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.values.tool_types import ToolResult

StopReason: TypeAlias = Literal["end", "tools", "length", "refused", "filtered", "other"]
"""Why a model stopped: done, calls tools, out of tokens, refuses, blocked by a filter, other."""


class Image(Struct, frozen=True):
    """An image for a model: its bytes and its MIME type."""

    data: bytes
    mime: str


class UserMessage(Struct, frozen=True):
    """A message of a person."""

    text: str
    images: tuple[Image, ...] = ()


class ToolRequest(Struct, frozen=True):
    """A tool call as the model wrote it: perhaps with invalid JSON, or an unknown name.

    `call_id` is ours where the provider sent none; never empty, and unique in a turn. The
    `arguments` of a call that was cut off are invalid JSON: `WireTools.read_arguments` tells the
    model so. `key` is the tool `server:tool` that the name stood for, empty where for none.
    """

    call_id: str
    wire_name: str
    arguments: str | Mapping[str, Any] = ""
    key: str = ""


class Usage(Struct, frozen=True):
    """Tokens as the provider counted them; `cached` is the cheaper part of `input`."""

    input: int = 0
    output: int = 0
    cached: int = 0


class Replay(Struct, frozen=True):
    """A model's turn exactly as its provider sent it, to be sent back unchanged.

    Signatures of thinking and reasoning items are valid only there; others get the text.
    `items` is JSON: content blocks, output items or parts. `model` is the one that was asked.
    """

    provider: str
    items: tuple[Mapping[str, Any], ...]
    model: str = ""


class AssistantMessage(Struct, frozen=True):
    """One turn of a model.

    `note` is the sentence of the app that `text` ends with, where one was added.
    """

    text: str = ""
    requests: tuple[ToolRequest, ...] = ()
    thinking: str = ""
    stop: StopReason = "end"
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    replay: Replay | None = None
    note: str = ""


class ToolAnswer(Struct, frozen=True):
    """The result of one call; `call_id` and `wire_name` are those of its `ToolRequest`.

    `corrected` has the arguments, without secrets, where a person changed what the model wrote;
    `note` is what the app tells the model beside the result, as a sentence.
    """

    call_id: str
    wire_name: str
    result: ToolResult
    corrected: Mapping[str, Any] | None = None
    note: str = ""


class ToolMessage(Struct, frozen=True):
    """The answers to all requests of the turn before it, in their order."""

    answers: tuple[ToolAnswer, ...]


Message: TypeAlias = UserMessage | AssistantMessage | ToolMessage
