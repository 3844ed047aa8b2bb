"""What a built-in server says of itself and of its tools. Holds; decides nothing."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from builtin_servers.call import Call, Reply

    JsonObject = Mapping[str, Any]


class Tool:
    """A tool's declaration, field for field as the protocol has it, and its handler."""

    __slots__ = (
        "annotations",
        "description",
        "handler",
        "icons",
        "input_schema",
        "meta",
        "name",
        "output_schema",
        "title",
    )

    def __init__(
        self,
        name: str,
        handler: Callable[[Call], Reply],
        *,
        title: str,
        description: str,
        input_schema: JsonObject,
        output_schema: JsonObject | None = None,
        annotations: JsonObject | None = None,
        icons: Sequence[JsonObject] = (),
        meta: JsonObject | None = None,
    ) -> None:
        self.name = name
        self.handler = handler
        self.title = title
        self.description = description
        self.input_schema = input_schema
        self.output_schema = output_schema
        self.annotations = annotations
        self.icons = icons
        self.meta = meta

    def to_json(self) -> dict[str, Any]:
        optional = {
            "outputSchema": self.output_schema,
            "annotations": self.annotations,
            "icons": list(self.icons),
            "_meta": self.meta,
        }
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input_schema,
        } | {key: value for key, value in optional.items() if value}


class Server:
    """A server's name, title, version and tools, and how many calls it works on at a time."""

    __slots__ = ("instructions", "name", "title", "tools", "version", "workers")

    def __init__(
        self,
        name: str,
        *,
        title: str,
        version: str,
        instructions: str,
        tools: Sequence[Tool],
        workers: int = 1,
    ) -> None:
        self.name = name
        self.title = title
        self.version = version
        self.instructions = instructions
        self.tools = {tool.name: tool for tool in tools}
        self.workers = workers

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "title": self.title, "version": self.version}
