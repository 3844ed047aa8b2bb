"""A call as text to be pasted elsewhere, by what it is for. Imports no Qt; copies nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from desktop.tools.snippets import plain_json, python_script, request_text, terminal_command

if TYPE_CHECKING:
    from desktop.config.models import ServerConfig
    from desktop.tool_types import JsonObject, ToolDefinition

Form: TypeAlias = Literal["arguments", "request", "command", "python"]
FORMS: Final[tuple[Form, ...]] = ("arguments", "request", "command", "python")


def call_text(
    form: Form, tool: ToolDefinition, arguments: JsonObject, server: ServerConfig | None
) -> str:
    """The text.

    Args:
        form: what it is for.
        tool: what is called.
        arguments: what it is called with.
        server: how it is reached; only `python` needs it.

    Raises:
        ValueError, RecursionError: it cannot be written that way; the message says why.
    """
    if form == "arguments":
        return plain_json(dict(arguments), 2)
    if form == "request":
        return request_text(tool.name, arguments)
    if form == "command":
        return terminal_command(tool.key, arguments, tool.input_schema)
    if server is None:
        raise ValueError("its server is not in the config")
    return python_script(server, tool.name, arguments)
