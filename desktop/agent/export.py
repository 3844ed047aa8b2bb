"""A stored session as a document: Markdown to read, JSON for programs. Pure.

What a tool said stands in a fence that it cannot close, and no picture in it is fetched by whoever
shows the document.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from desktop.agent.message_json import encode
from desktop.llm.messages import AssistantMessage, ToolMessage, UserMessage

if TYPE_CHECKING:
    from desktop.agent.library import LoadedSession
    from desktop.llm.messages import Image, ToolAnswer, ToolRequest
    from desktop.tool_types import Content

_TICKS = re.compile(r"`{3,}")


def to_json(opened: LoadedSession) -> dict[str, Any]:
    """The whole session as one JSON object; the messages as in its file."""
    return {
        "version": 1,
        "session": opened.about.to_json(),
        "messages": list(map(_json, opened.messages)),
    }


def to_markdown(opened: LoadedSession) -> str:
    """The whole session to read; media as notes."""
    about = opened.about
    told = [("Date", f"{about.created:%Y-%m-%d %H:%M} UTC"), ("Provider", about.provider)]
    told += [("Model", about.model), ("Built-in servers", ", ".join(map(str, about.builtins)))]
    parts = [f"# {_line(about.title or about.id)}"]
    parts.append("\n".join(f"- {name}: {_line(value)}" for name, value in told if value))
    if about.system:
        parts += ["## System prompt", _prose(about.system)]
    for message in opened.messages:
        match message:
            case UserMessage():
                parts += ["## Person", _prose(message.text), *map(_image, message.images)]
            case AssistantMessage():
                parts += _turn(message)
            case ToolMessage():
                for answer in message.answers:
                    parts += _answer(answer)
    return "\n\n".join(part for part in parts if part) + "\n"


def _json(message: Any) -> dict[str, Any]:
    requests: tuple[ToolRequest, ...] = getattr(message, "requests", ())
    arguments = {
        one.call_id: one.arguments if isinstance(one.arguments, str) else dict(one.arguments)
        for one in requests
    }
    return encode(message, arguments, keeps_replay=False)


def _turn(message: AssistantMessage) -> list[str]:
    parts = [f"## Model{f' ({_line(message.model)})' if message.model else ''}"]
    parts.append(_prose(message.text))
    for request in message.requests:
        given = request.arguments
        text = given if isinstance(given, str) else json.dumps(given, indent=2, ensure_ascii=False)
        parts += [f"### Call of `{_line(request.wire_name)}`", _fenced(text, "json")]
    return parts


def _answer(answer: ToolAnswer) -> list[str]:
    result = answer.result
    said = result.error.message if result.error is not None else result.output
    if not said and result.structured is not None:
        said = json.dumps(result.structured, indent=2, ensure_ascii=False)
    what = "Error" if result.is_error else "Result"
    media = [_medium(block) for block in result.content if block.data]
    return [f"### {what} of `{_line(answer.wire_name)}`", _fenced(said or "(nothing)"), *media]


def _fenced(text: str, language: str = "") -> str:
    longest = max((len(found) for found in _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _prose(text: str) -> str:
    """As it was written, but a picture stays its address: no reader fetches it."""
    return text.replace("![", "!\\[").replace("<img", "&lt;img")


def _line(text: str) -> str:
    return " ".join(text.replace("`", "'").split())


def _image(image: Image) -> str:
    return f"[Image: {_line(image.mime)}, {len(image.data):,} bytes]"


def _medium(block: Content) -> str:
    return f"[{block.kind.title()}: {_line(block.mime)}, {len(block.data):,} bytes]"
