"""What the commands that list have in common: whom they ask, who failed, and how they end.

Used by `tools`, `call`, `resources`, `prompts` and `tasks`. Must not know what is listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.visible_text import mark_hidden
from desktop.cli.exit_codes import Exit
from desktop.cli.output import plain
from desktop.cli.runner import enabled_servers, failed, named_server

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.cli.output import Console
    from desktop.config.models import ServerConfig
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.values.tool_types import ToolDefinition


def asked_servers(store: ConfigStore, names: Sequence[str]) -> list[ServerConfig]:
    """The servers of these names, also those that are off; without names all that are on.

    Raises:
        UsageError: there is none of a name.
        ConfigError: its configuration is wrong, or nobody agreed to it.
    """
    return [named_server(store, name) for name in names] or enabled_servers(store)


def failures(core: Core) -> dict[str, str]:
    """Why each server that could not be connected has nothing, by its name."""
    return {
        connection.name: connection.state.error or connection.state.words
        for connection in failed(core)
    }


def note_oddities(core: Core, console: Console, *methods: str) -> None:
    """Say on stderr what is wrong with these lists; all the rest of them is there."""
    for connection in core.service.connections.values():
        for oddity in connection.oddities:
            if oddity.startswith(methods):
                console.note(plain(f"{connection.name}: {oddity}"))


def note_left_out(core: Core, tools: Iterable[ToolDefinition], console: Console) -> None:
    """Say which of these tools the model of the client that the run acts as does not get."""
    if (client := core.surroundings.client) is None:
        return
    for tool in tools:
        if not client.offered([tool]):
            console.note(plain(f"{tool.key} is not given to the model of {client.label}"))


def finish_listing(core: Core, chosen: Sequence[ServerConfig], console: Console) -> Exit:
    """Say who could not be reached; the exit code is not 0 where that is everybody."""
    unreachable = failed(core)
    for connection in unreachable:
        console.note(plain(connection.state.error or connection.state.words))
    if not chosen or len(unreachable) < len(chosen):
        return Exit.DONE
    is_config = all(connection.state.phase == "untrusted" for connection in unreachable)
    return Exit.USAGE if is_config else Exit.UNREACHABLE


def first_line(text: str) -> str:
    """The first line of a description, with nothing hidden in it."""
    return mark_hidden(text.strip().partition("\n")[0].replace("\t", " "))
