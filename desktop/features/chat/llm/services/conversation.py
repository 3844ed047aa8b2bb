"""Prepares a conversation for a provider: every call answered, message by message, in its format.

Providers refuse the whole request for one call without an answer, and a person may end a turn at
any moment. Pure; knows no provider: each one passes the functions that make its messages.
"""

from __future__ import annotations

import hashlib
import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec.structs import replace

from desktop.base.later_patterns import compile_later
from desktop.features.models.formats.arguments import UnreadableArgumentsError, parse_arguments
from desktop.features.models.formats.content_parts import ContentPart, convert_content
from desktop.features.models.json_values import NotSerializableError, copy_json, plain_text
from desktop.features.models.messages import (
    AssistantMessage,
    Message,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    UserMessage,
)
from desktop.values.tool_types import Content, ErrorCode, failed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop.features.chat.llm.completion import CompletionRequest
    from desktop.features.models.json_values import JsonObject

EMPTY_MESSAGE: Final = "(The message is empty.)"
PICTURE: Final = "[Image: {mime}. It was not sent: this model reads text alone.]"
NOT_RUN: Final = "This call was not run: the person or the app ended the turn before it."
COUNTED_WITH: Final = "Hello"
"""The message that tools are counted with: without any, a provider counts nothing."""
_SAFE: Final = compile_later(r"[A-Za-z0-9_-]{1,64}")


def map_messages(
    request: CompletionRequest,
    source: str,
    *,
    user: Callable[[list[ContentPart]], list[JsonObject]],
    model: Callable[[AssistantMessage, list[JsonObject]], list[JsonObject]],
    tools: Callable[[Sequence[ToolAnswer]], list[JsonObject]],
) -> list[JsonObject]:
    """All messages of a request, in order.

    Args:
        request: its conversation may end anywhere, and part of it may be with other providers.
        source: turns whose `Replay.provider` is this one are sent back as they came.
        user: makes messages of the parts of a user message; there is at least one.
        model: makes messages of a turn, and of its items as they came: empty where they did not
            come from `source`.
        tools: makes messages of the answers to all calls of the turn before.
    """
    mapped: list[JsonObject] = []
    unbound = {id(message) for message in request.messages[: request.unbound]}
    for each in repair_messages(request.messages):
        message = each if request.facts.sees is not False else without_pictures(each)
        match message:
            case ToolMessage():
                mapped += tools(message.answers)
            case AssistantMessage():
                is_bound = id(each) not in unbound
                items = replay_items(message, request.model, source) if is_bound else []
                mapped += model(message, items)
            case _:
                mapped += user(convert_user_message(message))
    return mapped


def without_pictures(message: Message) -> Message:
    """The same with a note in the place of each picture, for a model that sees none."""
    match message:
        case UserMessage() if message.images:
            notes = [PICTURE.format(mime=image.mime) for image in message.images]
            return UserMessage("\n".join([*notes, message.text]).strip())
        case ToolMessage():
            return ToolMessage(tuple(map(_without_pictures, message.answers)))
        case _:
            return message


def _without_pictures(answer: ToolAnswer) -> ToolAnswer:
    content = answer.result.content
    if not any(block.kind == "image" for block in content):
        return answer
    kept = tuple(
        Content("text", PICTURE.format(mime=block.mime)) if block.kind == "image" else block
        for block in content
    )
    return replace(answer, result=replace(answer.result, content=kept))


def has_pictures(messages: Sequence[Message]) -> bool:
    """Whether somebody showed one."""
    return any(without_pictures(message) != message for message in messages if message)


def convert_user_message(message: UserMessage) -> list[ContentPart]:
    """The images, then the text; never empty, as no provider accepts an empty message."""
    parts = [
        convert_content(Content("image", data=image.data, mime=image.mime))
        for image in message.images
    ]
    if message.text.strip():
        parts.append(ContentPart(plain_text(message.text)))
    return parts or [ContentPart(EMPTY_MESSAGE)]


def replay_items(message: AssistantMessage, model: str, source: str) -> list[JsonObject]:
    """A copy of the turn as it came, if it came from the same provider and model, else nothing.

    Signatures and encrypted reasoning are refused, or useless, anywhere else.
    """
    replay = message.replay
    if replay is None or (replay.provider, replay.model) != (source, model):
        return []
    return [deepcopy(dict(item)) for item in replay.items]


def repair_messages(messages: Sequence[Message]) -> list[Message]:
    """The messages with every request answered in its place, and no answer without a request.

    Turns without text and calls are left out: providers refuse empty ones.
    """
    return list(_repair(messages))


def _repair(messages: Sequence[Message]) -> Iterator[Message]:
    for index, message in enumerate(messages):
        if isinstance(message, ToolMessage):
            continue  # yielded with the turn that it answers
        if not isinstance(message, AssistantMessage):
            yield message
            continue
        if message.text.strip() or message.requests:
            yield message
        if message.requests:
            following = messages[index + 1] if index + 1 < len(messages) else None
            given = following.answers if isinstance(following, ToolMessage) else ()
            yield ToolMessage(
                tuple(_answers(message, {answer.call_id: answer for answer in given}))
            )


def _answers(message: AssistantMessage, given: dict[str, ToolAnswer]) -> Iterator[ToolAnswer]:
    for request in message.requests:
        not_run = failed("NotRun", NOT_RUN, ErrorCode.CANCELLED)
        found = given.get(request.call_id)
        yield found or ToolAnswer(request.call_id, request.wire_name, not_run)


def read_arguments(request: ToolRequest) -> dict[str, Any]:
    """The arguments as an object, as every provider wants them back; unreadable ones say so."""
    try:
        return cast("dict[str, Any]", copy_json(parse_arguments(request.arguments)))
    except (UnreadableArgumentsError, NotSerializableError):
        raw = request.arguments
        text = raw if isinstance(raw, str) else json.dumps(raw, default=str)
        return {"unreadable_arguments": plain_text(text)}


def make_safe_id(call_id: str) -> str:
    """An id that every provider accepts, and always the same; `call_id` itself if it can be."""
    if _SAFE.fullmatch(call_id):
        return call_id
    digest = hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()
    return f"call_{digest[:24]}"


def use_safe_ids(answers: Sequence[ToolAnswer]) -> list[ToolAnswer]:
    """The answers under the ids of their calls as `make_safe_id` makes them."""
    return [replace(answer, call_id=make_safe_id(answer.call_id)) for answer in answers]
