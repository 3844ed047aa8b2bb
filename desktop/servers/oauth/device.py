"""Signing in from another device: a person types a code into a page there.

For a machine without a browser. The SDK does the rest: discovery, registration, what becomes of the
tokens. Source: RFC 8628.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final, Protocol

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError, OAuthTokenError
from msgspec import Struct

from desktop.base.translatable import translatable
from desktop.patches.sdk import token_endpoint_of
from desktop.servers.oauth.errors import SignInError
from desktop.values.json_schema import object_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from mcp.client.auth import TokenStorage
    from mcp.shared.auth import OAuthClientMetadata

DEVICE_GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
ANSWERED: Final = "mcp-desktop-answered"
"""Of a request that was sent already: its answer."""
MAX_SECONDS: Final = 1_800.0
"""Until a code is given up, whatever the server says."""
USUAL_INTERVAL: Final = 5.0
MIN_INTERVAL, MAX_INTERVAL = 0.05, 60.0
"""Bounds, in seconds, of what a server may want between two looks."""
SLOWER: Final = 5.0
MAX_CODE_LENGTH: Final = 100


class DeviceCode(Struct, frozen=True):
    """What a person needs: a page, the code that is typed in there, and the seconds it is good for.

    `whole_url` has the code in it already; empty where the server has no such page. Untrusted.
    """

    code: str
    url: str
    whole_url: str = ""
    seconds: float = MAX_SECONDS


class Sends(Protocol):
    """Sends a request within limits; `quietly` tells nobody of it."""

    def __call__(
        self, request: httpx2.Request, *, quietly: bool = False
    ) -> Awaitable[httpx2.Response]: ...


class DeviceProvider(OAuthClientProvider):
    """The SDK's flow with a code in place of a browser that comes back."""

    def __init__(
        self,
        server_url: str,
        metadata: OAuthClientMetadata,
        storage: TokenStorage,
        *,
        endpoint: Callable[[], str],
        send: Sends,
        show: Callable[[DeviceCode], object],
        client_metadata_url: str | None = None,
    ) -> None:
        """Prepare a flow.

        Args:
            server_url: the MCP server's.
            metadata: of this client.
            storage: what the flow begins with.
            endpoint: where codes are given; empty where nowhere is. Asked after the discovery.
            send: sends a request.
            show: tells the person.
            client_metadata_url: names this client where the server knows such.
        """
        super().__init__(server_url, metadata, storage, client_metadata_url=client_metadata_url)
        self._endpoint, self._send_now, self._show = endpoint, send, show

    async def _perform_authorization(self) -> httpx2.Request:
        if not (endpoint := self._endpoint()):
            raise SignInError(
                translatable("the authorization server does not support device codes"),
                remedy=translatable("Use a browser: mcp-desktop login SERVER --paste."),
            )
        form = {"scope": self.context.client_metadata.scope or ""} | self._resource
        answer = await self._send_now(self._form(endpoint, form))
        found = _object(answer)
        if not answer.is_success:
            raise OAuthTokenError(_words(found, answer.status_code))
        shown, device_code = _device_code(found), str(found.get("device_code", ""))
        self._show(shown)
        form = {"grant_type": DEVICE_GRANT, "device_code": device_code} | self._resource
        try:
            async with asyncio.timeout(shown.seconds):
                return await self._poll(form, _interval(found))
        except TimeoutError:
            raise SignInError(translatable("the code was not entered in time")) from None

    async def _poll(self, form: dict[str, str], interval: float) -> httpx2.Request:
        """Ask until somebody has agreed or not; the last request, with its answer."""
        while True:
            await asyncio.sleep(interval)
            request = self._form(token_endpoint_of(self), form)
            try:
                answer = await self._send_now(request, quietly=True)
            except (TimeoutError, httpx2.TransportError):  # RFC 8628, 3.5: the next one is later
                interval = min(interval * 2, MAX_INTERVAL)
                continue
            error = "" if answer.is_success else str(_object(answer).get("error", ""))
            if error == "slow_down":
                interval = min(interval + SLOWER, MAX_INTERVAL)
            elif error != "authorization_pending":
                request.extensions[ANSWERED] = answer
                return request

    @property
    def _resource(self) -> dict[str, str]:
        context = self.context
        has_resource = context.should_include_resource_param(context.protocol_version)
        return {"resource": context.get_resource_url()} if has_resource else {}

    def _form(self, url: str, form: dict[str, str]) -> httpx2.Request:
        client = self.context.client_info
        named = {"client_id": client.client_id} if client is not None else {}
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        form, headers = self.context.prepare_token_auth(form | named, headers)
        kept = {name: value for name, value in form.items() if value}
        return httpx2.Request("POST", url, data=kept, headers=headers)


def device_endpoint(metadata: bytes) -> str:
    """Where codes are given, by the metadata of an authorization server; empty where nowhere is.

    Source: RFC 8628, 4. The SDK does not read it.
    """
    try:
        value = object_of(json.loads(metadata))
    except (ValueError, RecursionError):
        return ""
    found = value.get("device_authorization_endpoint", "")
    return found if isinstance(found, str) else ""


def _device_code(found: Mapping[str, Any]) -> DeviceCode:
    """Raises OAuthFlowError: it lacks what a person needs."""
    code, url = found.get("user_code"), found.get("verification_uri")
    whole, seconds = found.get("verification_uri_complete"), found.get("expires_in")
    if not isinstance(code, str) or not isinstance(url, str) or len(code) > MAX_CODE_LENGTH:
        raise OAuthFlowError("it gives no code that a person could type in")
    limit = float(seconds) if isinstance(seconds, int | float) and seconds > 0 else MAX_SECONDS
    return DeviceCode(code, url, whole if isinstance(whole, str) else "", min(limit, MAX_SECONDS))


def _interval(found: Mapping[str, Any]) -> float:
    value = found.get("interval", USUAL_INTERVAL)
    seconds = float(value) if isinstance(value, int | float) else USUAL_INTERVAL
    return min(max(seconds, MIN_INTERVAL), MAX_INTERVAL)


def _object(answer: httpx2.Response) -> Mapping[str, Any]:
    try:
        return object_of(json.loads(answer.content))
    except (ValueError, RecursionError):
        return {}


def _words(found: Mapping[str, Any], status: int) -> str:
    said = found.get("error_description") or found.get("error")
    return said if isinstance(said, str) else str(status)
