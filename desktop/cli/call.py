"""`call`: runs one tool and prints its result.

Only the server that has the tool is started; for a bare tool name all enabled servers are, because
only they can tell whether the name is unique. `--trace` writes the JSON-RPC messages without their
secrets; `--output` saves the media of a result under names made here, never over an existing file
and never under a name from the server.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from desktop.base.atomic_file import write_file
from desktop.base.errors import ConfigError, DesktopError, ToolNotFoundError, UsageError
from desktop.cli.arguments import ParsedArguments, add_elicit, read_arguments, read_elicit
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.listing import asked_servers, note_left_out
from desktop.cli.options import (
    Options,
    ServerOptions,
    add_client,
    add_no_attach,
    add_server,
    exit_of,
    make_parser,
)
from desktop.cli.output import plain, result_text
from desktop.cli.recorder import add_record, recording
from desktop.cli.runner import CommandPlan, connect, failed, named_server, run_core
from desktop.diagnostics import startup_trace
from desktop.values.tool_types import (
    ErrorCode,
    Progress,
    ToolCall,
    ToolError,
    ToolResult,
)

if TYPE_CHECKING:
    from desktop.cli.output import Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.servers.message_log import MessageLog, RecordedMessage
    from desktop.tools.adapters import Tool
    from desktop.values.tool_types import CallStep, Content, JsonObject

STDERR = "-"


def write_trace(traffic: MessageLog, target: Path, console: Console) -> None:
    """Write what is kept of the traffic; a file that cannot be written is told, no more."""
    from desktop.servers.message_log import json_lines

    messages: list[RecordedMessage] = []
    while part := traffic.after(messages[-1].number if messages else 0):
        messages += part
    is_file = str(target) != STDERR
    text = "".join(json_lines(messages, ascii_only=not is_file))
    if not is_file:
        console.note(text.rstrip("\n"))
        return
    try:
        write_file(target, text.encode("utf-8", "replace"))
    except ConfigError as error:  # the call was made: its result is still printed
        console.note(str(error))
        return
    if traffic.first > 1:
        console.note(
            f"the trace starts at message {traffic.first}; earlier ones are no longer kept"
        )


_TRIES = 10_000


def save_media(result: ToolResult, folder: Path) -> list[Path]:
    """Write each block that has bytes; returns the files in the order of the blocks.

    Raises:
        UsageError: the folder cannot be written to.
    """
    blocks = [block for block in result.content if block.data]
    try:
        if blocks:
            folder.mkdir(parents=True, exist_ok=True)
        return [_save(block, folder) for block in blocks]
    except OSError as error:
        raise UsageError(f"{folder} cannot be written to: {error.strerror}.") from None


def _save(block: Content, folder: Path) -> Path:
    import mimetypes

    suffix = mimetypes.guess_extension(block.mime.partition(";")[0].strip()) or ".bin"
    for number in range(1, _TRIES):
        file = folder / f"{block.kind}-{number}{suffix}"
        try:
            with file.open("xb") as stream:
                stream.write(block.data)
        except FileExistsError:
            continue
        return file
    raise OSError(17, "it is full of earlier results")


_NOTES = """\
TOOL is server:tool (the server is started even if it is off), or just the tool's name if only one
enabled server has it. --server NAME=COMMAND needs no config: the server runs in the current folder,
for this call alone, in place of a configured one of that name.
Values are converted to the types of the tool's schema: number, boolean, null, JSON for lists and
objects; strings stay as they are. key:=JSON is sent as written. Repeating a key adds to a list;
a.b=1 sets b in the object a. Invalid arguments are not sent, unless --no-validate is given: then
neither the schema nor your rules are checked, the result says so (--json: unchecked), and
server:tool is called even if the server does not list it. Output that does not match the tool's own
schema is printed with a warning (--json: output_issues, empty if it matches).
During a call its server may request a form, a visit to a web page, or an answer from a model. You
are asked on the terminal; without one the request is declined. --elicit answers forms without
asking; content that does not match is not sent, the form is declined, and the exit code is 2.

exit codes:
  0 done   1 the tool reported an error   2 wrong usage, arguments or config (nothing sent)
  3 the server could not be reached   4 time limit   130 interrupted

