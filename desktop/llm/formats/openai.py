"""What OpenAI is told of a tool: Chat Completions and Responses. Must not decide about names.

Sources: openai 3.52 `FunctionDefinition` and `FunctionTool`; the function calling guide for
`strict`; the server's "is not a 'regex'" for patterns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from desktop.llm.formats.keywords import is_python_pattern
from desktop.llm.formats.rewriting import rewritten
from desktop.llm.formats.wording import described
from desktop.translatable import translatable

if TYPE_CHECKING:
    from desktop.llm.formats.keywords import Schema
    from desktop.llm.formats.report import Path, Report


def chat_tool(name: str, description: str, schema: Schema) -> dict[str, Any]:
    """One entry of `tools` of Chat Completions."""
    return {"type": "function", "function": _function(name, description, schema)}


def responses_tool(name: str, description: str, schema: Schema) -> dict[str, Any]:
    """One entry of `tools` of Responses, which is flat."""
    return {"type": "function", **_function(name, description, schema)}


def openai_schema(schema: Schema, report: Report) -> Schema:
    """A normalised schema without the patterns that OpenAI's own check does not understand."""
    out = rewritten(schema, _rule, report)
    if "$defs" in schema:
        definitions = cast("Schema", schema["$defs"]).items()
        out["$defs"] = {
            name: rewritten(each, _rule, report, ("$defs", name)) for name, each in definitions
        }
    return out


def _function(name: str, description: str, schema: Schema) -> dict[str, Any]:
    # Said even though false is the default of Chat Completions: on Responses it is not, and strict
    # makes every optional parameter required.
    return {"name": name, "description": description, "parameters": schema, "strict": False}


def _rule(schema: Schema, path: Path, report: Report) -> Schema:
    pattern = schema.get("pattern")
    if isinstance(pattern, str) and not is_python_pattern(pattern):
        del schema["pattern"]
        described(schema, f"Matches the regular expression {pattern}")
        words = translatable(
            "The pattern is said in the description: OpenAI does not understand its dialect."
        )
        report.add("loosened", (*path, "pattern"), words)
    return schema
