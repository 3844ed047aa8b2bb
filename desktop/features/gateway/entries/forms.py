"""How each client writes down a server, and where in its file: the shapes of our own entry.

Over stdio the client starts the gateway itself; over HTTP it is given the address and the token of
one that runs. A table; must not read or write files.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from msgspec import Struct

from desktop.base.errors import ConfigError
from desktop.base.later_patterns import compile_later
from desktop.base.paths import APP, app_command, platform_paths
from desktop.base.translatable import translatable
from desktop.config.document import as_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.base.paths import Paths
    from desktop.config.document import JsonObject

_PASSING: Final = (
    (compile_later(r"[/\\](archive|environments)-v\d+[/\\]"), ("uvx",)),
    (compile_later(r"[/\\]pipx[/\\]\.cache[/\\]|[/\\]\.cache[/\\]pipx[/\\]"), ("pipx", "run")),
)
"""Where uv and pipx keep what they run without installing it, and what runs it once more."""
NAME: Final = APP
"""Of our entry, in every client."""


class StartAccess(Struct, frozen=True):
    """The client starts the gateway."""

    command: str
    args: tuple[str, ...]


class HttpAccess(Struct, frozen=True):
    """The client reaches a gateway that runs; the token is a secret."""

    url: str
    token: str


Access: TypeAlias = StartAccess | HttpAccess


class ClientForm(Struct, frozen=True):
    """The shape of one client's entry."""

    table: tuple[str, ...] = ("mcpServers",)
    """Where the servers are in its file."""
    start: Mapping[str, object] | None = None
    """What stands in an entry with a command beside that."""
    http: Mapping[str, object] | None = None
    """The same for an address; None where the client knows none in its file."""
    command: str = "command"
    url: str = "url"
    headers: str = "headers"
    sign: str = ""
    """The folder that shows that the client is installed; empty: that of its file."""
    file: int = 0
    """Which of the places of its file, where the first one is not its own."""
    in_project: bool = False
    """Whether its file is in the folder that it is run from, and so only known there."""

    @property
    def path(self) -> tuple[str, ...]:
        return (*self.table, NAME)

    def entry(self, access: Access) -> JsonObject:
        """Our entry as this client writes it."""
        if isinstance(access, StartAccess):
            first = dict(self.start or {})
            return {**first, self.command: access.command, "args": list(access.args)}
        headers = {"Authorization": f"Bearer {access.token}"}
        return {**(self.http or {}), self.url: access.url, self.headers: headers}

    def access(self, entry: object) -> Access | None:
        """What an entry in this client's file stands for; None where it is none of a gateway."""
        fields = as_object(entry) or {}
        command, args, url = fields.get(self.command), fields.get("args"), fields.get(self.url)
        if isinstance(command, str) and isinstance(args, list):
            words = [str(each) for each in cast("list[object]", args)]
            return StartAccess(command, tuple(words)) if "serve" in words else None
        given: object = (as_object(fields.get(self.headers)) or {}).get("Authorization")
        if isinstance(url, str) and isinstance(given, str):
            return HttpAccess(url, given.removeprefix("Bearer ")) if _is_ours(url) else None
        return None


def _is_ours(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "http://localhost:"))


def _of_goose(kind: str) -> Mapping[str, object]:
    words = "The servers of mcp-desktop"
    return {"enabled": True, "type": kind, "name": NAME, "description": words, "timeout": 300}


_STDIO: Final = {"type": "stdio"}
_HTTP: Final = {"type": "http"}

FORMS: Final[Mapping[str, ClientForm]] = {
    "claude-desktop": ClientForm(),
    "claude-code": ClientForm(start=_STDIO, http=_HTTP, sign="{home}/.claude"),
    "cursor": ClientForm(http={}),
    "windsurf": ClientForm(http={}, url="serverUrl"),
    "vscode": ClientForm(("servers",), _STDIO, _HTTP),
    "cline": ClientForm(http={"type": "streamableHttp"}),
    "roo": ClientForm(http={"type": "streamable-http"}),
    "lm-studio": ClientForm(http={}),
    "gemini-cli": ClientForm(http={}, url="httpUrl"),
    "codex": ClientForm(("mcp_servers",), http={}, headers="http_headers"),
    "copilot": ClientForm(
        start={"type": "local", "tools": ["*"]}, http={"type": "http", "tools": ["*"]}
    ),
    "goose": ClientForm(
        ("extensions",), _of_goose("stdio"), _of_goose("streamable_http"), command="cmd", url="uri"
    ),
    "librechat": ClientForm(start=_STDIO, http={"type": "streamable-http"}, in_project=True),
    "zed": ClientForm(("context_servers",), start={"source": "custom"}, http={"source": "custom"}),
    "inspector": ClientForm(start=_STDIO, http={"type": "streamable-http"}),
}
"""By the key of the client in `imports.clients`; of the others, the file is not ours to write.

Sources: each client's documentation, as gathered in reference 6 of the design; for Codex, Copilot
CLI and Zed the files that they write themselves, for goose and LibreChat `ExtensionConfig` and
`MCPOptionsSchema` in their sources.
"""


def lasting_command(executable: str) -> tuple[str, ...]:
    """What starts this installation tomorrow, too: uvx and pipx may empty their caches."""
    for place, command in _PASSING:
        if place.search(executable):
            return (*command, APP)
    return tuple(app_command())


class GatewayCommand(Struct, frozen=True):
    """What starts the gateway of this installation, from anywhere."""

    program: tuple[str, ...]
    flags: tuple[str, ...] = ()
    """What names a config file and a data folder other than the platform's."""

    @classmethod
    def own(cls, paths: Paths) -> GatewayCommand:
        """That of the app which is running, for the same config and data."""
        usual = platform_paths()
        flags: list[str] = []
        if paths.config != usual.config:
            flags += ["--config", str(paths.config)]
        if paths.data != usual.data:
            flags += ["--data-dir", str(paths.data)]
        return cls(lasting_command(sys.executable), tuple(flags))

    def start(self, client: str) -> StartAccess:
        """How the client of this key starts it."""
        command, *args = self.program
        return StartAccess(command, (*args, "serve", "--client", client, *self.flags))

    def require_lasting(self) -> None:
        """Refuse to be written down.

        Raises:
            ConfigError: macOS runs the app from a copy that ends with it ("App Translocation").
        """
        if "/AppTranslocation/" in self.program[0]:
            raise ConfigError(
                translatable("macOS runs this app from a copy, which is gone after a restart"),
                remedy=translatable(
                    "Move the app into the folder Applications and open it there, then try again."
                ),
            )
