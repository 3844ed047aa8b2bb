"""`prompts`: lists the prompts of servers, or has a server fill one in and prints its messages.

A prompt is text of a stranger: it is printed, and sent to no model. Source: MCP specification,
server/prompts.
"""

from __future__ import annotations

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
from desktop.values.prompt_types import PromptResult
from desktop.values.tool_types import ErrorCode, ToolError

if TYPE_CHECKING:
    from desktop.cli.arguments import ParsedArguments
    from desktop.cli.output import Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.values.prompt_types import Prompt, PromptArgument

MAX_PRINTED = 1_000_000
"""Characters of one message that are printed; --json has them all."""
_METHODS = ("prompts/list", "prompts/get")
_NOTES = """\
NAME is server:prompt (the server is started even if it is off), or just the prompt's name if only
one enabled server has it. Without NAME, lists the prompts and their arguments; those in brackets
are optional.

exit codes:
  0 done   1 the server reported an error   2 wrong usage, arguments or config (nothing sent)
  3 the server could not be reached   4 time limit   130 interrupted

examples:
  mcp-desktop prompts
  mcp-desktop prompts everything:args-prompt city=Paris
  mcp-desktop prompts args-prompt city=Paris --json"""


class PromptsOptions(ServerOptions):
    """What `prompts` is told."""

    name: str | None = None
    pairs: list[str]


def run(args: list[str], console: Console) -> int:
    return run_core(*plan(args, console))


def plan(args: list[str], console: Console) -> tuple[Options, CommandPlan]:
    """What is to be done, read but not begun."""
    parser = make_parser("prompts", COMMANDS["prompts"], _NOTES)
    parser.add_argument("name", metavar="NAME", nargs="?", help="server:prompt, or its name")
    parser.add_argument("pairs", metavar="key=value", nargs="*", help="an argument of the prompt")
    add_server(parser)
    add_no_attach(parser)
    options = parser.parse(args, PromptsOptions())
    command = _Prompts(options, read_arguments(options.pairs, None), console)
    return options, CommandPlan(command.choose, command.run)


