"""What is wrong with a server, as far as it can be told without calling a tool.

An error breaks the protocol, or a request at some provider. A warning is what a client can live
with. Must not call a tool, and must not know how findings are printed.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct, field

from desktop.base.errors import ServerError
from desktop.base.later_patterns import compile_later
from desktop.features.models.formats import ApiFormat, make_wire_tools

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.servers.connection import ServerConnection
    from desktop.values.tool_types import JsonObject, ToolDefinition

Level: TypeAlias = Literal["error", "warning"]
Subject: TypeAlias = Literal[
    "start", "lists", "name", "description", "inputSchema", "outputSchema", "annotations",
    "providers", "protocol", "tokens",
]  # fmt: skip

LEGAL_NAME: Final = compile_later(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
"""What OpenAI, Anthropic and Gemini all take as it is: 64 characters, no dot, no digit first."""


class Finding(Struct, frozen=True):
    """One thing that is wrong; without `tool` it is about the server."""

    level: Level
    subject: Subject
    message: str
    tool: str = ""


class ServerReport(Struct):
    """One server: what it has, and what is wrong."""

    server: str
    is_connected: bool = True
    tools: Sequence[str] = ()
    resources: int = 0
    prompts: int = 0
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    """An estimate of what its tools take of each request, by format."""
    findings: list[Finding] = field(default_factory=list[Finding])

    @property
    def errors(self) -> list[Finding]:
        return [each for each in self.findings if each.level == "error"]

    @property
    def warnings(self) -> list[Finding]:
        return [each for each in self.findings if each.level == "warning"]

    def of(self, tool: str) -> list[Finding]:
        """What is wrong with one tool."""
        return [each for each in self.findings if each.tool == tool]


async def check_server(connection: ServerConnection, max_tokens: int | None) -> ServerReport:
    """Examine a server that was connected, or is away.

    Args:
        connection: of the server.
        max_tokens: more than this in one request, in any format, is an error; None for no limit.
    """
    report = ServerReport(connection.name, connection.is_connected)
    if not connection.is_connected:
        why = connection.state.error or connection.state.words
        report.findings.append(Finding("error", "start", why))
        return report
    for offers in (connection.resources, connection.prompts):
        try:
            await offers.list()
        except ServerError as error:
            report.findings.append(Finding("error", "lists", str(error)))
    tools = connection.listed
    report.tools = [tool.name for tool in tools]
    report.resources = len(connection.resources.listed)
    report.prompts = len(connection.prompts.listed)
    report.findings += [Finding("error", "lists", text) for text in connection.oddities]
    report.findings += await asyncio.to_thread(_of_tools, tools)
    report.findings += await asyncio.to_thread(_at_providers, tools, report.tokens)
    report.findings += _too_many_tokens(report.tokens, max_tokens)
    return report


def _of_tools(tools: Sequence[ToolDefinition]) -> list[Finding]:
    return [finding for tool in tools for finding in _of_tool(tool)]


def _of_tool(tool: ToolDefinition) -> Iterator[Finding]:
    for problem in tool.problems:
        yield Finding("error", "protocol", str(problem), tool.name)
    if not LEGAL_NAME.fullmatch(tool.name):
        words = "some providers refuse the name: 1 to 64 of A-Z, a-z, 0-9, _ and -, no digit first"
        yield Finding("error", "name", words, tool.name)
    if not tool.description.strip():
        yield Finding("warning", "description", "a model is not told what it does", tool.name)
    yield from _of_schema("inputSchema", tool.input_schema, tool.name)
    if tool.output_schema is not None:
        yield from _of_schema("outputSchema", tool.output_schema, tool.name)
    hints = tool.annotations
    if hints.read_only and hints.destructive:
        words = "readOnlyHint and destructiveHint are both true"
        yield Finding("warning", "annotations", words, tool.name)


def _of_schema(
    subject: Literal["inputSchema", "outputSchema"], schema: JsonObject, tool: str
) -> Iterator[Finding]:
    from desktop.tools.validation.validator import compile_schema  # brings jsonschema

    try:
        oddity = compile_schema(schema).oddity
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        oddity = f"it cannot be read: {error!s:.200}"
    if oddity:
        yield Finding("error", subject, oddity, tool)
    if schema.get("type") != "object":
        yield Finding("error", subject, 'its "type" must be "object"', tool)


def _at_providers(tools: Sequence[ToolDefinition], tokens: dict[str, int]) -> list[Finding]:
    """What a provider would not be sent, and what the tools take there."""
    findings: list[Finding] = []
    names = {tool.key: tool.name for tool in tools}
    for api_format in ApiFormat:
        table = make_wire_tools(tools, api_format)
        tokens[str(api_format)] = table.tokens
        findings += [
            Finding("error", "providers", f"{api_format}: {each.reason}", names.get(each.key, ""))
            for each in table.quarantined
        ]
    return findings


def _too_many_tokens(tokens: dict[str, int], limit: int | None) -> Iterator[Finding]:
    if limit is None:
        return
    for api_format, count in tokens.items():
        if count > limit:
            words = f"{api_format}: about {count:,} tokens in every request, more than {limit:,}"
            yield Finding("error", "tokens", words)
