"""One sign-in at one server: from the refusal that asks for it to the tokens.

The SDK knows the order of things (`OAuthClientProvider`: discovery, registration, PKCE, the checks
of issuer, resource and state). Here its requests are sent one by one, bounded and to allowed
addresses alone, and each is told as a step. No message of MCP is sent: the flow gets the refusal
that the server gave already. Source: MCP specification, basic/authorization; RFC 8414, 9728, 9207,
8707, 7591.
"""

from __future__ import annotations

import asyncio
import json
import time
import warnings
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Final, Literal, cast
from urllib.parse import urljoin

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import LATEST_PROTOCOL_VERSION
from msgspec.structs import replace
from pydantic import AnyUrl

from desktop.base.bounded_http import open_client
from desktop.base.later_patterns import compile_later
from desktop.base.loopback import is_loopback
from desktop.base.translatable import translatable
from desktop.patches.sdk import log_no_sign_in, token_endpoint_of
from desktop.servers.oauth.browser import HOST, NAME, is_free, loopback_browser
from desktop.servers.oauth.credentials import Credentials, origin
from desktop.servers.oauth.device import (
    ANSWERED,
    DEVICE_GRANT,
    DeviceProvider,
    device_endpoint,
)
from desktop.servers.oauth.documents import readable, said
from desktop.servers.oauth.dpop import ProofKey, are_bound, plain_tokens
from desktop.servers.oauth.errors import MAX_WORDS, SignInError, explained
from desktop.servers.oauth.exchange import REQUEST_LIMIT, bounded_answer, proved_answer
from desktop.servers.oauth.steps import MAX_STEPS, SignInStep, kind_of, shown_body, shown_url
from desktop.servers.transport.http_connections import tls_context
from desktop.servers.transport.stderr_log import plain

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

    from mcp.client.auth.oauth2 import OAuthContext

    from desktop.config.models import ServerConfig
    from desktop.servers.oauth.browser import Browser
    from desktop.servers.oauth.device import DeviceCode
    from desktop.servers.oauth.steps import StepKind
    from desktop.servers.state import Challenge

PERSON_LIMIT: Final = 300.0
"""Seconds that a person may take in the browser."""
_PROTOCOL_HEADER: Final = "MCP-Protocol-Version"
_BAD_REQUEST: Final = 400
_SERVER_FAULT: Final = 500
_NAMED_METADATA: Final = compile_later(r'(resource_metadata=")([^"]+)"')

log_no_sign_in()