class _Prompts(Struct):
    """One run of the command."""

    options: PromptsOptions
    written: ParsedArguments
    console: Console
    wanted: str = ""
    """The prompt's own name."""

    def choose(self, store: ConfigStore) -> list[ServerConfig]:
        names, self.wanted = self.options.server_names, self.options.name or ""
        first, colon, rest = self.wanted.partition(":")
        if colon and first in (names or store.servers):
            names, self.wanted = [first], rest
        return asked_servers(store, names)

    async def run(self, core: Core, chosen: list[ServerConfig]) -> int:
        await connect(core, chosen, self.console)
        unread: dict[str, str] = {}
        for connection in core.service.connections.values():
            try:
                if connection.is_connected:
                    await connection.prompts.list()
            except ServerError as error:
                unread[connection.name] = str(error)
        prompts = [
            prompt
            for connection in core.service.connections.values()
            for prompt in connection.prompts.listed
        ]
        if self.options.name is None:
            return self._list(core, chosen, prompts, unread)
        return await self._get(core, prompts, unread)

    def _list(
        self,
        core: Core,
        chosen: list[ServerConfig],
        prompts: list[Prompt],
        unread: dict[str, str],
    ) -> int:
        if self.console.as_json:
            listed = [
                {"server": prompt.server, "key": prompt.key, **to_mcp(prompt)} for prompt in prompts
            ]
            self.console.document({"prompts": listed, "failed": failures(core) | unread})
        else:
            self._print_table(core, prompts)
        note_oddities(core, self.console, *_METHODS)
        for why in unread.values():
            self.console.note(plain(why))
        code = finish_listing(core, chosen, self.console)
        return Exit.TOOL_ERROR if unread and not code else code

    def _print_table(self, core: Core, prompts: list[Prompt]) -> None:
        if not prompts:
            servers = core.service.connections
            self.console.note("No prompts." if servers else "No server is switched on.")
            return
        rows = [
            [
                mark_hidden(prompt.key),
                " ".join(map(_argument, prompt.arguments)),
                first_line(prompt.description or prompt.title),
            ]
            for prompt in prompts
        ]
        header, *lines = layout(("PROMPT", "ARGUMENTS", "DESCRIPTION"), rows, self.console.width)
        self.console.write(self.console.paint(header, "bold"))
        self.console.write("\n".join(lines))

    async def _get(self, core: Core, prompts: list[Prompt], unread: dict[str, str]) -> int:
        try:
            prompt = self._find(core, prompts, unread)
            arguments = self._arguments(prompt)
        except (UsageError, ServerError) as error:
            is_usage = isinstance(error, UsageError)
            code = ErrorCode.INVALID_ARGUMENTS if is_usage else ErrorCode.UNREACHABLE
            failure = ToolError(type(error).__name__, str(error), code)
            return self._print(self.options.name or "", PromptResult(error=failure))
        connection = core.service.connection(prompt.server)
        result = await connection.prompts.get(prompt.name, arguments)
        note_oddities(core, self.console, *_METHODS)
        return self._print(prompt.key, result)

    def _find(self, core: Core, prompts: list[Prompt], unread: dict[str, str]) -> Prompt:
        found = [prompt for prompt in prompts if prompt.name == self.wanted]
        if len(found) == 1:
            return found[0]
        if found:
            there = ", ".join(prompt.key for prompt in found)
            raise UsageError(
                f"Several servers have a prompt {self.wanted!r}.", remedy=f"Choose one: {there}."
            )
        missing = failures(core)
        if missing or unread:
            raise ServerError("", "\n".join((missing | unread).values()))
        there = ", ".join(prompt.key for prompt in prompts[:50])
        remedy = f"Available: {there}." if prompts else ""
        raise UsageError(f"No prompt is named {self.wanted[:200]!r}.", remedy=remedy)

    def _arguments(self, prompt: Prompt) -> dict[str, str]:
        """The values that were written.

        Raises:
            UsageError: one is not the prompt's, is there twice, or is missing.
        """
        given: dict[str, str] = {}
        declared = {argument.name: argument for argument in prompt.arguments}
        for pair in self.written.pairs:
            if pair.key not in declared:
                there = ", ".join(declared) or "none"
                raise UsageError(
                    f"{prompt.key} has no argument {pair.key!r}.", remedy=f"Available: {there}."
                )
            if pair.key in given:
                raise UsageError(f"{pair.key!r} is given more than once.")
            given[pair.key] = pair.text
        missing = [name for name, each in declared.items() if each.required and name not in given]
        if missing:
            raise UsageError(f"{prompt.key} needs {', '.join(missing)}.")
        return given

    def _print(self, key: str, result: PromptResult) -> int:
        if self.console.as_json:
            self.console.document({"prompt": key, **_result_json(result)})
        elif result.error is not None:
            self.console.note(plain(result.error.message))
        else:
            self._print_messages(result)
        return exit_of_error(result.error)

    def _print_messages(self, result: PromptResult) -> None:
        from desktop.servers.content import flatten_content

        for message in result.messages:
            self.console.write(self.console.paint(f"[{message.role}]", "bold"))
            text = plain(flatten_content([message.content]))
            self.console.write(text[:MAX_PRINTED])
            if len(text) > MAX_PRINTED:
                self.console.note(f"cut off: {len(text)} characters; use --json for the full text")
        if not result.messages:
            self.console.note("It has no messages.")


def _argument(argument: PromptArgument) -> str:
    name = mark_hidden(argument.name)
    return name if argument.required else f"[{name}]"


def _result_json(result: PromptResult) -> dict[str, Any]:
    error = result.error
    return {
        "success": error is None,
        "description": result.description,
        "messages": [
            {"role": message.role, "content": message.content.to_json()}
            for message in result.messages
        ],
        "error": error and {"type": error.type, "message": error.message, "code": error.code},
        "execution_time": round(result.seconds, 6),
        "_meta": dict(result.meta),
    }


def to_mcp(prompt: Prompt) -> dict[str, Any]:
    """A prompt as the protocol writes it, without what the server left out."""
    fields: dict[str, Any] = {
        "title": prompt.title,
        "description": prompt.description,
        "arguments": [_argument_json(argument) for argument in prompt.arguments],
        "icons": list(prompt.icons),
        "_meta": dict(prompt.meta),
    }
    return {"name": prompt.name} | {key: value for key, value in fields.items() if value}


def _argument_json(argument: PromptArgument) -> dict[str, Any]:
    fields = {"title": argument.title, "description": argument.description}
    shown = {key: value for key, value in fields.items() if value}
    return {"name": argument.name, **shown, "required": argument.required}
