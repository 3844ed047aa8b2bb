"""A conversation made ready for any provider: each call answered, once, right after its turn.

Providers refuse the whole request for one call without an answer, and a person may end a turn at
any moment. Pure; knows no provider.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.llm.formats.arguments import UnreadableArgumentsError, parse_arguments
from desktop.llm.json_values import NotSerializableError, copy_json, plain_text
from desktop.llm.messages import (
    AssistantMessage,
    Message,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
)
from desktop.tools.result import ErrorCode, failed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NOT_RUN: Final = "This call was not run: the person or the app ended the turn before it."
_SAFE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def settled(messages: Sequence[Message]) -> list[Message]:
    """The messages with every request answered in its place, and no answer without a request.

    Turns that say nothing and ask for nothing are left out: providers refuse empty ones.
    """
    return list(_settled(messages))


def _settled(messages: Sequence[Message]) -> Iterator[Message]:
    for index, message in enumerate(messages):
        if isinstance(message, ToolMessage):
            continue  # given with the turn that it answers
        if not isinstance(message, AssistantMessage):
            yield message
            continue
        if message.text.strip() or message.requests:
            yield message
        if message.requests:
            following = messages[index + 1] if index + 1 < len(messages) else None
            given = following.answers if isinstance(following, ToolMessage) else ()
            yield ToolMessage(tuple(_answers(message, {one.call_id: one for one in given})))


def _answers(message: AssistantMessage, given: dict[str, ToolAnswer]) -> Iterator[ToolAnswer]:
    for request in message.requests:
        not_run = failed("NotRun", NOT_RUN, ErrorCode.CANCELLED)
        found = given.get(request.call_id)
        yield found or ToolAnswer(request.call_id, request.wire_name, not_run)


def arguments_object(request: ToolRequest) -> dict[str, Any]:
    """The arguments as an object, which every provider takes back; unreadable ones are named so."""
    try:
        return cast("dict[str, Any]", copy_json(parse_arguments(request.arguments)))
    except (UnreadableArgumentsError, NotSerializableError):
        raw = request.arguments
        text = raw if isinstance(raw, str) else json.dumps(raw, default=str)
        return {"unreadable_arguments": plain_text(text)}


def safe_id(call_id: str) -> str:
    """An id that every provider takes; the same for the same, and itself where it is one."""
    if _SAFE.fullmatch(call_id):
        return call_id
    digest = hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()
    return f"call_{digest[:24]}"


def with_safe_ids(answers: Sequence[ToolAnswer]) -> list[ToolAnswer]:
    """The answers under the ids of their calls as `safe_id` has them."""
    return [replace(one, call_id=safe_id(one.call_id)) for one in answers]
