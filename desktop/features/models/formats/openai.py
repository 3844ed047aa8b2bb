"""Tools, schemas and tool results for OpenAI: Chat Completions and Responses.

Must not choose the names of tools. Sources: openai 3.52 `FunctionDefinition`, `FunctionTool`,
`ChatCompletionToolMessageParam`, `FunctionCallOutput`; the function calling guide for `strict`; the
server's "is not a 'regex'" for patterns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from desktop.base.translatable import translatable
from desktop.features.models.formats.content_parts import (
    IMAGES,
    ContentPart,
    convert_answer,
    join_text,
)
from desktop.features.models.formats.schema_keywords import append_description, is_python_pattern
from desktop.features.models.formats.schema_normaliser import transform_schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.features.models.formats.declaration import Report
    from desktop.features.models.formats.schema_keywords import JsonSchema
    from desktop.features.models.messages import ToolAnswer
    from desktop.values.tool_types import JsonPath
ERROR_PREFIX: Final = "Error: "
"""Chat Completions and Responses have no flag for an error, so the text says it."""


def make_chat_tool(name: str, description: str, schema: JsonSchema) -> dict[str, Any]:
    """One entry of `tools` of Chat Completions."""
    return {"type": "function", "function": _make_function(name, description, schema)}


def make_responses_tool(name: str, description: str, schema: JsonSchema) -> dict[str, Any]:
    """One entry of `tools` of Responses, which is flat."""
    return {"type": "function", **_make_function(name, description, schema)}


def adapt_schema(schema: JsonSchema, report: Report) -> JsonSchema:
    """A normalised schema without the patterns that OpenAI's own check cannot compile."""
    out = transform_schema(schema, _drop_foreign_pattern, report)
    if "$defs" in schema:
        definitions = cast("JsonSchema", schema["$defs"]).items()
        out["$defs"] = {
            name: transform_schema(each, _drop_foreign_pattern, report, ("$defs", name))
            for name, each in definitions
        }
    return out


def _make_function(name: str, description: str, schema: JsonSchema) -> dict[str, Any]:
    # Sent even though false is the default of Chat Completions: on Responses it is not, and strict
    # makes every optional parameter required.
    return {"name": name, "description": description, "parameters": schema, "strict": False}


def _drop_foreign_pattern(schema: JsonSchema, path: JsonPath, report: Report) -> JsonSchema:
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and not is_python_pattern(pattern):
        del schema["pattern"]
        append_description(schema, f"Matches the regular expression {pattern}")
        words = translatable(
            "The pattern was moved to the description: OpenAI does not support its dialect."
        )
        report.add("loosened", (*path, "pattern"), words)
    return schema


def format_chat_results(answers: Sequence[ToolAnswer]) -> list[dict[str, Any]]:
    """One `tool` message per call, text only, then the images of all of them."""
    told: list[dict[str, Any]] = []
    pictures: list[dict[str, Any]] = []
    for answer in answers:
        found = convert_answer(answer, ERROR_PREFIX)
        told.append({"role": "tool", "tool_call_id": answer.call_id, "content": join_text(found)})
        if images := [part for part in found if part.mime in IMAGES]:
            pictures.append({"type": "text", "text": f"Images that {answer.wire_name} returned:"})
            pictures += map(make_chat_part, images)
    return [*told, {"role": "user", "content": pictures}] if pictures else told


def make_chat_part(part: ContentPart) -> dict[str, Any]:
    """A part of a user message; anything but an image is sent as its note."""
    if part.mime not in IMAGES:
        return {"type": "text", "text": part.text}
    return {"type": "image_url", "image_url": {"url": part.data_url}}


def format_responses_results(answers: Sequence[ToolAnswer]) -> list[dict[str, Any]]:
    """One item per call: its output is a text, or a list of parts if it has media."""
    return [_format_item(answer) for answer in answers]


def _format_item(answer: ToolAnswer) -> dict[str, Any]:
    found = convert_answer(answer, ERROR_PREFIX)
    if all(part.is_text for part in found):
        output: Any = join_text(found)
    else:
        output = [make_responses_part(part) for part in found]
    return {"type": "function_call_output", "call_id": answer.call_id, "output": output}


def make_responses_part(part: ContentPart) -> dict[str, Any]:
    """A part of an input message or of an output."""
    if part.is_text:
        return {"type": "input_text", "text": part.text}
    if part.mime in IMAGES:
        return {"type": "input_image", "image_url": part.data_url, "detail": "auto"}
    name = part.name.rpartition("/")[2] or "document"
    return {"type": "input_file", "filename": name, "file_data": part.data_url}