class SignIn:
    """Signs in once; `steps` tells how, also after it failed."""

    def __init__(
        self,
        config: ServerConfig,
        challenge: Challenge,
        earlier: Credentials | None = None,
        stepped: Callable[[SignInStep], None] = lambda _: None,
        *,
        as_another: bool = False,
    ) -> None:
        """Prepare a sign-in.

        Args:
            config: the server, its variables replaced.
            challenge: what the server refused with.
            earlier: of the sign-in before: its client is used again where that is possible.
            stepped: called with each step as it ends.
            as_another: the page is to ask who they are, also where it knows them.
        """
        self._config = config
        self._prompt = "login" if as_another else ""
        context = tls_context(config, with_client=False)
        self._client = open_client(verify=context, timeout=REQUEST_LIMIT)
        self._metadata_of: dict[StepKind, bytes] = {"resource": b"", "server": b""}
        self._proof_key: ProofKey | None = None
        self._is_bound = False
        self._challenge = challenge
        self._earlier = earlier if earlier is not None and earlier.belongs_to(config.url) else None
        self._stepped = stepped
        self._published_issuer = ""
        self._browser: Browser | None = None
        self._context: OAuthContext | None = None
        self._redirected: tuple[httpx2.URL, StepKind] | None = None
        self.steps: list[SignInStep] = []

    async def run(
        self,
        browser: Browser | None = None,
        show: Callable[[str], object] | None = None,
        device: Callable[[DeviceCode], object] | None = None,
    ) -> Credentials:
        """Sign in.

        Args:
            browser: used in place of the system's, with a page of its own.
            show: opens an address for the person; by itself the system's browser.
            device: tells the person the code to type in elsewhere, in place of any browser.

        Raises:
            SignInError: nobody is signed in; the message says why.
        """
        self._note(SignInStep("challenge", "", self._config.url, self._challenge.status))
        if self._config.signs_in_alone:
            grant = self._config.oauth["grantType"]
            is_said = grant == "jwt_bearer"
            return await self._drive(self._assertion() if is_said else self._client_credentials())
        if device is not None:
            return await self._drive(self._device_provider(device))
        if browser is not None:
            return await self._drive(self._provider(browser))
        async with loopback_browser(show, await self._port()) as own:
            return await self._drive(self._provider(own))

    async def _port(self) -> int:
        """The configured port; else that of the registered client, as its address has to match."""
        if port := self._config.oauth.get("callbackPort"):
            return int(port)
        earlier = self._earlier
        if earlier is None or not earlier.is_registered:
            return 0
        port = httpx2.URL(earlier.redirect_uri).port or 0
        return port if port and await is_free(port) else 0

    def _provider(self, browser: Browser) -> OAuthClientProvider:
        self._browser, earlier = browser, self._earlier
        was_by_name = earlier is not None and f"//{NAME}:" in earlier.redirect_uri
        if self._config.oauth.get("callbackHost", NAME if was_by_name else HOST) == NAME:
            browser.redirect_uri = browser.redirect_uri.replace(HOST, NAME)
        metadata = self._metadata(["authorization_code"], browser.redirect_uri)
        visit = _Visit(browser, self._note, self._check_page, self._prompt, self._issuer)
        return OAuthClientProvider(
            self._config.url,
            metadata,
            FlowStorage(self._tokens(), self._known_client(browser.redirect_uri)),
            visit.begin,
            visit.end,
            client_metadata_url=self._config.oauth.get("clientMetadataUrl") or None,
        )

    def _device_provider(self, show: Callable[[DeviceCode], object]) -> OAuthClientProvider:
        def tell(code: DeviceCode) -> None:
            self._check_page(code.url)
            whole = code.whole_url if self._allowed(code.whole_url) else ""
            self._note(SignInStep("browser", "GET", shown_url(code.url)))
            show(replace(code, whole_url=whole))

        return DeviceProvider(
            self._config.url,
            self._metadata([DEVICE_GRANT]),
            FlowStorage(self._tokens(), self._known_client("")),
            endpoint=lambda: device_endpoint(self._metadata_of["server"]),
            send=self._send,
            show=tell,
            client_metadata_url=self._config.oauth.get("clientMetadataUrl") or None,
        )

    def _metadata(self, grants: list[str], redirect_uri: str = "") -> OAuthClientMetadata:
        """What this client says of itself where it registers."""
        oauth = self._config.oauth
        return OAuthClientMetadata(
            client_name="mcp-desktop",
            redirect_uris=[AnyUrl(redirect_uri)] if redirect_uri else None,
            grant_types=[*grants, "refresh_token"],
            response_types=["code"] if redirect_uri else [],
            token_endpoint_auth_method=_auth_method(oauth.get("clientSecret", "")),
            scope=oauth.get("scopes") or None,
        )

    def _assertion(self) -> OAuthClientProvider:
        from desktop.servers.oauth.assertion import AssertionProvider  # few servers want it

        storage = FlowStorage(None, self._known_client(""))
        return AssertionProvider(self._config.url, storage, self._config.oauth, self._send)

    def _client_credentials(self) -> OAuthClientProvider:
        # Few servers are signed in to so, and signing brings a library.
        from mcp.client.auth.extensions.client_credentials import (
            ClientCredentialsOAuthProvider,
            PrivateKeyJWTOAuthProvider,
            SignedJWTParameters,
        )

        oauth = self._config.oauth
        client, scope, issuer = oauth.get("clientId", ""), oauth.get("scopes"), oauth.get("issuer")
        with warnings.catch_warnings():
            # Without an issuer the server says whom the secret is sent to: so says the manual.
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            if key := oauth.get("privateKey"):
                signer = SignedJWTParameters(
                    issuer=client,
                    subject=client,
                    signing_key=key,
                    signing_algorithm=oauth.get("algorithm") or "RS256",
                )
                return PrivateKeyJWTOAuthProvider(
                    self._config.url,
                    FlowStorage(),
                    client,
                    signer.create_assertion_provider(),
                    scope,
                    issuer,
                )
            secret = oauth.get("clientSecret", "")
            return ClientCredentialsOAuthProvider(
                self._config.url, FlowStorage(), client, secret, scope=scope, issuer=issuer
            )

    def _tokens(self) -> OAuthToken | None:
        """Those of before, where the person has to allow more than they do."""
        if self._earlier is None or not self._challenge.wants_more:
            return None
        return OAuthToken(access_token=self._earlier.access_token, scope=self._earlier.scope)

    def _known_client(self, redirect_uri: str) -> OAuthClientInformationFull | None:
        """The client that the config names, or that an earlier sign-in registered."""
        oauth, uris = self._config.oauth, [AnyUrl(redirect_uri)] if redirect_uri else None
        if client := oauth.get("clientId"):
            secret = oauth.get("clientSecret")
            return OAuthClientInformationFull(
                client_id=client,
                client_secret=secret,
                redirect_uris=uris,
                token_endpoint_auth_method=_auth_method(secret or ""),
                issuer=oauth.get("issuer"),
            )
        earlier = self._earlier
        if earlier is None or not earlier.is_registered or earlier.redirect_uri != redirect_uri:
            return None
        return OAuthClientInformationFull(
            client_id=earlier.client_id,
            client_secret=earlier.client_secret or None,
            redirect_uris=uris,
            token_endpoint_auth_method=cast("AuthMethod", earlier.client_auth),
            issuer=earlier.issuer,
        )

    async def _drive(self, provider: OAuthClientProvider) -> Credentials:
        """Send what the flow asks for, until it would send its message again."""
        message = httpx2.Request(
            "POST", self._config.url, headers={_PROTOCOL_HEADER: LATEST_PROTOCOL_VERSION}
        )
        refusal = httpx2.Response(
            self._challenge.status, headers=self._challenge_headers(), request=message
        )
        self._context = provider.context
        try:
            async with self._client, aclosing(provider.async_auth_flow(message)) as flow:
                await anext(flow)  # the message itself, which was refused already
                answer = refusal
                with suppress(StopAsyncIteration):
                    while (request := await flow.asend(answer)) is not message:
                        answer = await self._answer(request, provider.context)
        except Exception as error:
            raise explained(error, self._config.name, self.steps) from error
        return self._credentials(provider)

    def _challenge_headers(self) -> dict[str, str]:
        """What the server refused with; scopes of the config stand before those it asks for.

        The flow would take no others: RFC 6750 has them in this header.
        """
        header = _NAMED_METADATA.sub(self._absolute, self._challenge.header)
        scopes = self._config.oauth.get("scopes", "")
        if scopes and not self._challenge.wants_more:
            quoted = scopes.replace('"', "").replace("\\", "")
            header = f'Bearer scope="{quoted}"' + (f", {header}" if header else "")
        return {"www-authenticate": header} if header else {}

    def _absolute(self, found: re.Match[str]) -> str:
        return f'{found[1]}{urljoin(self._config.url, found[2])}"'

    @property
    def _names_metadata(self) -> bool:
        return _NAMED_METADATA.search(self._challenge.header) is not None

    async def _answer(self, request: httpx2.Request, context: OAuthContext) -> httpx2.Response:
        """Send one request of the flow; a registration once more where its way back is refused."""
        kind = kind_of(request)
        if kind in {"register", "token"}:
            self._check_named()
        answer = await self._send(request)
        uris = context.client_metadata.redirect_uris or ()
        is_refused = answer.status_code == _BAD_REQUEST and "redirect" in answer.text
        if kind != "register" or not is_refused or self._browser is None:
            return answer
        if not any(f"//{HOST}:" in str(uri) for uri in uris):
            return answer
        # RFC 8252, 7.3 wants the address; some servers know the name alone.
        by_name = self._browser.redirect_uri.replace(HOST, NAME)
        self._browser.redirect_uri = by_name
        context.client_metadata.redirect_uris = [AnyUrl(by_name)]
        body = json.loads(request.content) | {"redirect_uris": [by_name]}
        return await self._send(httpx2.Request("POST", request.url, json=body))

    def _check_named(self) -> None:
        """Raise where the flow would guess addresses: only a server without metadata has those."""
        context = self._context
        if context is None or context.oauth_metadata is not None:
            return
        named = [step for step in self.steps if step.kind == "resource"]
        tried = [step for step in self.steps if step.kind == "server"]
        is_away = any(step.status >= _SERVER_FAULT for step in tried)
        if tried and (is_away or context.protected_resource_metadata is not None):
            last = tried[-1]
            raise SignInError(
                translatable(
                    "the metadata of the authorization server {host} cannot be read ({status})",
                    host=httpx2.URL(last.url).host,
                    status=last.status,
                ),
                remedy=translatable("Try again later.")
                if is_away
                else translatable("Report this to the operator of the server."),
            )
        if named and not self._metadata_of["resource"] and self._names_metadata:
            raise SignInError(
                translatable(
                    "the sign-in metadata {url} that the server names cannot be read ({status})",
                    url=named[0].url,
                    status=named[0].status,
                ),
                remedy=translatable(
                    "Report this to the operator of the server: a proxy in front of it must pass "
                    "this address on."
                ),
            )

    def _issuer(self) -> tuple[str, str]:
        server = self._context.oauth_metadata if self._context is not None else None
        return self._published_issuer, str(server.issuer) if server is not None else ""

    async def _send(self, request: httpx2.Request, *, quietly: bool = False) -> httpx2.Response:
        url = str(request.url)
        await request.aread()  # that of a redirect has a body which nobody read yet
        is_device = url == device_endpoint(self._metadata_of["server"])
        kind = "device" if is_device else kind_of(request)
        if self._redirected is not None and self._redirected[0] == request.url:
            kind = self._redirected[1]
        began = time.monotonic()
        step = SignInStep(kind, request.method, shown_url(url), sent=_sent(request))
        try:
            self._check(url)
            answer = request.extensions.get(ANSWERED)
            if answer is None:
                exchange = self._fetch_token if kind == "token" else bounded_answer
                answer = await exchange(self._client, request)
        except Exception as error:
            if not quietly:
                self._note(replace(step, problem=str(error) or type(error).__name__))
            raise
        following = answer.next_request
        self._redirected = None if following is None else (following.url, kind)
        received, named = answer, self._context.auth_server_url if self._context else None
        answer, odd = readable(kind, answer, self._config.url, named or "")
        if kind == "server" and answer.is_success:
            self._published_issuer = str(said(received).get("issuer", ""))
        if kind in self._metadata_of and answer.is_success:
            self._metadata_of[kind] = answer.content
        if quietly:
            return answer
        notes = f"(not used: {', '.join(odd)})\n" if odd else ""
        self._note(
            replace(
                step,
                status=answer.status_code,
                seconds=time.monotonic() - began,
                received=notes
                + shown_body(received.content, received.headers.get("content-type", "")),
            )
        )
        return answer

    async def _fetch_token(
        self, client: httpx2.AsyncClient, request: httpx2.Request
    ) -> httpx2.Response:
        """The answer of a token endpoint; with a proof of our key where tokens are bound to one."""
        resource, server = self._metadata_of["resource"], self._metadata_of["server"]
        if not are_bound(self._challenge.header, resource, server):
            return await bounded_answer(client, request)
        key = self._proof_key = self._proof_key or ProofKey()
        answer = await proved_answer(client, request, key)
        content, self._is_bound = plain_tokens(answer.content)
        return httpx2.Response(
            answer.status_code,
            headers={"content-type": answer.headers.get("content-type", "")},
            content=content,
            request=request,
        )

    def _allowed(self, url: str) -> bool:
        """Whether a sign-in may go there: over TLS, to this machine, or to the server itself."""
        scheme, host, _ = where = origin(url)
        if scheme == "https":
            return True
        return scheme == "http" and (is_loopback(host) or where == origin(self._config.url))

    def _check_page(self, url: str) -> None:
        """Raise why a person must not be sent to a page."""
        self._check_named()
        if not self._allowed(url):
            raise SignInError(
                translatable("the sign-in page {url} is not encrypted", url=shown_url(url))
            )

    def _check(self, url: str) -> None:
        if len(self.steps) >= MAX_STEPS:
            raise SignInError(translatable("the sign-in takes too many steps"))
        if not self._allowed(url):
            raise SignInError(
                translatable("the sign-in uses {url}, which is not encrypted", url=shown_url(url))
            )

    def _note(self, step: SignInStep) -> None:
        self.steps.append(step)
        self._stepped(step)

    def _credentials(self, provider: OAuthClientProvider) -> Credentials:
        context = provider.context
        tokens, client, server = (
            context.current_tokens,
            context.client_info,
            context.oauth_metadata,
        )
        if tokens is None or client is None:
            error = OAuthFlowError("the sign-in ended without a token")
            raise explained(error, self._config.name, self.steps)
        is_own = "clientId" in self._config.oauth or self._config.signs_in_alone
        is_named = client.client_id == context.client_metadata_url
        uris = context.client_metadata.redirect_uris or [None]
        has_resource = context.should_include_resource_param(LATEST_PROTOCOL_VERSION)
        revocation = server.revocation_endpoint if server is not None else None
        return Credentials(
            url=self._config.url,
            issuer=str(server.issuer) if server is not None else "",
            client_id=client.client_id,
            access_token=tokens.access_token,
            refresh_token=tokens.refresh_token or "",
            expires_at=None if tokens.expires_in is None else time.time() + tokens.expires_in,
            lifetime=tokens.expires_in or 0.0,
            scope=tokens.scope or "",
            resource=context.get_resource_url() if has_resource else "",
            token_endpoint=token_endpoint_of(provider),
            revocation_endpoint=str(revocation or ""),
            client_secret=client.client_secret or "",
            client_auth=client.token_endpoint_auth_method or "none",
            redirect_uri=str(uris[0] or ""),
            is_registered=not is_own and not is_named,
            proof_key=key.text if self._is_bound and (key := self._proof_key) else "",
        )


