"""Who is signed in where: gives each connection its token, renews it in time, and gives it back.

A token goes to the origin of its server and nowhere else. It is renewed once for all requests that
need it, before it ends or when it is refused; a request that was refused for it was not carried out
and is sent again, once. A person is never asked here: `SignIn` does that, when they want it.
Source: MCP specification, basic/authorization; RFC 6749, 6; RFC 7009.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import httpx2
from mcp.client.auth.oauth2 import OAuthContext
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import ValidationError

from desktop.base.bounded_http import open_client
from desktop.base.errors import DesktopError
from desktop.base.translatable import translatable
from desktop.servers.oauth.credentials import NOBODY, CredentialStore, origin
from desktop.servers.oauth.documents import readable, said
from desktop.servers.oauth.dpop import ProofKey, plain_tokens, wants_nonce
from desktop.servers.oauth.errors import away
from desktop.servers.oauth.exchange import REQUEST_LIMIT, bounded_answer, proved_answer
from desktop.servers.oauth.metadata import resource_metadata_urls
from desktop.servers.oauth.sign_in import FlowStorage, SignIn, SignInError
from desktop.servers.state import UNAUTHORIZED, Challenge
from desktop.servers.transport.http_connections import tls_context
from desktop.servers.transport.http_refusal import (
    FORBIDDEN,
    MAX_CHALLENGE_LENGTH,
    NOT_RENEWED,
    SIGNED_IN,
    TRIED_AGAIN,
    WANTS_MORE,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from desktop.config.models import ServerConfig
    from desktop.servers.oauth.browser import Browser
    from desktop.servers.oauth.credentials import Credentials
    from desktop.servers.oauth.device import DeviceCode
    from desktop.servers.oauth.steps import SignInStep

logger = logging.getLogger(__name__)
RETRY_SECONDS: Final = 30.0
"""After a renewal that failed for a passing fault; what is held is used until then."""
_NO_MORE: Final = frozenset(("invalid_grant", "invalid_client", "unauthorized_client"))
"""Errors of a token endpoint that only a person can mend (RFC 6749, 5.2)."""


class _Fault(NamedTuple):
    """Why tokens were not renewed though they may be later; not tried again until that time.

    `until` is one of `time.monotonic`.
    """

    words: str
    until: float


class SignIns:
    """The sign-ins of all servers of one app."""

    def __init__(self, store: CredentialStore | None = None) -> None:
        self.store = store or CredentialStore()
        self._locks: dict[str, asyncio.Lock] = {}
        self._faults: dict[str, _Fault] = {}

    def auth_for(
        self, config: ServerConfig, used: Callable[[frozenset[str]], None] = lambda _: None
    ) -> TokenAuth | None:
        """What gives the requests to a server their token; None where its headers are the person's.

        Args:
            config: its variables replaced.
            used: called with what is secret of a sign-in before it is used.
        """
        has_own = any(name.lower() == "authorization" for name in config.headers)
        return None if has_own or not config.url else TokenAuth(self, config, used)

    async def credentials(self, config: ServerConfig) -> Credentials | None:
        """Those of a server, renewed where they are about to end; None where there are none.

        What cannot be renewed is used to its end.
        """
        held = await self._held(config)
        if held is None or not held.is_expiring:
            return held
        is_used_up = held.has_ended or held.can_be_renewed or config.signs_in_alone
        return await self.renew(config, held) if is_used_up else held

    async def renew(self, config: ServerConfig, used: Credentials) -> Credentials | None:
        """Others in place of those that were `used`; None where a person has to sign in.

        Called at once by several requests, it renews once. The same where none are issued now:
        `fault` says why.
        """
        async with self._lock(config.name):
            held = await self._held(config)
            if held is None or held.access_token == used.access_token:
                # Another process may have renewed them: the old ones may be of no use then.
                held = await self._held(config, afresh=True)
            if held is not None and held.access_token != used.access_token and not held.is_expiring:
                return held
            if config.signs_in_alone:
                return await self._sign_in_alone(config)
            return await self._refresh(config, held) if held is not None else None

    def fault(self, config: ServerConfig) -> str:
        """Why the tokens of a server could not be renewed; empty where they were."""
        found = self._faults.get(config.name)
        return "" if found is None else found.words

    async def wanted(self, config: ServerConfig) -> Challenge | None:
        """What to sign in for at a server that let this run in: some want it at a call alone.

        What was refused before; where nobody is signed in, what the server's metadata say.
        """
        if self.auth_for(config) is None:
            return None
        held = await self._held(config)
        if held is None:
            return Challenge() if await self._names_sign_in(config) else None
        return _challenge(held.refusal) if held.refusal else None

    async def remember(self, config: ServerConfig, refusal: str) -> None:
        """Keep what the tokens of a server were not enough for, until the next sign-in."""
        held = await self._held(config)
        if held is not None and held.refusal != refusal:
            await self.store.keep(config.name, replace(held, refusal=refusal))

    async def _names_sign_in(self, config: ServerConfig) -> bool:
        for url in resource_metadata_urls("", config.url):
            try:
                async with self._client(config) as client:
                    answer = await bounded_answer(client, client.build_request("GET", url))
            except (TimeoutError, DesktopError, httpx2.HTTPError):
                continue
            if answer.is_success and said(answer).get("authorization_servers"):
                return True
        return False

    async def sign_in(
        self,
        config: ServerConfig,
        challenge: Challenge,
        browser: Browser | None = None,
        *,
        show: Callable[[str], object] | None = None,
        stepped: Callable[[SignInStep], None] = lambda _: None,
        as_another: bool = False,
        device: Callable[[DeviceCode], object] | None = None,
    ) -> Credentials:
        """Have a person sign in, and keep what it brings.

        Args:
            config: the server, its variables replaced.
            challenge: what it refused with.
            browser: used in place of the system's, with a page of its own.
            show: opens an address for the person.
            stepped: called with each step.
            as_another: the page is to ask who they are, also where it knows them.
            device: tells the person the code to type in elsewhere, in place of any browser.

        Raises:
            SignInError: nobody is signed in; what was before stays.
        """
        earlier = await self._held(config)
        flow = SignIn(config, challenge, earlier, stepped, as_another=as_another)
        brought = await flow.run(browser, show, device)
        await self.store.keep(config.name, brought)
        self._faults.pop(config.name, None)
        logger.info("server %s: signed in at %s", config.name, brought.issuer or brought.url)
        return brought

    async def sign_out(self, server: str, config: ServerConfig | None = None) -> bool:
        """Forget the tokens of a server and have them revoked; whether they were.

        Args:
            server: its name.
            config: of the server, its variables replaced, where it is known.

        Raises:
            KeyringError: the keyring still has them.
        """
        held = await self.store.load(server)
        await self.store.delete(server)
        if held is None or not held.revocation_endpoint:
            return False
        token = held.refresh_token or held.access_token
        form = {"token": token, "client_id": held.client_id}
        answer = await self._post(held, held.revocation_endpoint, form, config)
        logger.info("server %s: signed out", server)
        return answer is not None and answer.is_success

    async def _sign_in_alone(self, config: ServerConfig) -> Credentials | None:
        try:
            return await self.sign_in(config, Challenge())
        except SignInError as error:
            logger.warning("server %s: no sign-in: %s", config.name, error)
            raise

    async def _held(self, config: ServerConfig, *, afresh: bool = False) -> Credentials | None:
        held = await self.store.load(config.name, afresh=afresh)
        return held if held is not None and held.belongs_to(config.url) else None

    async def _refresh(self, config: ServerConfig, held: Credentials) -> Credentials | None:
        if not held.can_be_renewed:
            return None
        fault = self._faults.get(config.name)
        if fault is not None and time.monotonic() < fault.until:
            return held
        form = {
            "grant_type": "refresh_token",
            "refresh_token": held.refresh_token,
            "client_id": held.client_id,
        }
        if held.resource:
            form["resource"] = held.resource
        answer = await self._post(held, held.token_endpoint, form, config)
        if answer is None:
            host = httpx2.URL(held.token_endpoint).host
            return self._kept(config, held, translatable("{host} cannot be reached", host=host))
        answer, _ = readable("token", answer)
        content, _ = plain_tokens(answer.content)
        try:
            tokens = OAuthToken.model_validate_json(content) if answer.is_success else None
        except ValidationError:
            tokens = None
        if tokens is None:
            logger.warning("server %s: its tokens were not renewed", config.name)
            if said(answer).get("error") in _NO_MORE:
                return None
            words, _ = away(answer.request.url.host, answer.status_code)
            return self._kept(config, held, words)
        renewed = replace(
            held,
            access_token=tokens.access_token,
            refresh_token=tokens.refresh_token or held.refresh_token,
            expires_at=None if tokens.expires_in is None else time.time() + tokens.expires_in,
            lifetime=tokens.expires_in or 0.0,
            scope=tokens.scope or held.scope,
        )
        await self.store.keep(config.name, renewed)
        self._faults.pop(config.name, None)
        return renewed

    def _kept(self, config: ServerConfig, held: Credentials, words: str) -> Credentials:
        """A passing fault is no reason to sign in: what is held is used as long as it is taken."""
        self._faults[config.name] = _Fault(words, time.monotonic() + RETRY_SECONDS)
        return held

    async def _post(
        self, held: Credentials, url: str, form: dict[str, str], config: ServerConfig | None
    ) -> httpx2.Response | None:
        """The answer of the authorization server; None where there is none."""
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        form, headers = _client_of(held).prepare_token_auth(form, headers)
        try:
            async with self._client(config) as client:
                request = client.build_request("POST", url, data=form, headers=headers)
                if held.proof_key:
                    return await proved_answer(client, request, ProofKey(held.proof_key))
                return await bounded_answer(client, request)
        except (TimeoutError, DesktopError, httpx2.HTTPError) as error:
            logger.warning("%s did not answer: %s", httpx2.URL(url).host, type(error).__name__)
            return None

    def _client(self, config: ServerConfig | None) -> httpx2.AsyncClient:
        context = tls_context(config, with_client=False) if config is not None else None
        return open_client(verify=context, timeout=REQUEST_LIMIT)

    def _lock(self, server: str) -> asyncio.Lock:
        return self._locks.setdefault(server, asyncio.Lock())


class TokenAuth(httpx2.Auth):
    """Gives the requests of one connection the token that is valid now."""

    def __init__(
        self, sign_ins: SignIns, config: ServerConfig, used: Callable[[frozenset[str]], None]
    ) -> None:
        """Give tokens to the requests of one connection.

        Args:
            sign_ins: knows the tokens.
            config: the server, its variables replaced.
            used: called with what is secret of a sign-in before it is used.
        """
        self._sign_ins, self._config, self._used = sign_ins, config, used
        self._origin = origin(config.url)
        self._key: ProofKey | None = None

    async def async_auth_flow(
        self, request: httpx2.Request
    ) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        if origin(str(request.url)) != self._origin:
            yield request
            return
        held = await self._sign_ins.credentials(self._config)
        request.extensions[SIGNED_IN] = True
        self._put_token(request, held)
        may_try_again = self._may_try_again(held)
        is_bound = held is not None and bool(held.proof_key)
        request.extensions[TRIED_AGAIN] = not may_try_again and not is_bound
        answer = yield request
        if self._note_nonce(answer):
            self._put_token(request, held)
            answer = yield request
        if answer.status_code != UNAUTHORIZED or request.extensions[TRIED_AGAIN]:
            await self._remember(answer)
            return
        newer = await self._sign_ins.renew(self._config, held or NOBODY) if may_try_again else None
        self._put_token(request, newer or held)
        request.extensions[TRIED_AGAIN] = True
        # Also where nothing is newer: this refusal is the one that is told.
        answer = yield request
        await self._remember(answer)

    async def _remember(self, answer: httpx2.Response) -> None:
        refusal = answer.headers.get("www-authenticate", "")[:MAX_CHALLENGE_LENGTH]
        if answer.status_code == UNAUTHORIZED or (answer.is_client_error and WANTS_MORE in refusal):
            await self._sign_ins.remember(self._config, refusal or "Bearer")

    def _put_token(self, request: httpx2.Request, held: Credentials | None) -> None:
        if held is None:
            return
        self._used(held.secrets)
        request.extensions[NOT_RENEWED] = self._sign_ins.fault(self._config)
        if not held.proof_key:
            request.headers["Authorization"] = f"Bearer {held.access_token}"
            return
        request.headers["Authorization"] = f"DPoP {held.access_token}"
        if self._key is None or self._key.text != held.proof_key:
            self._key = ProofKey(held.proof_key)
        self._key.prove(request, held.access_token)

    def _note_nonce(self, answer: httpx2.Response) -> bool:
        """Keep what a server wants in the next proof; whether it refused for want of it."""
        if self._key is None:
            return False
        self._key.note_nonce(answer)
        return wants_nonce(answer)

    def _may_try_again(self, held: Credentials | None) -> bool:
        """Whether a refusal may be answered with other tokens, without a person."""
        return self._config.signs_in_alone or (held is not None and held.can_be_renewed)


def _challenge(refusal: str) -> Challenge:
    return Challenge(FORBIDDEN if WANTS_MORE in refusal else UNAUTHORIZED, refusal)


def _client_of(held: Credentials) -> OAuthContext:
    """What proves the client to its authorization server, as the SDK does it."""
    method: Any = held.client_auth
    return OAuthContext(
        server_url=held.url,
        client_metadata=OAuthClientMetadata(redirect_uris=None),
        storage=FlowStorage(),
        redirect_handler=None,
        callback_handler=None,
        client_info=OAuthClientInformationFull(
            client_id=held.client_id,
            client_secret=held.client_secret or None,
            redirect_uris=None,
            token_endpoint_auth_method=method,
        ),
    )
