"""What all commands share: flags, the exit code of an error, and the stores without a server.

Runs nothing, and must import next to nothing: `--help` of every command waits for it.
"""

from __future__ import annotations

import argparse
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from desktop.base.errors import UsageError
from desktop.base.paths import find_paths
from desktop.cli.commands import ATTACH
from desktop.cli.exit_codes import Exit
from desktop.config.sandbox import PRESETS
from desktop.values.tool_types import ErrorCode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.base.paths import Paths
    from desktop.config.models import Sandbox, ServerConfig
    from desktop.config.sandbox import SandboxPreset
    from desktop.config.store import ConfigStore
    from desktop.values.acting_client import ActingClient
    from desktop.values.tool_types import ToolError, ToolResult


_LAUNCH = "desktop.features.launch"
"""By its name: the features stand on this."""
_BY_CODE = {
    ErrorCode.NOT_FOUND: Exit.USAGE,
    ErrorCode.INVALID_ARGUMENTS: Exit.USAGE,
    ErrorCode.DENIED: Exit.USAGE,
    ErrorCode.UNREACHABLE: Exit.UNREACHABLE,
    ErrorCode.TIMEOUT: Exit.TIMEOUT,
    ErrorCode.CANCELLED: Exit.INTERRUPTED,
}


def exit_of(result: ToolResult) -> Exit:
    """The exit code of a call; what the server or the tool said itself counts as its error."""
    return exit_of_error(result.error)


def exit_of_error(error: ToolError | None) -> Exit:
    """The exit code of a request of any kind; None where it went well."""
    return Exit.DONE if error is None else _BY_CODE.get(error.code, Exit.TOOL_ERROR)


PROGRAM = "mcp-desktop"


class Options(argparse.Namespace):
    """The options that every command has."""

    json: bool = False
    verbose: bool = False
    config: str | None = None
    data_dir: str | None = None
    trust: bool = False
    sandbox: SandboxPreset | None = None

    @property
    def paths(self) -> Paths:
        """Where the config and the data are, and what was said of them."""
        return find_paths(self.config, self.data_dir, is_trusted=self.trust)

    @property
    def chosen_sandbox(self) -> Sandbox | None:
        """That of new servers; None where nothing was said."""
        from desktop.config.models import Sandbox  # brings pydantic

        return Sandbox(preset=self.sandbox) if self.sandbox is not None else None

    def given_servers(self) -> Sequence[ServerConfig]:
        """The servers that the command line says how to start; no config has them."""
        return ()

    def acting_client(self) -> ActingClient | None:
        """The client that the run acts as; None where it is itself."""
        return None


class ServerOptions(Options):
    """The options of a command that talks to the servers it is given, or to all that are on."""

    server: list[str] | None = None
    client: str | None = None

    def acting_client(self) -> ActingClient | None:
        """That of `--client`.

        Raises:
            UsageError: nothing is known of it.
        """
        if self.client is None:
            return None
        return import_module(_LAUNCH).acting_client(self.client)

    @property
    def server_names(self) -> list[str]:
        """The names that `--server` was given, in their order."""
        return [text.partition("=")[0].strip() for text in self.server or ()]

    def given_servers(self) -> Sequence[ServerConfig]:
        """Those of `NAME=COMMAND` and `NAME=URL`.

        Raises:
            UsageError: one cannot be understood.
        """
        return _parse_servers(self.server or ())


DESCRIBE = "--describe-parser"
"""Given alone, it makes a command hand out its parser instead of running."""


class DescribedError(Exception):
    """Carries the parser of a command to the caller."""

    def __init__(self, parser: Parser) -> None:
        super().__init__(parser.prog)
        self.parser = parser


OptionsT = TypeVar("OptionsT", bound=Options)


