"""A person signs in from another device, with a code that they type in there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.servers.oauth import device
from desktop.servers.oauth.device import DeviceCode, device_endpoint
from desktop.servers.oauth.errors import SignInError
from desktop.servers.service import McpService
from tests.config.keyring_backend import MemoryKeyring, use
from tests.http_stub import serving
from tests.live_servers import ending, surroundings
from tests.oauth_stub import Authorization

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from desktop.servers.oauth.steps import SignInStep


@pytest.fixture
async def guarded(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Authorization]:
    use(monkeypatch, MemoryKeyring())
    async with serving() as stub:
        made = Authorization(stub)
        made.give_codes()
        yield made


@pytest.fixture
async def service(guarded: Authorization) -> AsyncGenerator[McpService]:
    async with ending(McpService(surroundings())) as made:
        made.add_server(guarded.stub.config())
        await made.connect_all()
        yield made


async def test_the_person_gets_a_code_and_the_server_goes_on_when_they_agreed(
    service: McpService, guarded: Authorization, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device, "SLOWER", 0.0)
    guarded.said_of_code = ["authorization_pending", "slow_down", ""]
    codes: list[DeviceCode] = []
    steps: list[SignInStep] = []
    await service.sign_in("web", device=codes.append, stepped=steps.append)
    await service.connection("web").settle()
    assert service.connection("web").is_connected
    assert codes == [DeviceCode("WDJB-MJHT", f"{guarded.stub.address}/activate", "", 600)]
    assert [step.kind for step in steps] == [
        *("challenge", "resource", "server", "register", "device", "browser", "token"),
    ]
    assert "canary" not in repr(steps)
    asked, *looks = guarded.forms
    assert asked == {"client_id": "made-here", "resource": f"{guarded.stub.address}/mcp"}
    assert {look["device_code"] for look in looks} == {"canary-device"}


@pytest.mark.parametrize("error", ["access_denied", "expired_token"])
async def test_a_refusal_ends_the_wait(
    service: McpService, guarded: Authorization, error: str
) -> None:
    guarded.said_of_code = ["authorization_pending", error]
    with pytest.raises(SignInError, match=f"did not issue a token.*{error}"):
        await service.sign_in("web", device=lambda _: None)
    assert guarded.said_of_code == []


async def test_a_code_that_nobody_types_in_is_given_up(
    service: McpService, guarded: Authorization, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(device, "MAX_SECONDS", 0.2)
    guarded.said_of_code = ["authorization_pending"] * 100
    with pytest.raises(SignInError, match="the code was not entered in time"):
        await service.sign_in("web", device=lambda _: None)


async def test_without_codes_another_way_is_named(
    service: McpService, guarded: Authorization
) -> None:
    del guarded.metadata["device_authorization_endpoint"]
    with pytest.raises(SignInError, match=r"does not support device codes(.|\n)*--paste"):
        await service.sign_in("web", device=lambda _: None)


async def test_a_page_that_is_not_encrypted_is_shown_to_nobody(
    service: McpService, guarded: Authorization
) -> None:
    shown: list[DeviceCode] = []
    guarded.page_for_codes = "http://else.example/activate"
    with pytest.raises(SignInError, match="is not encrypted"):
        await service.sign_in("web", device=shown.append)
    assert shown == []


@pytest.mark.parametrize("metadata", [b"", b"[]", b"{", b'{"device_authorization_endpoint": 1}'])
def test_what_is_no_metadata_has_no_codes(metadata: bytes) -> None:
    assert device_endpoint(metadata) == ""
