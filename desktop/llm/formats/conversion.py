"""`convert`: one tool for one provider. Never raises for what a server declared.

Conversions are remembered by definition, so that switching servers on and off costs nothing.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Final

from desktop.llm.formats.anthropic import messages_tool
from desktop.llm.formats.api_format import PROVIDERS, WIRE_NAME, ApiFormat
from desktop.llm.formats.declaration import Declaration, Verdict
from desktop.llm.formats.gemini import function_declaration, gemini_schema
from desktop.llm.formats.json_copy import plain_text
from desktop.llm.formats.normaliser import Normalised, process_json_schema
from desktop.llm.formats.openai import chat_tool, openai_schema, responses_tool
from desktop.llm.formats.renaming import with_legal_names
from desktop.llm.formats.report import Report
from desktop.llm.formats.tokens import estimate_tokens
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.llm.formats.keywords import Schema
    from desktop.tool_types import ToolDefinition

LARGEST: Final = 250_000
"""Characters of one tool, some 60,000 tokens: it would push everything else out of the request."""
_REMEMBERED: Final = 2_048
_HARMLESS: Final = {"dropped", "moved"}
_BUILDERS: Final = {
    ApiFormat.OPENAI: chat_tool,
    ApiFormat.OPENAI_RESPONSES: responses_tool,
    ApiFormat.ANTHROPIC: messages_tool,
    ApiFormat.GEMINI: function_declaration,
}
_recent: OrderedDict[tuple[str, str, ApiFormat], tuple[ToolDefinition, Declaration]] = OrderedDict()
_lock = Lock()


def convert(definition: ToolDefinition, wire_name: str, api_format: ApiFormat) -> Declaration:
    """One tool as `api_format` takes it, under `wire_name`; remembered, safe in any thread."""
    key = (definition.key, wire_name, api_format)
    with _lock:
        known = _recent.get(key)
        if known is not None and _same(known[0], definition):
            _recent.move_to_end(key)
            return known[1]
    made = _converted(definition, wire_name, api_format)
    with _lock:
        _recent[key] = (definition, made)
        _recent.move_to_end(key)
        if len(_recent) > _REMEMBERED:
            _recent.popitem(last=False)
    return made


def describe(definition: ToolDefinition) -> str:
    """What the model reads of a tool: never empty, as Gemini refuses that."""
    for text in (definition.description, definition.title):
        if clean := plain_text(text).strip():
            return clean
    return plain_text(f"The tool {definition.name} of {definition.server}.")


def _same(one: ToolDefinition, other: ToolDefinition) -> bool:
    try:
        return one is other or one == other
    except RecursionError:  # schemas nested deeper than Python compares
        return False


def _converted(definition: ToolDefinition, wire_name: str, api_format: ApiFormat) -> Declaration:
    if not WIRE_NAME.fullmatch(wire_name):
        reason = translatable("no provider takes the name {name}", name=f"{wire_name!r:.80}")
        return _rejected(definition, wire_name, api_format, reason)
    try:
        return _declared(definition, wire_name, api_format)
    except RecursionError:
        reason = translatable("its schema is nested too deeply")
        return _rejected(definition, wire_name, api_format, reason)


def _declared(definition: ToolDefinition, wire_name: str, api_format: ApiFormat) -> Declaration:
    normalised = process_json_schema(definition.input_schema)
    if normalised.refusal:
        return _rejected(definition, wire_name, api_format, normalised.refusal, normalised)
    report = Report(dict.fromkeys(normalised.changes))
    schema, originals = _emit(normalised.schema, api_format, report)
    body = _BUILDERS[api_format](wire_name, describe(definition), schema)
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    if len(text) > LARGEST:
        reason = translatable(
            "it takes {count:,} characters, more than {most:,}", count=len(text), most=LARGEST
        )
        return _rejected(definition, wire_name, api_format, reason, normalised)
    changes = tuple(report.changes)
    meant = all(change.kind in _HARMLESS for change in changes)
    return Declaration(
        definition.key,
        wire_name,
        api_format,
        Verdict.OK if meant else Verdict.REPAIRED,
        body,
        changes,
        renamed_properties=originals,
        tokens=estimate_tokens(text),
    )


def _emit(schema: Schema, api_format: ApiFormat, report: Report) -> tuple[Schema, dict[str, str]]:
    if api_format is ApiFormat.ANTHROPIC:
        return with_legal_names(schema, report)
    emit: Callable[[Schema, Report], Schema] = (
        gemini_schema if api_format is ApiFormat.GEMINI else openai_schema
    )
    return emit(schema, report), {}


def _rejected(
    definition: ToolDefinition,
    wire_name: str,
    api_format: ApiFormat,
    reason: str,
    normalised: Normalised | None = None,
) -> Declaration:
    words = translatable(
        "{tool} is not offered to {provider}: {reason}.",
        tool=definition.key,
        provider=PROVIDERS[api_format],
        reason=reason,
    )
    changes = normalised.changes if normalised else ()
    return Declaration(definition.key, wire_name, api_format, Verdict.REJECTED, {}, changes, words)
