"""`resources`: lists what servers have to be read, or reads one resource of one server.

A URI goes to its server and nowhere else: nothing is fetched or opened here, whatever its scheme.
Bytes are not printed: `--output` writes them to the file that is named, and never over another.
Source: MCP specification, server/resources.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from desktop.base.errors import ServerError, UsageError
from desktop.base.visible_text import mark_hidden
from desktop.cli.arguments import read_arguments
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.listing import (
    asked_servers,
    failures,
    finish_listing,
    first_line,
    note_oddities,
)
from desktop.cli.options import (
    Options,
    ServerOptions,
    add_no_attach,
    add_server,
    exit_of_error,
    make_parser,
)
from desktop.cli.output import layout, plain
from desktop.cli.runner import CommandPlan, connect, run_core
from desktop.values.resource_types import ReadResult, Resource, ResourceTemplate
from desktop.values.tool_types import ErrorCode, ToolError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.cli.arguments import ParsedArguments
    from desktop.cli.output import Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.servers.connection import ServerConnection
    from desktop.values.resource_types import ResourceAnnotations
    from desktop.values.tool_types import Content, Progress

MAX_PRINTED = 1_000_000
"""Characters of a text that are printed; the whole of it is written to a file, or with --json."""
_METHODS = ("resources/list", "resources/templates/list", "resources/read")
_NOTES = """\
Without --read or --template, lists the resources and templates of all enabled servers or of one.
--read asks the server that lists the URI; for an unlisted URI choose the server with --server.
--template takes a template or its name, and values as key=value; repeating a key makes a list.
A URI is only requested from its server; nothing is downloaded.
Text is printed, binary content is summarised; --output writes either to a new file, with further
parts beside it.

exit codes:
  0 done   1 the server reported an error   2 wrong usage, values or config (nothing sent)
  3 the server could not be reached   4 time limit   130 interrupted

