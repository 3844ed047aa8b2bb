"""What a built-in server is written with: its declaration, one call, the reply, the errors.

The fields are those of the protocol. Nothing here reads, writes or decides anything.
"""

from __future__ import annotations

from threading import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    JsonObject = Mapping[str, Any]
    Handler = Callable[["CallContext"], "ToolReply"]


class ToolCallError(Exception):
    """The call failed; the message is shown to the person and the model."""


class ArgumentError(Exception):
    """A server cannot start with these arguments; the message says which are valid."""


class ToolReply:
    """What a tool answers: a text and, if the tool has an output schema, the same as JSON.

    `blocks` are content blocks of the protocol (image, audio, resource). They follow the text,
    which is left out if it is empty.
    """

    __slots__ = ("blocks", "structured", "text")

    def __init__(
        self,
        text: str,
        structured: Mapping[str, Any] | None = None,
        blocks: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self.text = text
        self.structured = structured
        self.blocks = blocks

    def to_content(self) -> list[Mapping[str, Any]]:
        has_text = bool(self.text) or not self.blocks
        return [*([{"type": "text", "text": self.text}] if has_text else []), *self.blocks]


class CallContext:
    """One call as its handler sees it: checked arguments, roots, cancellation and progress.

    `roots` are the paths of the folders that the client offers, if the server asks for them; None
    until the client has said them.
    """

    __slots__ = ("_cancelled", "_report", "arguments", "roots")

    def __init__(
        self,
        arguments: Mapping[str, Any],
        report: Callable[[float, float | None, str], None],
    ) -> None:
        self.arguments = arguments
        self.roots: Sequence[str] | None = None
        self._report = report
        self._cancelled = Event()

    @property
    def is_cancelled(self) -> bool:
        """Whether the client cancelled; a long-running handler checks this between steps."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        self._cancelled.set()

    def wait_cancelled(self, seconds: float) -> bool:
        """Sleep for `seconds`; returns True at once if the client cancels."""
        return self._cancelled.wait(seconds)

    def report(self, progress: float, total: float | None = None, message: str = "") -> None:
        """Send progress to the client, if it asked for progress."""
        self._report(progress, total, message)


class BuiltinTool:
    """A tool's declaration, with the fields of the protocol, and its handler."""

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
        handler: Handler,
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


class BuiltinServer:
    """A server's declaration and tools; runs at most `max_workers` calls at the same time."""

    __slots__ = (
        "asks_for_roots",
        "instructions",
        "max_workers",
        "name",
        "on_serve",
        "title",
        "tools",
        "version",
    )

    def __init__(
        self,
        name: str,
        *,
        title: str,
        version: str,
        instructions: str,
        tools: Sequence[BuiltinTool],
        max_workers: int = 1,
        on_serve: Callable[[], None] | None = None,
        asks_for_roots: bool = False,
    ) -> None:
        """A server that `asks_for_roots` finds the folders that the client offers in its calls.

        `on_serve` is called once where a process is there for this server alone.
        """
        self.name = name
        self.asks_for_roots = asks_for_roots
        self.on_serve = on_serve
        self.title = title
        self.version = version
        self.instructions = instructions
        self.tools = {tool.name: tool for tool in tools}
        self.max_workers = max_workers

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "title": self.title, "version": self.version}


def read_only_hints(*, open_world: bool = False) -> JsonObject:
    return _hints(reads=True, destroys=False, repeats=True, open_world=open_world)


def writing_hints(*, destructive: bool, idempotent: bool, open_world: bool = False) -> JsonObject:
    return _hints(reads=False, destroys=destructive, repeats=idempotent, open_world=open_world)


def make_meta(category: str, *tags: str, **more: object) -> JsonObject:
    return {
        "version": "1.0.0",
        "author": "mcp-desktop",
        "category": category,
        "tags": list(tags),
        **more,
    }


def line_icon(paths: str) -> tuple[JsonObject, ...]:
    """A line drawing as an SVG data URI; `paths` is SVG path data in a 24 by 24 box."""
    svg = (
        "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' "
        "stroke='%23646f7d' stroke-width='2' stroke-linecap='round' stroke-linejoin='round'%3E"
        f"%3Cpath d='{paths}'/%3E%3C/svg%3E"
    )
    source = "data:image/svg+xml," + svg.replace(" ", "%20")
    return ({"src": source, "mimeType": "image/svg+xml", "sizes": ["any"]},)


def _hints(*, reads: bool, destroys: bool, repeats: bool, open_world: bool) -> JsonObject:
    return {
        "readOnlyHint": reads,
        "destructiveHint": destroys,
        "idempotentHint": repeats,
        "openWorldHint": open_world,
    }
