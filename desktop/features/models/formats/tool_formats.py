"""Converts one tool, or the results of one round of calls, to a provider's format.

`convert` never raises for what a server declared; conversions are cached by definition, so that
switching servers on and off costs nothing. Sends nothing.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from desktop.base.translatable import translatable
from desktop.features.models.formats import anthropic, gemini, openai
from desktop.features.models.formats.arguments import rename_properties
from desktop.features.models.formats.declaration import (
    PROVIDERS,
    WIRE_NAME,
    ApiFormat,
    Declaration,
    Report,
    Verdict,
)
from desktop.features.models.formats.schema_normaliser import Normalised, process_json_schema
from desktop.features.models.json_values import plain_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.features.models.formats.schema_keywords import JsonSchema
    from desktop.features.models.messages import ToolAnswer
    from desktop.values.tool_types import ToolDefinition

MAX_CHARACTERS: Final = 250_000
"""Characters of one tool, some 60,000 tokens: more would displace everything else."""
_MAX_CACHED: Final = 2_048
_HARMLESS: Final = {"dropped", "moved"}
_BUILDERS: Final = {
    ApiFormat.OPENAI: openai.make_chat_tool,
    ApiFormat.OPENAI_RESPONSES: openai.make_responses_tool,
    ApiFormat.ANTHROPIC: anthropic.make_tool,
    ApiFormat.GEMINI: gemini.make_function_declaration,
}
_cache: OrderedDict[tuple[str, str, ApiFormat], tuple[ToolDefinition, Declaration]] = OrderedDict()
_lock = Lock()


def convert(
    definition: ToolDefinition, wire_name: str, api_format: ApiFormat, *, is_kept: bool = True
) -> Declaration:
    """One tool in `api_format`, under `wire_name`. Cached, and safe in any thread.

    `is_kept` is off for who wants the figures alone, of thousands of tools perhaps.
    """
    key = (definition.key, wire_name, api_format)
    with _lock:
        known = _cache.get(key)
        if known is not None and _is_same(known[0], definition):
            _cache.move_to_end(key)
            return known[1]
    declaration = _convert(definition, wire_name, api_format)
    if not is_kept:
        return declaration
    with _lock:
        _cache[key] = (definition, declaration)
        _cache.move_to_end(key)
        if len(_cache) > _MAX_CACHED:
            _cache.popitem(last=False)
    return declaration


def describe(definition: ToolDefinition) -> str:
    """The description that a model gets: never empty, as Gemini refuses that."""
    for text in (definition.description, definition.title):
        if clean := plain_text(text).strip():
            return clean
    return plain_text(f"The tool {definition.name} of {definition.server}.")


def _is_same(definition: ToolDefinition, other: ToolDefinition) -> bool:
    try:
        return definition is other or definition == other
    except RecursionError:  # schemas nested deeper than Python compares
        return False


def _convert(definition: ToolDefinition, wire_name: str, api_format: ApiFormat) -> Declaration:
    if not WIRE_NAME.fullmatch(wire_name):
        reason = translatable("no provider accepts the name {name}", name=f"{wire_name!r:.80}")
        return _reject(definition, wire_name, api_format, reason)
    if not definition.is_for_models:
        reason = translatable("its server keeps it for its own apps")
        return _reject(definition, wire_name, api_format, reason)
    try:
        return _declare(definition, wire_name, api_format)
    except RecursionError:
        reason = translatable("its schema is nested too deeply")
        return _reject(definition, wire_name, api_format, reason)


def _declare(definition: ToolDefinition, wire_name: str, api_format: ApiFormat) -> Declaration:
    normalised = process_json_schema(definition.input_schema)
    if normalised.refusal:
        return _reject(definition, wire_name, api_format, normalised.refusal, normalised)
    report = Report(dict.fromkeys(normalised.changes))
    schema, originals = _adapt_schema(normalised, api_format, report)
    body = _BUILDERS[api_format](wire_name, describe(definition), schema)
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    if len(text) > MAX_CHARACTERS:
        reason = translatable(
            "it has {count:,} characters, more than {most:,}",
            count=len(text),
            most=MAX_CHARACTERS,
        )
        return _reject(definition, wire_name, api_format, reason, normalised)
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


def _adapt_schema(
    normalised: Normalised, api_format: ApiFormat, report: Report
) -> tuple[JsonSchema, dict[str, str]]:
    schema = normalised.schema
    if api_format is ApiFormat.ANTHROPIC:
        return rename_properties(schema, report)
    if api_format is ApiFormat.GEMINI:
        keeps = normalised.keeps_references
        return gemini.adapt_schema(schema, report, keeps_references=keeps), {}
    return openai.adapt_schema(schema, report), {}


def _reject(
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


def answer_messages(
    api_format: ApiFormat, answers: Sequence[ToolAnswer], *, media_inside: bool = True
) -> list[dict[str, Any]]:
    """The messages (for Responses: input items, for Gemini: contents) of one round, as JSON.

    Never an empty answer. `media_inside` is for Gemini alone: whether the model takes media inside
    a functionResponse (3 and later); others get them in a content of their own after it.
    """
    match api_format:
        case ApiFormat.OPENAI:
            return openai.format_chat_results(answers)
        case ApiFormat.OPENAI_RESPONSES:
            return openai.format_responses_results(answers)
        case ApiFormat.ANTHROPIC:
            return anthropic.format_results(answers)
        case ApiFormat.GEMINI:
            return gemini.format_results(answers, media_inside=media_inside)


BYTES_PER_TOKEN: Final = 4


def estimate_tokens(value: Any) -> int:
    """About how many tokens a text costs, or a JSON value as it is sent; at least 1 unless empty.

    One for each four bytes of UTF-8, without a tokenizer: OpenAI says "1 token ~= 4 characters in
    English", and a Chinese character has three bytes and costs about 0.7 tokens since 2024. The
    providers' tokenizers are unpublished or downloaded, and differ by a third on JSON, so this is
    an estimate to compare servers by, not to fill a context.
    """
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    size = len(value) if value.isascii() else len(value.encode("utf-8", "replace"))
    return -(-size // BYTES_PER_TOKEN)
