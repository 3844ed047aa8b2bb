"""On which servers saved calls are run: `--server NAME=COMMAND` and `--against SERVER`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from desktop.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore


class ServerColumn(Struct, frozen=True):
    """One pass over all calls; `servers` has the server that is called in place of another."""

    title: str = ""
    servers: Mapping[str, str] = field(default_factory=dict[str, str])


def make_columns(against: Sequence[str], used: Sequence[str]) -> list[ServerColumn]:
    """A column for each `--against [NAME=]SERVER`, or the one without a title.

    Args:
        against: as they were typed.
        used: the servers that the calls name.

    Raises:
        UsageError: it is not said which server is replaced, or a column comes twice.
    """
    columns: list[ServerColumn] = []
    for text in against:
        name, equals, server = (part.strip() for part in text.rpartition("="))
        if not server or (equals and name not in used):
            raise UsageError(
                f"--against {text!r}: the saved calls use no server of that name.",
                remedy=f"They use: {', '.join(used)}.",
            )
        if not equals and len(used) != 1:
            raise UsageError(
                f"The saved calls use several servers: {', '.join(used)}.",
                remedy=f"Say which one is replaced: --against {used[0]}={server}",
            )
        column = ServerColumn(server, {name or used[0]: server})
        if any(each.title == server for each in columns):
            raise UsageError(f"--against gives {server!r} twice.")
        columns.append(column)
    return columns or [ServerColumn()]


def find_servers(
    store: ConfigStore,
    columns: Iterable[ServerColumn],
    used: Sequence[str],
    typed: Iterable[str] = (),
) -> list[ServerConfig]:
    """All servers that are needed.

    A file of calls is data: it starts nothing that is off, and never the shell.

    Args:
        store: the config.
        columns: which server is called in place of which.
        used: the servers that the calls name.
        typed: what was typed of names.

    Raises:
        DesktopError: there is none of a name, or it must not be started.
    """
    from desktop.cli.runner import named_server

    names = dict.fromkeys(column.servers.get(name, name) for column in columns for name in used)
    found: list[ServerConfig] = []
    for name in names:
        config = named_server(store, name)
        if config.source != "given":
            _refuse_for_data(config, is_typed=name in typed)
        found.append(config)
    return found


def _refuse_for_data(config: ServerConfig, *, is_typed: bool) -> None:
    name = config.name
    if config.builtin == "shell":
        raise UsageError(
            f"Saved calls do not run {name}: they are data, and its arguments are programs.",
            remedy=f"Call it yourself: mcp-desktop call {name}:run_command.",
        )
    if not config.enabled and not is_typed:
        raise UsageError(
            f"{name} is off, and a file of calls does not start it.",
            remedy=f"Name it: --server {name}. Or switch it on.",
        )
