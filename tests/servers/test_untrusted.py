"""A server that is refused is not started by any way there is, and is once it is not any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.config.trust import UntrustedError
from desktop.servers.service import McpService
from tests.live_servers import stdio, surroundings

if TYPE_CHECKING:
    from desktop.config.models import ServerConfig
    from desktop.servers.connection import ServerConnection
    from desktop.servers.context import ConnectionContext

REFUSAL = UntrustedError("It is another one.", is_new=False, remedy="Agree to it.")


def refusing(*arguments: str) -> ConnectionContext:
    """Servers with one of these arguments are refused."""

    def refuse(config: ServerConfig) -> UntrustedError | None:
        return REFUSAL if set(arguments) & {*config.args} else None

    return surroundings(refuse=refuse)


def is_at_rest(connection: ServerConnection) -> bool:
    return connection.state.phase == "untrusted" and not connection.is_running


async def test_no_way_starts_it_and_it_says_why() -> None:
    service = McpService(refusing("evil"))
    config = stdio("plain", "evil")
    connection = service.add_server(config)
    await connection.connect()
    assert is_at_rest(connection)
    assert connection.state.error == "It is another one.\nAgree to it."
    assert connection.state.words.startswith("untrusted: ")
    service.restart("plain")
    await service.connect_all()
    service.apply([config])
    result = await connection.call_tool("add", {})
    assert "It is another one." in result.output + str(result.error)
    assert is_at_rest(connection)
    assert (connection.pid, service.get_stats().connected) == (None, 0)


async def test_a_running_server_that_becomes_another_one_is_ended_until_that_is_agreed_to() -> None:
    refused = {"changed"}
    context = refusing()
    service = McpService(context)
    context.refuse = lambda config: REFUSAL if refused & {*config.args} else None
    service.apply([stdio("plain")])
    connection = service.connection("plain")
    await connection.settle()
    assert connection.is_connected
    changed: list[Any] = [stdio("plain", "changed")]
    service.apply(changed)
    await connection.settle()
    assert is_at_rest(connection)
    assert not connection.tools
    refused.clear()
    service.apply(changed)
    await connection.settle()
    assert connection.is_connected
    await service.disconnect_all()


async def test_switched_off_it_is_stopped_as_any_other() -> None:
    service = McpService(refusing("evil"))
    service.apply([stdio("plain", "evil")])
    service.apply([stdio("plain", "evil", enabled=False)])
    assert service.connection("plain").state.phase == "stopped"
