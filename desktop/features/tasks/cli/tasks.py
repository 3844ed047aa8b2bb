"""`tasks`: lists the calls that servers run as tasks, fetches the result of one, or ends one.

A task outlives the run that started it where its server does. Source: MCP specification 2025-11-25,
basic/utilities/tasks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from desktop.base.errors import UsageError
from desktop.base.visible_text import mark_hidden
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.listing import asked_servers, failures, finish_listing, first_line
from desktop.cli.options import (
    Options,
    ServerOptions,
    add_no_attach,
    add_server,
    exit_of_error,
    make_parser,
)
from desktop.cli.output import layout, plain, result_text
from desktop.cli.runner import CommandPlan, connect, run_core
from desktop.servers.task_calls import ServerTasks, TaskState
from desktop.values.tool_types import ErrorCode, ToolError, ToolResult

if TYPE_CHECKING:
    from desktop.cli.output import Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.servers.connection import ServerConnection

_NOTES = """\
Tools that run as tasks are called like any other (`call` waits for the result). The server keeps
the result for some time; fetch it here after an interrupted call. Without a window or a daemon,
local servers end with each command, and most keep no tasks beyond that.

exit codes:
  0 done   1 the server reported an error   2 wrong usage or config (nothing sent)
  3 the server could not be reached   4 time limit   130 interrupted

examples:
  mcp-desktop tasks
  mcp-desktop tasks --server builder --result task-7
  mcp-desktop tasks --server builder --cancel task-7"""


class TasksOptions(ServerOptions):
    """What `tasks` is told."""

    result: str | None = None
    cancel: str | None = None


def run(args: list[str], console: Console) -> int:
    return run_core(*plan(args, console))


def plan(args: list[str], console: Console) -> tuple[Options, CommandPlan]:
    """What is to be done, read but not begun."""
    parser = make_parser("tasks", COMMANDS["tasks"], _NOTES)
    add_server(parser)
    parser.add_argument("--result", metavar="ID", help="fetch the result of this task")
    parser.add_argument("--cancel", metavar="ID", help="cancel this task")
    add_no_attach(parser)
    options = parser.parse(args, TasksOptions())
    if options.result is not None and options.cancel is not None:
        raise UsageError("Use --result or --cancel, not both.")
    is_of_one = options.result is not None or options.cancel is not None
    if is_of_one and len(options.server_names) != 1:
        raise UsageError("Choose the server of the task with --server.")
    command = _Tasks(options, console)
    return options, CommandPlan(command.choose, command.run)


class _Tasks(Struct, frozen=True):
    """One run of the command."""

    options: TasksOptions
    console: Console

    def choose(self, store: ConfigStore) -> list[ServerConfig]:
        return asked_servers(store, self.options.server_names)

    async def run(self, core: Core, chosen: list[ServerConfig]) -> int:
        await connect(core, chosen, self.console)
        if self.options.result is None and self.options.cancel is None:
            return await self._list(core, chosen)
        connection = core.service.connection(self.options.server_names[0])
        if connection.is_connected and not connection.capabilities.tasks:
            words = f"{connection.name} has no tasks."
            return self._print_result(_failed(words, ErrorCode.INVALID_ARGUMENTS))
        if self.options.result is not None:
            result = await ServerTasks(connection).result(self.options.result)
            return self._print_result(result)
        return await self._cancel(connection, self.options.cancel or "")

    async def _list(self, core: Core, chosen: list[ServerConfig]) -> int:
        found: list[tuple[str, TaskState]] = []
        unread: dict[str, str] = {}
        for connection in core.service.connections.values():
            if not connection.is_connected or not connection.capabilities.tasks:
                continue
            tasks = await ServerTasks(connection).list()
            if isinstance(tasks, ToolError):
                unread[connection.name] = tasks.message
            else:
                found += [(connection.name, task) for task in tasks]
        if self.console.as_json:
            listed = [{"server": server, **to_mcp(task)} for server, task in found]
            self.console.document({"tasks": listed, "failed": failures(core) | unread})
        else:
            self._print_table(core, found)
        for why in unread.values():
            self.console.note(plain(why))
        code = finish_listing(core, chosen, self.console)
        return Exit.TOOL_ERROR if unread and not code else code

    def _print_table(self, core: Core, found: list[tuple[str, TaskState]]) -> None:
        if not found:
            servers = core.service.connections
            self.console.note("No tasks." if servers else "No server is switched on.")
            return
        rows = [
            [
                mark_hidden(server),
                mark_hidden(task.id),
                task.status,
                mark_hidden(task.updated or task.created),
                first_line(task.message),
            ]
            for server, task in found
        ]
        names = ("SERVER", "TASK", "STATUS", "UPDATED", "MESSAGE")
        header, *lines = layout(names, rows, self.console.width)
        self.console.write(self.console.paint(header, "bold"))
        self.console.write("\n".join(lines))

    async def _cancel(self, connection: ServerConnection, task: str) -> int:
        ended = await ServerTasks(connection).cancel(task)
        if isinstance(ended, ToolError):
            return self._print_result(ToolResult(success=False, error=ended))
        if self.console.as_json:
            self.console.document({"server": connection.name, **to_mcp(ended)})
        else:
            self.console.write(plain(ended.words))
        return Exit.DONE

    def _print_result(self, result: ToolResult) -> int:
        if self.console.as_json:
            self.console.document({"server": self.options.server_names[0], **result.to_json()})
        elif result.error is not None:
            self.console.note(plain(result.error.message))
        else:
            self.console.write(plain(result_text(result)))
        return exit_of_error(result.error)


def _failed(words: str, code: ErrorCode) -> ToolResult:
    return ToolResult(success=False, error=ToolError("ServerError", words, code))


def to_mcp(task: TaskState) -> dict[str, Any]:
    """A task as the protocol writes it, times in milliseconds, without what is not known."""
    fields: dict[str, Any] = {
        "statusMessage": task.message,
        "createdAt": task.created,
        "lastUpdatedAt": task.updated,
        "ttl": None if task.ttl is None else round(task.ttl * 1000),
    }
    shown = {key: value for key, value in fields.items() if value not in ("", None)}
    return {"taskId": task.id, "status": task.status} | shown
