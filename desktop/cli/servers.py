"""`servers`: connects every enabled server and shows what became of each, in the config's order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from desktop.base.visible_text import mark_hidden
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, add_no_attach, make_parser
from desktop.cli.output import layout, plain
from desktop.cli.runner import CommandPlan, connect, enabled_servers, run_core

if TYPE_CHECKING:
    from desktop.base.errors import ConfigError
    from desktop.cli.output import Colour, Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.servers.connection import ServerConnection

_NOTES = """\
A failed server does not affect the others or the exit code; find out why with `mcp-desktop doctor
NAME`. A server that was added or changed in the config file by hand or by another program is not
started until you approve it with `mcp-desktop trust NAME`.

examples:
  mcp-desktop servers
  mcp-desktop servers --json --config ./mcp.json"""
_HEADER: Final = ("NAME", "TRANSPORT", "TOOLS", "TIME", "SOURCE", "STATE")
_COLOURS: dict[str, Colour] = {
    "connected": "green",
    "off": "dim",
    "untrusted": "yellow",
    "failed": "red",
    "wrong": "red",
}


def run(args: list[str], console: Console) -> int:
    return run_core(*plan(args, console))


def plan(args: list[str], console: Console) -> tuple[Options, CommandPlan]:
    """What is to be done, read but not begun."""
    parser = make_parser("servers", COMMANDS["servers"], _NOTES)
    add_no_attach(parser)
    options = parser.parse(args, Options())

    async def show(core: Core, chosen: list[ServerConfig]) -> int:
        await connect(core, chosen, console)
        (_print_json if console.as_json else _print_table)(core, console)
        return Exit.DONE

    # Not early: the time shown is the server's own, without what it did during an import.
    return options, CommandPlan(enabled_servers, show, starts_early=False)


def _print_json(core: Core, console: Console) -> None:
    store = core.store
    servers = [_to_json(config, _connection(core, name)) for name, config in _servers(store)]
    wrong = [_wrong(name, error) for name, error in _unusable(store)]
    notices = [str(notice) for notice in (store.trust_problem, *store.notices) if notice]
    console.document({"servers": servers + wrong, "config": str(store.path), "notices": notices})


def _print_table(core: Core, console: Console) -> None:
    store = core.store
    rows = [_row(config, _connection(core, name)) for name, config in _servers(store)]
    rows += [
        [mark_hidden(name), "", "", "", "file", "wrong: " + _first_line(str(error))]
        for name, error in _unusable(store)
    ]
    header, *lines = layout(_HEADER, rows, console.width, lambda state: _tinted(state, console))
    console.write(console.paint(header, "bold"))
    console.write("\n".join(lines))
    _print_errors(core, console)


def _tinted(state: str, console: Console) -> str:
    colour = _COLOURS.get(state.partition(":")[0])
    return console.paint(state, colour) if colour else state


def _print_errors(core: Core, console: Console) -> None:
    store = core.store
    texts = [
        connection.state.error
        for connection in core.service.connections.values()
        if connection.state.error
    ]
    texts += [str(error) for error in (*store.problems.values(), *store.notices)]
    for text in texts:
        console.note("\n" + plain(text))
    if not store.problems and not any(
        config.source != "builtin" for config in store.servers.values()
    ):
        console.note(f"\nNo servers yet. Add them to {store.path}, for example:")
        console.note(
            '  {"mcpServers": {"everything": {"command": "npx", "args": '
            '["-y", "@modelcontextprotocol/server-everything"]}}}'
        )


def _row(config: ServerConfig, connection: ServerConnection | None) -> list[str]:
    state = connection.state if connection is not None else None
    took = state.connect_seconds if state is not None else None
    is_up = connection is not None and connection.is_connected
    return [
        mark_hidden(config.name),
        config.transport,
        str(len(connection.tools)) if connection is not None and is_up else "",
        f"{took:.2f} s" if took is not None else "",
        config.source,
        _first_line(state.words) if state is not None else "off",
    ]


def _to_json(config: ServerConfig, connection: ServerConnection | None) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": config.name,
        "transport": config.transport,
        "enabled": config.enabled,
        "source": config.source,
        "state": connection.state.phase if connection is not None else "off",
        "error": (connection.state.error or None) if connection is not None else None,
        "tools": len(connection.tools) if connection is not None else 0,
        "pid": connection.pid if connection is not None else None,
        "protocol": None,
        "seconds": connection.state.connect_seconds if connection is not None else None,
    }
    session = connection.session if connection is not None else None
    if session is not None and session.client is not None:
        described["protocol"] = session.client.protocol_version
    return described


def _wrong(name: str, error: ConfigError) -> dict[str, Any]:
    empty = {"transport": None, "enabled": False, "source": "file", "tools": 0, "pid": None}
    return {
        "name": name,
        "state": "wrong",
        "error": str(error),
        **empty,
        "protocol": None,
        "seconds": None,
    }


def _servers(store: ConfigStore) -> list[tuple[str, ServerConfig]]:
    return list(store.servers.items())


def _unusable(store: ConfigStore) -> list[tuple[str, ConfigError]]:
    return [(name, error) for name, error in store.problems.items() if name not in store.servers]


def _connection(core: Core, name: str) -> ServerConnection | None:
    return core.service.connections.get(name)


def _first_line(text: str) -> str:
    return mark_hidden(text.partition("\n")[0].replace("\t", " "))
