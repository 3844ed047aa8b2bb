"""One sign-in at one server: from the refusal that asks for it to the tokens.

The SDK knows the order of things (`OAuthClientProvider`: discovery, registration, PKCE, the checks
of issuer, resource and state). Here its requests are sent one by one, bounded and to allowed
addresses alone, and each is told as a step. No message of MCP is sent: the flow gets the refusal
that the server gave already. Source: MCP specification, basic/authorization; RFC 8414, 9728, 9207,
8707, 7591.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import time
import warnings
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Literal, cast

import httpx2
from mcp.client.auth import (
    OAuthClientProvider,
    OAuthFlowError,
    OAuthRegistrationError,
    OAuthTokenError,
)
from mcp.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import LATEST_PROTOCOL_VERSION
from pydantic import AnyUrl, ValidationError

from desktop.errors import DesktopError
from desktop.servers.oauth.browser import is_free, loopback_browser
from desktop.servers.oauth.credentials import Credentials, origin
from desktop.servers.oauth.steps import MAX_STEPS, SignInStep, kind_of, shown_body, shown_url
from desktop.servers.stderr_log import plain
from desktop.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.config.models import ServerConfig
    from desktop.servers.oauth.browser import Browser
    from desktop.servers.state import Challenge

PERSON_LIMIT: Final = 300.0
"""Seconds that a person may take in the browser."""
REQUEST_LIMIT: Final = 20.0
"""Seconds that each request of a sign-in may take."""
MAX_BODY: Final = 1_000_000
"""Bytes of an answer that are read; metadata and tokens are shorter."""
MAX_WORDS: Final = 300
_PROTOCOL_HEADER: Final = "MCP-Protocol-Version"


# It logs each failure with its traceback, and in that what a server said: a token, perhaps.
logging.getLogger("mcp.client.auth.oauth2").disabled = True


class SignInError(DesktopError):
    """Why nobody is signed in, and what to do."""


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
        self._challenge = challenge
        self._earlier = earlier if earlier is not None and earlier.belongs_to(config.url) else None
        self._stepped = stepped
        self.steps: list[SignInStep] = []

    async def run(
        self, browser: Browser | None = None, show: Callable[[str], object] | None = None
    ) -> Credentials:
        """Sign in.

        Args:
            browser: used in place of the system's, with a page of its own.
            show: opens an address for the person; by itself the system's browser.

        Raises:
            SignInError: nobody is signed in; the message says why.
        """
        self._note(SignInStep("challenge", "", self._config.url, self._challenge.status))
        if self._config.signs_in_alone:
            return await self._drive(self._client_credentials())
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
        oauth = self._config.oauth
        storage = FlowStorage(self._tokens(), self._client(browser.redirect_uri))
        metadata = OAuthClientMetadata(
            client_name="mcp-desktop",
            redirect_uris=[AnyUrl(browser.redirect_uri)],
            grant_types=["authorization_code", "refresh_token"],
            response_types=["code"],
            token_endpoint_auth_method=_auth_method(oauth.get("clientSecret", "")),
            scope=oauth.get("scopes") or None,
        )
        visit = _Visit(browser, self._note, self._allowed, self._prompt)
        return OAuthClientProvider(
            self._config.url,
            metadata,
            storage,
            visit.begin,
            visit.end,
            client_metadata_url=oauth.get("clientMetadataUrl") or None,
        )

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

    def _client(self, redirect_uri: str) -> OAuthClientInformationFull | None:
        """The client that the config names, or that an earlier sign-in registered."""
        oauth = self._config.oauth
        if client := oauth.get("clientId"):
            secret = oauth.get("clientSecret")
            return OAuthClientInformationFull(
                client_id=client,
                client_secret=secret,
                redirect_uris=[AnyUrl(redirect_uri)],
                token_endpoint_auth_method=_auth_method(secret or ""),
                issuer=oauth.get("issuer"),
            )
        earlier = self._earlier
        if earlier is None or not earlier.is_registered or earlier.redirect_uri != redirect_uri:
            return None
        return OAuthClientInformationFull(
            client_id=earlier.client_id,
            client_secret=earlier.client_secret or None,
            redirect_uris=[AnyUrl(redirect_uri)],
            token_endpoint_auth_method=cast("AuthMethod", earlier.client_auth),
            issuer=earlier.issuer,
        )

    async def _drive(self, provider: OAuthClientProvider) -> Credentials:
        """Send what the flow asks for, until it would send its message again."""
        message = httpx2.Request(
            "POST", self._config.url, headers={_PROTOCOL_HEADER: LATEST_PROTOCOL_VERSION}
        )
        header = {"www-authenticate": self._challenge.header} if self._challenge.header else {}
        refusal = httpx2.Response(self._challenge.status, headers=header, request=message)
        timeout = httpx2.Timeout(REQUEST_LIMIT)
        try:
            async with (
                httpx2.AsyncClient(timeout=timeout, follow_redirects=False) as client,
                aclosing(provider.async_auth_flow(message)) as flow,
            ):
                await anext(flow)  # the message itself, which was refused already
                answer = refusal
                with suppress(StopAsyncIteration):
                    while (request := await flow.asend(answer)) is not message:
                        answer = await self._send(client, request)
        except Exception as error:
            raise self._explained(error) from error
        return self._credentials(provider)

    async def _send(self, client: httpx2.AsyncClient, request: httpx2.Request) -> httpx2.Response:
        kind, url = kind_of(request), str(request.url)
        began = time.monotonic()
        step = SignInStep(kind, request.method, shown_url(url), sent=_sent(request))
        try:
            self._check(url)
            answer = await bounded_answer(client, request)
        except Exception as error:
            self._note(replace(step, problem=str(error) or type(error).__name__))
            raise
        self._note(
            replace(
                step,
                status=answer.status_code,
                seconds=time.monotonic() - began,
                received=shown_body(answer.content, answer.headers.get("content-type", "")),
            )
        )
        return answer

    def _allowed(self, url: str) -> bool:
        """Whether a sign-in may go there: over TLS, to this machine, or to the server itself."""
        scheme, host, _ = where = origin(url)
        if scheme == "https":
            return True
        return scheme == "http" and (_is_loopback(host) or where == origin(self._config.url))

    def _check(self, url: str) -> None:
        if len(self.steps) >= MAX_STEPS:
            raise SignInError(translatable("the sign-in does not end"))
        if not self._allowed(url):
            raise SignInError(
                translatable(
                    "the sign-in leads to {url}, which is not encrypted", url=shown_url(url)
                )
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
            raise self._explained(OAuthFlowError("the sign-in ended without a token"))
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
            scope=tokens.scope or "",
            resource=context.get_resource_url() if has_resource else "",
            token_endpoint=provider._get_token_endpoint(),  # pyright: ignore[reportPrivateUsage] there is no other way to it
            revocation_endpoint=str(revocation or ""),
            client_secret=client.client_secret or "",
            client_auth=client.token_endpoint_auth_method or "none",
            redirect_uri=str(uris[0] or ""),
            is_registered=not is_own and not is_named,
        )

    def _explained(self, error: Exception) -> SignInError:
        """A failure in words that name the server, and what to do about it."""
        server = self._config.name
        last = next((step for step in reversed(self.steps) if step.url), None)
        host = (
            httpx2.URL(last.url).host if last is not None and last.kind != "challenge" else server
        )
        words, remedy = _words(error, host)
        text = translatable("{server}: {words}", server=server, words=words)
        return SignInError(text, remedy=remedy)


async def bounded_answer(client: httpx2.AsyncClient, request: httpx2.Request) -> httpx2.Response:
    """The answer to a request, read within limits of bytes and of time.

    Raises:
        SignInError: it is too long.
        TimeoutError: it does not end.
        httpx2.HTTPError: there is none.
    """
    async with asyncio.timeout(REQUEST_LIMIT):
        answer = await client.send(request, stream=True)
        try:
            body = bytearray()
            async for part in answer.aiter_bytes():
                body += part
                if len(body) > MAX_BODY:
                    raise SignInError(
                        translatable("{host} answers with too much", host=request.url.host)
                    )
        finally:
            await answer.aclose()
    headers = [
        (name, value)
        for name, value in answer.headers.items()
        if name not in {"content-encoding", "content-length", "transfer-encoding"}
    ]
    read = httpx2.Response(
        answer.status_code, headers=headers, content=bytes(body), request=request
    )
    read.next_request = answer.next_request
    return read


AuthMethod = Literal["none", "client_secret_post", "client_secret_basic", "private_key_jwt"]


def _auth_method(secret: str) -> AuthMethod | None:
    """How a client proves itself; without a secret of its own, the server may say."""
    return "client_secret_basic" if secret else None


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _sent(request: httpx2.Request) -> str:
    return shown_body(request.content, request.headers.get("content-type", ""))


_AGAIN = translatable("Sign in again.")
_NOT_SAFE = translatable(
    "Do not go on before its operator has explained it: it may be a fault, or an attack."
)


def _words(error: Exception, host: str) -> tuple[str, str]:
    match error:
        case SignInError():
            return str(error), error.remedy or _AGAIN
        case TimeoutError():
            return translatable("{host} did not answer in time", host=host), _AGAIN
        case OAuthRegistrationError():
            return (
                translatable(
                    "{host} does not register this app ({words})", host=host, words=_said(error)
                ),
                translatable(
                    'Make an OAuth client there and give its id as "oauth": {{"clientId": …}}.'
                ),
            )
        case OAuthTokenError():
            return (
                translatable("{host} gives no token ({words})", host=host, words=_said(error)),
                _AGAIN,
            )
        case OAuthFlowError():
            words = translatable(
                "the sign-in at {host} was stopped ({words})", host=host, words=_said(error)
            )
            return words, _NOT_SAFE
        case ValidationError():
            return (
                translatable("{host} says something that is no metadata of OAuth", host=host),
                translatable("Report it to the operator of the server."),
            )
        case httpx2.TransportError():
            return (
                translatable("{host} cannot be reached ({words})", host=host, words=_said(error)),
                translatable("Check the network and the proxy, then sign in again."),
            )
        case _:
            return (
                translatable(
                    "the sign-in at {host} failed ({words})", host=host, words=_said(error)
                ),
                _AGAIN,
            )


def _said(error: Exception) -> str:
    """What the SDK or a server said of it: cut, and without what looks secret."""
    words = plain(str(error) or type(error).__name__).rstrip(": ")
    return shown_body(words.encode(), "")[:MAX_WORDS]


class _Visit:
    """The part of the flow that a person does, in a browser."""

    def __init__(
        self,
        browser: Browser,
        note: Callable[[SignInStep], None],
        allowed: Callable[[str], bool],
        prompt: str,
    ) -> None:
        """Args: prompt: what the page is to ask for (OpenID Connect Core, 3.1.2.1); or nothing."""
        self._browser, self._note, self._allowed = browser, note, allowed
        self._prompt = prompt
        self._url = ""

    async def begin(self, url: str) -> None:
        if not self._allowed(url):
            raise SignInError(
                translatable("the page to sign in at, {url}, is not encrypted", url=shown_url(url))
            )
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
                translatable("nobody signed in at {host} in time", host=host)
            ) from None
        seconds = time.monotonic() - began
        if error := found.get("error"):
            said = plain(found.get("error_description") or error)[:MAX_WORDS]
            self._note(SignInStep("answer", "", host, 0, seconds, problem=said))
            raise SignInError(translatable("{host} refused: {words}", host=host, words=said))
        names = "\n".join(f"{name}=…" for name in list(found)[:20])
        self._note(SignInStep("answer", "", host, 0, seconds, received=names))
        return AuthorizationCodeResult(
            code=found.get("code", ""), state=found.get("state"), iss=found.get("iss")
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