class Parser(argparse.ArgumentParser):
    """Raises instead of leaving the process, so that `--json` can answer a wrong command too."""

    @cached_property
    def arguments(self) -> list[argparse.Action]:
        """What was added to it, in order; not what is in groups."""
        return []

    def add_argument(self, *args: Any, **kwargs: Any) -> argparse.Action:
        action = super().add_argument(*args, **kwargs)
        self.arguments.append(action)
        return action

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}.", remedy=self.format_usage().strip())

    def parse(self, args: list[str], options: OptionsT) -> OptionsT:
        """Fill `options` from `args`, flags and words in any order.

        Raises:
            UsageError: they do not fit.
        """
        if args == [DESCRIBE]:
            raise DescribedError(self)
        # Not into `options` at once: argparse takes attributes off the namespace while it works.
        vars(options).update(vars(self.parse_intermixed_args(args)))
        return options


def make_parser(command: str, summary: str, notes: str) -> Parser:
    """A parser that knows the shared flags; `notes` is printed under them as it is."""
    parser = Parser(
        prog=f"{PROGRAM} {command}".strip(),
        description=f"{summary[:1].upper()}{summary[1:]}.",
        epilog=notes,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        add_help=False,
    )
    shared = parser.add_argument_group("common flags")
    shared.add_argument("--json", action="store_true", help="one JSON document on stdout")
    shared.add_argument("--config", metavar="FILE", help="the configuration file to use")
    shared.add_argument("--data-dir", metavar="DIR", help="the folder for logs and state")
    shared.add_argument("--trust", action="store_true", help="start all that the config says")
    shared.add_argument("--verbose", action="store_true", help="log progress to stderr")
    shared.add_argument("-h", "--help", action="help", help="show this help")
    return parser


def add_server(parser: Parser) -> None:
    """The flag that says which servers, of `ServerOptions`."""
    parser.add_argument(
        "--server",
        metavar="NAME[=COMMAND]",
        action="append",
        help="only this server, even if it is off; start it with COMMAND, or reach it at a URL,"
        " without any config; repeatable",
    )
    add_sandbox(parser)


def add_sandbox(parser: Parser) -> None:
    """The flag that says what servers may touch."""
    parser.add_argument(
        "--sandbox",
        choices=PRESETS,
        help="what local servers may touch in this run, whatever the config says",
    )


def add_new_sandbox(parser: Parser) -> None:
    """The flag that says in which sandbox new servers are added, of `Options`."""
    parser.add_argument(
        "--sandbox", choices=PRESETS, help="what new local servers may touch, in place of `folders`"
    )


def add_client(parser: Parser) -> None:
    """The flag that says as which other client servers are asked, of `ServerOptions`."""
    if import_module(_LAUNCH).CLIENTS:
        parser.add_argument(
            "--client",
            metavar="CLIENT",
            help="ask the server as this client (cursor, claude-code, ...: see clients), and show"
            " what its model gets",
        )


def _parse_servers(texts: Iterable[str]) -> list[ServerConfig]:
    texts = list(texts)
    names = [text.partition("=")[0].strip() for text in texts]
    for name, text in zip(names, texts, strict=True):
        if not name or (not text.partition("=")[2].strip() and "=" in text):
            raise UsageError(f"--server {text!r} is not NAME, NAME=COMMAND or NAME=URL.")
        if names.count(name) > 1:
            raise UsageError(f"--server gives {name!r} twice.")
    if not (given := [text for text in texts if "=" in text]):
        return []
    from desktop.config.given import parse_server

    try:
        return [parse_server(text) for text in given]
    except UsageError as error:
        raise UsageError(f"--server {error}") from None


def add_no_attach(parser: Parser) -> None:
    """The flag of the commands that a run which has the servers already would carry out."""
    words = "start the servers anew, even if the window or the daemon runs them"
    words = words if ATTACH else argparse.SUPPRESS
    parser.add_argument("--no-attach", action="store_true", help=words)


def open_store(options: Options) -> ConfigStore:
    """The config of a command that starts no server.

    Raises:
        ConfigError: the file cannot be understood.
    """
    from desktop.bootstrap import open_config_store

    store = open_config_store(options.paths)
    refuse_wrong_config(store)
    return store


def refuse_wrong_config(store: ConfigStore) -> None:
    """Leave a command rather than run it without servers that the person gave it.

    Raises:
        ConfigError: the file cannot be understood, or something in `MCP_SERVERS` is wrong.
    """
    if store.error is not None:
        raise store.error
    if store.refused:
        raise store.refused[0]