examples:
  mcp-desktop resources
  mcp-desktop resources --server everything --json
  mcp-desktop resources --read demo://resource/static/document/features.md
  mcp-desktop resources --template 'demo://resource/dynamic/blob/{resourceId}' resourceId=1 \\
      --output blob.bin"""


class ResourcesOptions(ServerOptions):
    """What `resources` is told."""

    read: str | None = None
    template: str | None = None
    pairs: list[str]
    output: Path | None = None
    timeout: float | None = None


def run(args: list[str], console: Console) -> int:
    return run_core(*plan(args, console))


def plan(args: list[str], console: Console) -> tuple[Options, CommandPlan]:
    """What is to be done, read but not begun."""
    options = _read(args)
    command = _Resources(options, read_arguments(options.pairs, None), console)
    return options, CommandPlan(command.choose, command.run)


def _read(args: list[str]) -> ResourcesOptions:
    parser = make_parser("resources", COMMANDS["resources"], _NOTES)
    parser.add_argument("pairs", metavar="key=value", nargs="*", help="a value for --template")
    add_server(parser)
    parser.add_argument("--read", metavar="URI", help="read this resource")
    parser.add_argument("--template", metavar="T", help="read the URI this template expands to")
    parser.add_argument("--output", metavar="FILE", type=Path, help="write the content here")
    parser.add_argument(
        "--timeout",
        metavar="S",
        type=float,
        help="seconds without progress until the read is cancelled",
    )
    add_no_attach(parser)
    options = parser.parse(args, ResourcesOptions())
    if options.read is not None and options.template is not None:
        raise UsageError("Use --read or --template, not both.")
    if options.pairs and options.template is None:
        raise UsageError(f"{options.pairs[0]!r} is a value for --template, which is missing.")
    reads = options.read is not None or options.template is not None
    if (options.output is not None or options.timeout is not None) and not reads:
        raise UsageError("--output and --timeout belong to --read or --template.")
    limit = options.timeout
    if limit is not None and not (math.isfinite(limit) and limit > 0):
        raise UsageError("--timeout must be more than 0 seconds.")
    if options.output is not None and options.output.exists():
        raise UsageError(f"{options.output} exists already; nothing was read.")
    return options


class _Resources(Struct, frozen=True):
    """One run of the command."""

    options: ResourcesOptions
    written: ParsedArguments
    console: Console

    def choose(self, store: ConfigStore) -> list[ServerConfig]:
        return asked_servers(store, self.options.server_names)

    async def run(self, core: Core, chosen: list[ServerConfig]) -> int:
        await connect(core, chosen, self.console)
        if self.options.read is None and self.options.template is None:
            return await self._list(core, chosen)
        return await self._show(core)

    async def _list(self, core: Core, chosen: list[ServerConfig]) -> int:
        unread = await _read_lists(core)
        connections = core.service.connections.values()
        resources = [one for each in connections for one in each.resources.listed]
        templates = [one for each in connections for one in each.resources.templates]
        if self.console.as_json:
            self.console.document(
                {
                    "resources": [{"server": one.server, **to_mcp(one)} for one in resources],
                    "templates": [{"server": one.server, **to_mcp(one)} for one in templates],
                    "failed": failures(core) | {name: str(why) for name, why in unread.items()},
                }
            )
        else:
            self._print_table(core, resources, templates)
        note_oddities(core, self.console, *_METHODS)
        for error in unread.values():
            self.console.note(plain(str(error)))
        code = finish_listing(core, chosen, self.console)
        return Exit.TOOL_ERROR if unread and not code else code

    def _print_table(
        self, core: Core, resources: list[Resource], templates: list[ResourceTemplate]
    ) -> None:
        rows = [
            *([one.server, one.uri, one.mime, _words(one)] for one in resources),
            *([one.server, one.uri_template, one.mime, _words(one)] for one in templates),
        ]
        if not rows:
            servers = core.service.connections
            self.console.note("No resources." if servers else "No server is switched on.")
            return
        cells = [[mark_hidden(cell) for cell in row] for row in rows]
        header, *lines = layout(("SERVER", "URI", "TYPE", "TITLE"), cells, self.console.width)
        self.console.write(self.console.paint(header, "bold"))
        self.console.write("\n".join(lines))

    async def _show(self, core: Core) -> int:
        try:
            connection, uri = await self._find(core)
        except (UsageError, ServerError) as error:
            is_usage = isinstance(error, UsageError)
            code = ErrorCode.INVALID_ARGUMENTS if is_usage else ErrorCode.UNREACHABLE
            failure = ToolError(type(error).__name__, str(error), code)
            return self._print(self.options.read or "", "", ReadResult(error=failure))
        try:
            result = await connection.resources.read(
                uri, timeout=self.options.timeout, on_progress=self._progress
            )
        finally:
            self.console.clear_status()
        return self._print(uri, connection.name, result)

    async def _find(self, core: Core) -> tuple[ServerConnection, str]:
        """The server to ask and the URI to ask it for.

        Raises:
            UsageError: there is no such template, its values are wrong, or no server stands out.
            ServerError: nobody could be asked.
        """
        if not (connected := _connected(core)):
            raise ServerError("", "\n".join(failures(core).values()) or "No server is switched on.")
        if (uri := self.options.read) is None:
            return await self._expand(core)
        if self.options.server and len(connected) == 1:
            return connected[0], uri
        await _read_lists(core)
        listing = [
            each for each in connected if any(one.uri == uri for one in each.resources.listed)
        ]
        if len(listing) == 1 or (not listing and len(connected) == 1):
            return (listing or connected)[0], uri
        names = ", ".join(each.name for each in listing or connected)
        many = "Several servers list" if listing else "No server lists"
        raise UsageError(f"{many} {uri[:200]}.", remedy=f"Choose one with --server: {names}.")

    async def _expand(self, core: Core) -> tuple[ServerConnection, str]:
        from desktop.base.uri_template import expand_template

        wanted = self.options.template or ""
        await _read_lists(core)
        found = [
            (connection, template)
            for connection in _connected(core)
            for template in connection.resources.templates
            if wanted in {template.uri_template, template.name}
        ]
        if len(found) != 1:
            known = [one for each in _connected(core) for one in each.resources.templates]
            there = ", ".join(f"{one.server}: {one.uri_template}" for one in known[:20])
            many = "Several servers have a" if found else "No server has a"
            remedy = f"Available: {there}." if known else ""
            raise UsageError(f"{many} template {wanted[:200]!r}.", remedy=remedy)
        ((connection, template),) = found
        return connection, expand_template(template.uri_template, _values(self.written))

    def _progress(self, progress: Progress) -> None:
        total = f" of {progress.total:g}" if progress.total is not None else ""
        self.console.status(f"{progress.progress:g}{total}  {progress.message}")

    def _print(self, uri: str, server: str, result: ReadResult) -> int:
        saved: list[Path] = []
        problem = None
        if self.options.output is not None and result.error is None:
            try:
                saved = save_contents(result.contents, self.options.output)
            except UsageError as error:
                problem = error
        if self.console.as_json:
            document = {"uri": uri, "server": server, **_result_json(result)}
            if self.options.output is not None:
                document["saved"] = [str(file) for file in saved]
            self.console.document(document)
        elif result.error is not None:
            self.console.note(plain(result.error.message))
        elif not saved:
            self._print_contents(result)
        for file in saved:
            self.console.note(f"saved {file}")
        if problem is not None:
            self.console.note(str(problem))
            return Exit.USAGE
        return exit_of_error(result.error)

    def _print_contents(self, result: ReadResult) -> None:
        for content in result.contents:
            if content.data:
                self.console.note(plain(_about(content)))
                continue
            self.console.write(plain(content.text[:MAX_PRINTED]))
            if len(content.text) > MAX_PRINTED:
                count = len(content.text)
                self.console.note(
                    f"cut off: {count} characters; --output FILE writes the full text"
                )
        if not result.contents:
            self.console.note("It is empty.")


async def _read_lists(core: Core) -> dict[str, ServerError]:
    """Ask every connected server; returns why those failed that have resources and listed none."""
    unread: dict[str, ServerError] = {}
    for connection in _connected(core):
        try:
            await connection.resources.list()
        except ServerError as error:
            unread[connection.name] = error
    return unread


def _connected(core: Core) -> list[ServerConnection]:
    return [core.service.connection(name) for name in core.service.get_connected_servers()]


def _words(one: Resource | ResourceTemplate) -> str:
    return first_line(one.label if not one.description else f"{one.label}: {one.description}")


def _values(written: ParsedArguments) -> Mapping[str, str | list[str]]:
    values: dict[str, list[str]] = {}
    for pair in written.pairs:
        values.setdefault(pair.key, []).append(pair.text)
    return {key: texts if len(texts) > 1 else texts[0] for key, texts in values.items()}


def _about(content: Content) -> str:
    kind = content.mime or "application/octet-stream"
    size = len(content.data)
    return f"{content.uri}: {kind}, {size} bytes; --output FILE writes them to a file"


def save_contents(contents: tuple[Content, ...], file: Path) -> list[Path]:
    """Write each part, the first to `file`, the others to `file.2` and so on; returns the files.

    Raises:
        UsageError: one is there already, or cannot be written.
    """
    saved: list[Path] = []
    for number, content in enumerate(contents, start=1):
        target = file if number == 1 else file.with_name(f"{file.name}.{number}")
        try:
            with target.open("xb") as stream:
                stream.write(content.data or content.text.encode("utf-8", "replace"))
        except OSError as error:
            raise UsageError(f"{target} cannot be written: {error.strerror}.") from None
        saved.append(target)
    return saved


def _result_json(result: ReadResult) -> dict[str, Any]:
    """Bytes are there as their number alone: --output writes them."""
    error = result.error
    return {
        "success": error is None,
        "contents": [content.to_json() for content in result.contents],
        "error": error and {"type": error.type, "message": error.message, "code": error.code},
        "execution_time": round(result.seconds, 6),
        "_meta": dict(result.meta),
    }


def to_mcp(one: Resource | ResourceTemplate) -> dict[str, Any]:
    """A resource or a template as the protocol writes it, without what the server left out."""
    is_resource = isinstance(one, Resource)
    fields: dict[str, Any] = {
        "name": one.name,
        "title": one.title,
        "description": one.description,
        "mimeType": one.mime,
        "size": one.size if is_resource else None,
        "annotations": _annotations(one.annotations),
        "icons": list(one.icons),
        "_meta": dict(one.meta),
    }
    place = {"uri": one.uri} if is_resource else {"uriTemplate": one.uri_template}
    return place | {key: value for key, value in fields.items() if value not in (None, "", [], {})}


def _annotations(given: ResourceAnnotations) -> dict[str, Any]:
    said: dict[str, Any] = {}
    if given.audience:
        said["audience"] = list(given.audience)
    if given.priority is not None:
        said["priority"] = given.priority
    if given.last_modified:
        said["lastModified"] = given.last_modified
    return said
