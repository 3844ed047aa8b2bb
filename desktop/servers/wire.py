"""Turns what our servers offer and answer back into the protocol's own types.

The other direction of `desktop.servers.content`, for clients of the gateway and for MCP Apps. What
a server answered is passed on as it came where it is still there (`keeping_answers`); these are for
the rest. Decides nothing.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, cast

import mcp_types as types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.values.prompt_types import Prompt, PromptResult
    from desktop.values.resource_types import (
        ReadResult,
        Resource,
        ResourceAnnotations,
        ResourceTemplate,
    )
    from desktop.values.tool_types import Content, JsonObject, ToolDefinition, ToolResult


def tool_out(name: str, tool: ToolDefinition) -> types.Tool:
    """A tool under the name that the client calls it by."""
    hints = tool.annotations
    known = (hints.read_only, hints.destructive, hints.idempotent, hints.open_world)
    annotations = None
    if any(hint is not None for hint in known):
        annotations = types.ToolAnnotations(
            read_only_hint=hints.read_only,
            destructive_hint=hints.destructive,
            idempotent_hint=hints.idempotent,
            open_world_hint=hints.open_world,
        )
    return types.Tool(
        name=name,
        title=tool.title or None,
        description=tool.description or None,
        input_schema=_schema(tool.input_schema),
        output_schema=dict(tool.output_schema) if tool.output_schema is not None else None,
        annotations=annotations,
        icons=_icons(tool.icons),
        _meta=dict(tool.metadata.raw) or None,
    )


def result_out(result: ToolResult) -> types.CallToolResult:
    """A result that no server gave as it is: an error of ours, or that of a task."""
    content: list[types.ContentBlock] = [_block(block) for block in result.content]
    if result.error is not None and not content:
        content = [types.TextContent(text=result.error.message)]
    return types.CallToolResult(
        content=content,
        structured_content=result.structured,
        is_error=result.is_error,
        _meta=dict(result.meta) or None,
    )


def resource_out(resource: Resource) -> types.Resource:
    return types.Resource(
        uri=resource.uri,
        name=resource.name,
        title=resource.title or None,
        description=resource.description or None,
        mime_type=resource.mime or None,
        size=resource.size,
        icons=_icons(resource.icons),
        annotations=_annotations(resource.annotations),
        _meta=dict(resource.meta) or None,
    )


def template_out(template: ResourceTemplate) -> types.ResourceTemplate:
    return types.ResourceTemplate(
        uri_template=template.uri_template,
        name=template.name,
        title=template.title or None,
        description=template.description or None,
        mime_type=template.mime or None,
        icons=_icons(template.icons),
        annotations=_annotations(template.annotations),
        _meta=dict(template.meta) or None,
    )


def read_out(read: ReadResult) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[_contents(block) for block in read.contents])


def prompt_out(name: str, prompt: Prompt) -> types.Prompt:
    """A prompt under the name that the client asks for it by."""
    return types.Prompt(
        name=name,
        title=prompt.title or None,
        description=prompt.description or None,
        arguments=[
            types.PromptArgument(
                name=argument.name,
                title=argument.title or None,
                description=argument.description or None,
                required=argument.required,
            )
            for argument in prompt.arguments
        ],
        icons=_icons(prompt.icons),
        _meta=dict(prompt.meta) or None,
    )


def filled_out(filled: PromptResult) -> types.GetPromptResult:
    return types.GetPromptResult(
        description=filled.description or None,
        messages=[
            types.PromptMessage(role=message.role, content=_block(message.content))
            for message in filled.messages
        ],
    )


def _schema(schema: JsonObject) -> dict[str, Any]:
    # Clients refuse the whole list for one schema that is not an object's.
    return dict(schema) if schema.get("type") == "object" else {**schema, "type": "object"}


def _icons(icons: Sequence[JsonObject]) -> list[types.Icon] | None:
    return [types.Icon.model_validate(dict(icon)) for icon in icons] or None


def _annotations(given: ResourceAnnotations) -> types.Annotations | None:
    if not (given.audience or given.last_modified or given.priority is not None):
        return None
    return types.Annotations(
        audience=cast("list[Any]", list(given.audience)) or None,
        priority=given.priority,
        last_modified=given.last_modified or None,
    )


def _block(block: Content) -> types.ContentBlock:
    match block.kind:
        case "image":
            return types.ImageContent(data=_encoded(block.data), mime_type=block.mime)
        case "audio":
            return types.AudioContent(data=_encoded(block.data), mime_type=block.mime)
        case "resource":
            return types.EmbeddedResource(resource=_contents(block))
        case "link":
            return types.ResourceLink(
                uri=block.uri,
                name=block.name or block.uri,
                mime_type=block.mime or None,
                description=block.text or None,
            )
        case _:
            return types.TextContent(text=block.text)


def _contents(block: Content) -> types.TextResourceContents | types.BlobResourceContents:
    mime = block.mime or None
    if block.data:
        return types.BlobResourceContents(uri=block.uri, mime_type=mime, blob=_encoded(block.data))
    return types.TextResourceContents(uri=block.uri, mime_type=mime, text=block.text)


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()
