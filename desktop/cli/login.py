"""`login`: has a person sign in to a server at a URL, and keeps what that brings in the keyring.

Opens the system's browser, or prints the address. Must not show a token or a code.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from msgspec import Struct

from desktop.base.errors import UsageError
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, make_parser
from desktop.cli.output import plain
from desktop.cli.runner import CommandPlan, connect, named_server, run_core
from desktop.servers.oauth.errors import SignInError

if TYPE_CHECKING:
    from desktop.cli.output import Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.servers.connection import ServerConnection
    from desktop.servers.oauth.credentials import Credentials
    from desktop.servers.oauth.device import DeviceCode
    from desktop.servers.oauth.steps import SignInStep

_NOTES = """\
If the server already accepts you, no sign-in is needed (--again signs in anyway, for another
account). Otherwise the browser opens and returns to a page on this computer. If your browser runs
on another computer, --paste prints the address and asks for the address of the page you end on;
--device prints a code to enter there, if the server supports it.

exit codes:
  0 signed in   1 not signed in, or not kept   2 wrong usage or config
  3 the server could not be reached   130 interrupted

examples:
  mcp-desktop login issues
  mcp-desktop login issues --steps
  mcp-desktop login issues --paste
  mcp-desktop login issues --device"""


class LoginOptions(Options):
    """What `login` is told."""

    server: str
    again: bool = False
    paste: bool = False
    device: bool = False
    steps: bool = False


def run(args: list[str], console: Console) -> int:
    parser = make_parser("login", COMMANDS["login"], _NOTES)
    parser.add_argument("server", metavar="SERVER", help="its name")
    parser.add_argument("--again", action="store_true", help="sign in even if already signed in")
    parser.add_argument("--paste", action="store_true", help="for a browser on another computer")
    parser.add_argument("--device", action="store_true", help="the same, with a code to enter")
    parser.add_argument("--steps", action="store_true", help="print each request and answer")
    options = parser.parse(args, LoginOptions())
    command = _Login(options, console)
    return run_core(options, CommandPlan(command.choose, command.run))


class _Login(Struct, frozen=True):
    """One run of the command."""

    options: LoginOptions
    console: Console

    def choose(self, store: ConfigStore) -> list[ServerConfig]:
        config = named_server(store, self.options.server, only_configured=True)
        if not config.url:
            raise UsageError(f"{config.name} is a local program; there is nothing to sign in to.")
        return [config]

    async def run(self, core: Core, chosen: list[ServerConfig]) -> int:
        await connect(core, chosen, self.console)
        connection = core.service.connection(self.options.server)
        if not (self.options.again or await core.service.wants_sign_in(self.options.server)):
            return self._say_not_needed(connection)
        try:
            brought = await self._sign_in(core)
        except SignInError as error:
            self._report({"signed_in": False, "error": str(error)}, str(error))
            return Exit.TOOL_ERROR
        await connection.settle()
        return self._say_done(core, connection, brought)

    def _say_not_needed(self, connection: ServerConnection) -> int:
        if not connection.is_connected:
            words = connection.state.error or connection.state.words
            self._report({"signed_in": False, "error": words}, words)
            return Exit.UNREACHABLE
        words = f"{connection.name} is connected and needs no sign-in."
        self._report({"signed_in": False, "error": None}, words)
        return Exit.DONE

    async def _sign_in(self, core: Core) -> Credentials:
        browser = PastedBrowser(self.console) if self.options.paste else None
        return await core.service.sign_in(
            self.options.server,
            browser,
            show=self._show,
            stepped=self._follow,
            as_another=self.options.again,
            device=self._show_code if self.options.device else None,
        )

    def _show(self, url: str) -> None:
        from desktop.servers.oauth.browser import open_browser

        host = urlsplit(url).netloc
        self.console.note(plain(f"Sign in at {host} in the browser. If none opens, go to:\n{url}"))
        open_browser(url)

    def _show_code(self, code: DeviceCode) -> None:
        lines = [f"Go to {code.url}", f"and enter: {code.code}"]
        if code.whole_url:
            lines.append(f"Or go to {code.whole_url}, and check the code.")
        lines.append(f"Valid for {code.seconds / 60:.0f} minutes.")
        self.console.note(plain("\n".join(lines)))

    def _follow(self, step: SignInStep) -> None:
        if self.options.steps or step.problem:
            self.console.note(plain(step.line))
        if self.options.steps:
            for body in filter(None, (step.sent, step.received)):
                self.console.note(plain(body))

    def _say_done(self, core: Core, connection: ServerConnection, brought: Credentials) -> int:
        where = urlsplit(brought.issuer or brought.token_endpoint).netloc
        problem = core.service.sign_ins.store.problem
        document: dict[str, Any] = {
            "signed_in": True,
            "server": connection.name,
            "at": where,
            "scope": brought.scope,
            "kept": not problem,
            "error": None if connection.is_connected else connection.state.error,
        }
        words = f"Signed in to {connection.name} at {where}."
        if connection.is_connected:
            number = len(connection.tools)
            words += f" It has {number} tool{'s' if number != 1 else ''}."
        self._report(document, words)
        if not connection.is_connected:
            self.console.note(plain(connection.state.error))
            return Exit.UNREACHABLE
        if problem:
            lost = f"The sign-in could not be stored and ends with this command: {problem}"
            self.console.note(plain(f"{lost}\nUnlock a keyring, or add a token to its headers."))
            return Exit.TOOL_ERROR
        return Exit.DONE

    def _report(self, document: dict[str, Any], words: str) -> None:
        if self.console.as_json:
            self.console.document(document)
        elif document["signed_in"] or document["error"] is None:
            self.console.write(plain(words))
        else:
            self.console.note(plain(words))


class PastedBrowser:
    """A browser on another computer: the person carries the addresses to and fro."""

    redirect_uri = "http://127.0.0.1:1/callback"
    """Nothing listens there: the browser shows that it cannot be reached, and its address."""

    def __init__(self, console: Console) -> None:
        self._console = console

    async def visit(self, url: str) -> dict[str, str]:
        self._console.note(plain(f"Go to this address, and sign in:\n{url}"))
        self._console.note("Then paste the address of the page you end on:")
        line = await asyncio.to_thread(sys.stdin.readline)
        if not line.strip():
            raise SignInError("no address was pasted")
        return dict(parse_qsl(urlsplit(line.strip()).query))