examples:
  mcp-desktop call everything:echo message=hi
  mcp-desktop call get-sum a=1 b=2 --json
  mcp-desktop call --server 'notes=python server.py' create text=hello
  mcp-desktop call files:read paths=a.txt paths=b.txt options.lines:=10
  mcp-desktop call everything:get-tiny-image --output ./pictures
  mcp-desktop call everything:echo message=hi --trace messages.jsonl
  mcp-desktop call everything:get-sum a=one --no-validate
  mcp-desktop call everything:trigger-elicitation-request --elicit '{"name": "Ada"}'
  echo '{"a": 1, "b": 2}' | mcp-desktop call everything:get-sum --args -"""


class CallOptions(ServerOptions):
    """What `call` is told."""

    tool: str = ""
    pairs: list[str]
    args: str | None = None
    half_width: bool = False
    timeout: float | None = None
    output: Path | None = None
    trace: Path | None = None
    record: Path | None = None
    validate: bool = True
    elicit: str | None = None


def run(args: list[str], console: Console) -> int:
    return run_core(*plan(args, console))


def plan(args: list[str], console: Console) -> tuple[Options, CommandPlan]:
    """What is to be done, read but not begun."""
    options = _read(args)
    written = read_arguments(options.pairs, options.args, half_width=options.half_width)
    call = _Call(options, written, console, read_elicit(options.elicit))
    return options, CommandPlan(call.choose, call.run)


def _read(args: list[str]) -> CallOptions:
    parser = make_parser("call", COMMANDS["call"], _NOTES)
    parser.add_argument("tool", metavar="TOOL", help="server:tool, or the tool's name")
    parser.add_argument("pairs", metavar="key=value", nargs="*", help="an argument of the tool")
    parser.add_argument("--args", metavar="JSON|@FILE|-", help="all arguments as a JSON object")
    parser.add_argument(
        "--half-width",
        action="store_true",
        help="replace full-width quotes and punctuation of --args (“ ： ，)",
    )
    parser.add_argument(
        "--timeout",
        metavar="S",
        type=float,
        help="seconds without progress until the call is cancelled",
    )
    parser.add_argument(
        "--no-validate",
        dest="validate",
        action="store_false",
        help="send the arguments without validation; the server may reject them",
    )
    parser.add_argument(
        "--output", metavar="DIR", type=Path, help="save images, audio and files here"
    )
    parser.add_argument(
        "--trace",
        metavar="FILE|-",
        type=Path,
        help="write the JSON-RPC messages here (- is stderr)",
    )
    add_server(parser)
    add_client(parser)
    add_record(parser)
    add_elicit(parser)
    add_no_attach(parser)
    options = parser.parse(args, CallOptions())
    limit = options.timeout
    if limit is not None and not (math.isfinite(limit) and limit > 0):
        raise UsageError("--timeout must be more than 0 seconds.")
    return options


class _Call(Struct, frozen=True):
    """One run of the command."""

    options: CallOptions
    written: ParsedArguments
    console: Console
    elicit: JsonObject | None

    def choose(self, store: ConfigStore) -> list[ServerConfig]:
        if ":" not in self.options.tool:  # an input method may have written the wide form
            self.options.tool = self.options.tool.replace("：", ":", 1)
        server, colon, tool = self.options.tool.partition(":")
        if colon and tool:
            return [named_server(store, server)]
        if colon:
            raise UsageError(
                f"{self.options.tool!r} is not the name of a tool.", remedy="Say server:tool."
            )
        if not (enabled := asked_servers(store, self.options.server_names)):
            raise UsageError("No server is switched on.", remedy="Say server:tool.")
        return enabled

    async def run(self, core: Core, chosen: list[ServerConfig]) -> int:
        from desktop.cli.keyboard import find_keyboard
        from desktop.cli.request_terminal import open_terminal

        keyboard = find_keyboard(self.console)
        person = open_terminal(self.console, core, keyboard, self.elicit)
        try:
            with recording(core, self.options.record, self.console):
                await connect(core, chosen, self.console)
                result = await self._result(core)
        finally:
            await person.close()
            if self.options.trace is not None:
                write_trace(core.traffic, self.options.trace, self.console)
        if self.console.terminal.is_here:
            startup_trace.record_event("tool_result")
        self._print(result)
        if person.misfit is not None:
            self.console.note(plain(str(person.misfit)))
            return Exit.USAGE
        return exit_of(result)

    async def _result(self, core: Core) -> ToolResult:
        try:
            tool = self._find(core)
        except ToolNotFoundError as error:
            return self._not_found(core, error)
        for connection in failed(core):
            why = plain(connection.state.words).partition("\n")[0]
            self.console.note(f"{plain(connection.name)} could not be asked for the tool: {why}")
        note_left_out(core, [tool.definition], self.console)
        key = tool.definition.key
        if core.registry.get(key) is None:
            server = plain(tool.get_server_name())
            self.console.note(f"{server} does not list this tool; calling it anyway")
        try:
            arguments = self.written.arguments(tool.definition.input_schema)
        except UsageError as error:
            return _failed(error, ErrorCode.INVALID_ARGUMENTS)
        call = ToolCall(
            key,
            arguments,
            origin="terminal",
            timeout=self.options.timeout,
            validate=self.options.validate,
        )
        disconnect = core.executor.stepped.connect(self._follow)
        try:
            return await core.executor.run(call, self._progress)
        finally:
            disconnect()
            self.console.clear_status()

    def _find(self, core: Core) -> Tool:
        """The tool that was named; raises `ToolNotFoundError`.

        One of a server whose list could not be read whole may be there without being listed: the
        server is asked. A tool that the person switched off is not.
        """
        from desktop.tools.adapters import wrap_unlisted_tool

        try:
            return core.executor.find(self.options.tool, validate=self.options.validate)
        except ToolNotFoundError:
            server, _, name = self.options.tool.partition(":")
            connection = core.service.connections.get(server)
            oddities = connection.oddities if connection is not None else ()
            if not any(text.startswith("tools/list") for text in oddities):
                raise
            if (tool := wrap_unlisted_tool(core.service, self.options.tool)) is None:
                raise
        self.console.note(
            plain(f"{server} does not list {name}, but its list is incomplete; calling it anyway")
        )
        listed = [tool for tool in core.registry.all() if tool.get_server_name() == server]
        core.registry.set_server(server, [*listed, tool])
        return tool

    def _follow(self, step: CallStep) -> None:
        """Say what was found although it did not stop the call, or that nobody looked."""
        if step.step == "unchecked":
            self.console.note("not validated: the arguments were sent as they are (--no-validate)")
        if step.step not in {"validated", "checked"}:
            return
        for issue in step.issues:
            is_misfit = step.step == "checked" and issue.severity == "error"
            about = "the output does not match its schema: " if is_misfit else ""
            self.console.note(f"warning: {about}{plain(str(issue))}")

    def _not_found(self, core: Core, error: ToolNotFoundError) -> ToolResult:
        """Why there is no such tool; a server that could not be asked may have had it."""
        name = self.options.tool.partition(":")[2] or self.options.tool
        connections = core.service.connections.values()
        if any(tool.definition.name == name for tool in core.registry.all()):
            return _failed(error, ErrorCode.NOT_FOUND)  # more than one server has it
        for connection in connections:
            if any(tool.name == name for tool in connection.listed):
                server = connection.name
                words = (
                    f"{server}:{name} is switched off (disabledTools or enabledTools of {server})."
                )
                return _failed(ToolNotFoundError(words), ErrorCode.NOT_FOUND)
        if not (missing := failed(core)):
            return _failed(_mention_unlisted(error), ErrorCode.NOT_FOUND)
        words = "\n".join(
            connection.state.error or connection.state.words for connection in missing
        )
        is_config = all(connection.state.phase == "untrusted" for connection in missing)
        code = ErrorCode.DENIED if is_config else ErrorCode.UNREACHABLE
        return ToolResult(success=False, error=ToolError("ServerError", words, code))

    def _progress(self, progress: Progress) -> None:
        total = f" of {progress.total:g}" if progress.total is not None else ""
        self.console.status(f"{progress.progress:g}{total}  {progress.message}")

    def _print(self, result: ToolResult) -> None:
        saved = self._save(result)
        if self.console.as_json:
            document: dict[str, Any] = {"tool": self.options.tool, **result.to_json()}
            if self.options.output is not None:
                document["saved"] = [str(file) for file in saved]
            self.console.document(document)
        elif result.error is not None:
            self.console.note(plain(result.error.message))
        else:
            self.console.write(plain(result_text(result)))
        for file in saved:
            self.console.note(f"saved {file}")

    def _save(self, result: ToolResult) -> list[Path]:
        if self.options.output is None:
            return []
        try:
            return save_media(result, self.options.output)
        except UsageError as error:  # the call was made: its result is still printed
            self.console.note(str(error))
            return []


def _mention_unlisted(error: ToolNotFoundError) -> ToolNotFoundError:
    """A server may have a tool that it does not list: say how it is called all the same."""
    words = "To call a tool that its server does not list, use server:tool with --no-validate."
    return ToolNotFoundError(str(error), remedy=words)


def _failed(error: DesktopError, code: ErrorCode) -> ToolResult:
    kind = type(error).__name__
    return ToolResult(success=False, error=ToolError(kind, str(error), code))