AuthMethod = Literal["none", "client_secret_post", "client_secret_basic", "private_key_jwt"]


def _auth_method(secret: str) -> AuthMethod | None:
    """How a client proves itself; without a secret of its own, the server may say."""
    return "client_secret_basic" if secret else None


def _sent(request: httpx2.Request) -> str:
    return shown_body(request.content, request.headers.get("content-type", ""))


class _Visit:
    """The part of the flow that a person does, in a browser."""

    def __init__(
        self,
        browser: Browser,
        note: Callable[[SignInStep], None],
        check: Callable[[str], None],
        prompt: str,
        issuer: Callable[[], tuple[str, str]],
    ) -> None:
        """Args: check: raises why a page must not be opened.

        prompt: what the page is to ask for (OpenID Connect Core, 3.1.2.1); or nothing.
        issuer: of the authorization server, as it publishes it and as the flow has it.
        """
        self._browser, self._note, self._check = browser, note, check
        self._prompt, self._issuer = prompt, issuer
        self._url = ""

    async def begin(self, url: str) -> None:
        self._check(url)
        if self._prompt:  # whoever does not know the parameter ignores it (RFC 6749, 3.1)
            url = str(httpx2.URL(url).copy_set_param("prompt", self._prompt))
        self._url = url
        self._note(SignInStep("browser", "GET", shown_url(url)))

    async def end(self) -> AuthorizationCodeResult:
        host = httpx2.URL(self._url).host
        began = time.monotonic()
        try:
            async with asyncio.timeout(PERSON_LIMIT):
                found = await self._browser.visit(self._url)
        except TimeoutError:
            raise SignInError(
                translatable("the time to sign in at {host} ran out", host=host)
            ) from None
        seconds = time.monotonic() - began
        if error := found.get("error"):
            said = plain(found.get("error_description") or error)[:MAX_WORDS]
            self._note(SignInStep("answer", "", host, 0, seconds, problem=said))
            raise SignInError(translatable("{host} refused: {words}", host=host, words=said))
        names = "\n".join(f"{name}=…" for name in list(found)[:20])
        self._note(SignInStep("answer", "", host, 0, seconds, received=names))
        iss, (published, used) = found.get("iss"), self._issuer()
        if iss is not None and iss == published:  # RFC 9207, 2.4: the very same, nothing like it
            iss = used
        return AuthorizationCodeResult(
            code=found.get("code", ""), state=found.get("state"), iss=iss
        )


class FlowStorage:
    """What the flow begins with; what it brings is read from its context."""

    def __init__(
        self, tokens: OAuthToken | None = None, client: OAuthClientInformationFull | None = None
    ) -> None:
        self._tokens, self._client = tokens, client

    async def get_tokens(self) -> OAuthToken | None:
        return self._tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self._tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self._client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._client = client_info
