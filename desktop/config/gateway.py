"""Which servers each client of the gateway is offered: `"mcpDesktop": {"gateway": {...}}`.

A client is known by the name that it gives itself, which anybody can give: this chooses what is
useful to a client, and keeps nothing from one that wants it. Decides nothing about trust.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, cast

from msgspec import Struct, field

from desktop.base.errors import ConfigError
from desktop.base.translatable import translatable
from desktop.config.document import as_object
from desktop.config.editor import app_object
from desktop.config.parser import APP_KEY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.config.document import JsonObject

MAX_CLIENTS = 200
"""Entries that are read; a person writes a handful."""


class GatewaySettings(Struct, frozen=True):
    """The names of servers by a client's name or pattern, in the order of the file."""

    clients: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def servers_for(self, *clients: str) -> tuple[str, ...] | None:
        """The servers of a client of these names; None for all that are switched on.

        The first name counts before the next: the one its entry gives it, the one it gives itself.
        A name itself counts before a pattern (`cursor*`), whichever stands first; case does not.
        """
        folded = {key.casefold(): servers for key, servers in self.clients.items()}
        names = [client.casefold() for client in clients]
        exact = [name for name in names if name in folded]
        if exact:
            return folded[exact[0]]
        fitting = (key for name in names for key in folded if fnmatchcase(name, key))
        key = next(fitting, None)
        return None if key is None else folded[key]

    def chosen_for(self, client: str) -> tuple[str, ...] | None:
        """What the file says of this very name, which is what a page shows and changes."""
        return self.clients.get(client)


def read_gateway(data: JsonObject) -> tuple[GatewaySettings, list[ConfigError]]:
    """What the file says; a wrong entry offers its client nothing and is told of."""
    notices: list[ConfigError] = []
    clients: dict[str, tuple[str, ...]] = {}
    try:
        entries = _clients(data)
    except ConfigError as error:
        words = translatable("Gateway: {reason}", reason=error.args[0])
        return GatewaySettings({"*": ()}), [ConfigError(words, remedy=error.remedy)]
    for name, entry in list(entries.items())[:MAX_CLIENTS]:
        try:
            clients[name] = _servers(entry)
        except ConfigError as error:
            clients[name] = ()  # rather too little than what nobody wanted it to have
            words = translatable(
                'Client "{name}" of the gateway: {reason}', name=name, reason=error.args[0]
            )
            notices.append(ConfigError(words))
    return GatewaySettings(clients), notices


def put_client(data: JsonObject, client: str, servers: Sequence[str] | None) -> None:
    """Write which servers a client is offered; None for all, which takes its entry away.

    Raises:
        ConfigError: our own keys are not what they have to be.
    """
    gateway = app_object(data, "gateway")
    clients = _clients(data)
    if servers is None:
        clients.pop(client, None)
    else:
        entry = as_object(clients.get(client)) or {}
        clients[client] = {**entry, "servers": list(servers)}
    gateway["clients"] = clients
    if not clients:
        del gateway["clients"]
    section = data.setdefault(APP_KEY, {})
    section["gateway"] = gateway
    if not gateway:
        del section["gateway"]


def _clients(data: JsonObject) -> JsonObject:
    if (entries := as_object(app_object(data, "gateway").get("clients", {}))) is None:
        raise ConfigError(translatable('"clients" must be an object'))
    return entries


def _servers(entry: object) -> tuple[str, ...]:
    fields = as_object(entry)
    listed: object = fields.get("servers") if fields is not None else None
    if not isinstance(listed, list) or not all(
        isinstance(name, str) for name in cast("list[object]", listed)
    ):
        raise ConfigError(translatable('"servers" must be a list of names of servers'))
    return tuple(cast("list[str]", listed))
