"""Signing in without a person, by what somebody else says of this machine: the JWT bearer grant.

A workload has such a statement from its platform, in a variable or a file that is renewed
(SEP-1933). In a company the identity provider says it of the person who signed in there, in
exchange for their ID token (SEP-990). Source: RFC 7523, RFC 8693.
"""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError
from mcp.shared.auth import JWT_BEARER_GRANT_TYPE, OAuthClientMetadata

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.patches.sdk import token_endpoint_of
from desktop.servers.oauth.errors import SignInError
from desktop.values.json_schema import object_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.client.auth import TokenStorage

    from desktop.servers.oauth.device import Sends

MAX_LENGTH: Final = 65_536
"""Bytes of a statement in a file."""
_JWT: Final = compile_later(r"[\w-]+\.[\w-]+\.[\w-]*", re.ASCII)
_EXCHANGE: Final = "urn:ietf:params:oauth:grant-type:token-exchange"
_ID_TOKEN: Final = "urn:ietf:params:oauth:token-type:id_token"  # noqa: S105 the name of a kind
_ID_JAG: Final = "urn:ietf:params:oauth:token-type:id-jag"
_FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}


class AssertionProvider(OAuthClientProvider):
    """The SDK's flow with a statement in place of a person."""

    def __init__(
        self, server_url: str, storage: TokenStorage, oauth: Mapping[str, str], send: Sends
    ) -> None:
        """Prepare a flow.

        Args:
            server_url: the MCP server's.
            storage: knows the client.
            oauth: of the server's config, its variables replaced.
            send: sends a request.
        """
        metadata = OAuthClientMetadata(
            redirect_uris=None,
            grant_types=[JWT_BEARER_GRANT_TYPE],
            scope=oauth.get("scopes") or None,
        )
        super().__init__(server_url, metadata, storage)
        self._oauth, self._send_now = oauth, send

    def _select_authorization_server(self, advertised: list[str]) -> str:
        issuer = self._oauth.get("issuer", "")
        return issuer if issuer in advertised else advertised[0]

    async def _perform_authorization(self) -> httpx2.Request:
        context = self.context
        issuer = str(context.oauth_metadata.issuer) if context.oauth_metadata is not None else ""
        wanted = self._oauth.get("issuer") or issuer
        if not issuer or issuer != wanted:
            raise OAuthFlowError(f"no metadata of the authorization server {wanted}".strip())
        assertion = await read_assertion(self._oauth)
        if endpoint := self._oauth.get("idpTokenEndpoint"):
            assertion = await self._exchange(endpoint, assertion, issuer)
        form = {"grant_type": JWT_BEARER_GRANT_TYPE, "assertion": assertion} | self._wanted
        if context.should_include_resource_param(context.protocol_version):
            form["resource"] = context.get_resource_url()
        if context.client_info is not None:
            form["client_id"] = context.client_info.client_id
        form, headers = context.prepare_token_auth(form, dict(_FORM))
        return httpx2.Request("POST", token_endpoint_of(self), data=form, headers=headers)

    async def _exchange(self, endpoint: str, id_token: str, audience: str) -> str:
        """What the identity provider says of the person, for one authorization server."""
        form = {
            "grant_type": _EXCHANGE,
            "requested_token_type": _ID_JAG,
            "subject_token": id_token,
            "subject_token_type": _ID_TOKEN,
            "audience": audience,
            "resource": self.context.get_resource_url(),
        }
        if client := self._oauth.get("idpClientId"):
            form["client_id"] = client
        request = httpx2.Request("POST", endpoint, data=form | self._wanted, headers=_FORM)
        answer = await self._send_now(request)
        found = object_of(_json(answer.content)) if answer.is_success else object_of(None)
        statement = found.get("access_token")
        if found.get("issued_token_type") != _ID_JAG or not isinstance(statement, str):
            raise SignInError(
                translatable(
                    "the identity provider did not issue anything for this server (status "
                    "{status})",
                    status=answer.status_code,
                ),
                remedy=translatable("Ask its administrator for access to this server."),
            )
        return statement

    @property
    def _wanted(self) -> dict[str, str]:
        scope = self.context.client_metadata.scope
        return {"scope": scope} if scope else {}


def _json(text: bytes) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


async def read_assertion(oauth: Mapping[str, str]) -> str:
    """The statement that a config has or names a file of: read anew, as platforms renew it.

    Raises:
        SignInError: there is none.
    """
    if assertion := oauth.get("assertion"):
        return assertion
    file = oauth.get("assertionFile", "")
    try:
        text = await asyncio.to_thread(_read, file) if file else ""
    except (OSError, UnicodeDecodeError) as error:
        what = error.strerror if isinstance(error, OSError) and error.strerror else "no text"
        raise SignInError(
            translatable(
                '"oauth.assertionFile" is set to {path}, which cannot be read ({what})',
                path=file,
                what=what,
            )
        ) from error
    if not text:
        raise SignInError(translatable('"oauth" needs an assertion or an assertionFile'))
    return text


def _read(path: str) -> str:
    file = Path(path).expanduser()
    if file.exists() and not file.is_file():  # a pipe would be waited for
        raise OSError(0, "no file")
    with file.open("rb") as opened:
        text = opened.read(MAX_LENGTH).decode().strip()
    if not _JWT.fullmatch(text):  # a key of SSH, say, is for nobody else
        raise OSError(0, "no JWT")
    return text
