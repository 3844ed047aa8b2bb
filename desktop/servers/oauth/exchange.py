"""One request of a sign-in and its answer, within limits of bytes and of time.

Follows no redirect: where a sign-in goes is decided before each request. JSON is asked for: some
token endpoints answer with a form else.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import httpx2

from desktop.base.bounded_http import CODINGS, TOO_LARGE, BodyError, bound
from desktop.base.translatable import translatable
from desktop.servers.oauth.dpop import wants_nonce
from desktop.servers.oauth.errors import SignInError

if TYPE_CHECKING:
    from desktop.servers.oauth.dpop import ProofKey

REQUEST_LIMIT: Final = 20.0
"""Seconds that each request of a sign-in may take."""
MAX_BODY: Final = 1_000_000
"""Bytes of an answer that are read; metadata and tokens are shorter."""


async def proved_answer(
    client: httpx2.AsyncClient, request: httpx2.Request, key: ProofKey
) -> httpx2.Response:
    """The answer to a request with a proof; sent again once, where a nonce was missing.

    Raises what `bounded_answer` raises.
    """
    key.prove(request)
    answer = await bounded_answer(client, request)
    key.note_nonce(answer)
    if not wants_nonce(answer, answer.content):
        return answer
    key.prove(request)
    return await bounded_answer(client, request)


async def bounded_answer(client: httpx2.AsyncClient, request: httpx2.Request) -> httpx2.Response:
    """The answer to a request, read within limits of bytes and of time.

    Raises:
        SignInError: it is too long.
        TimeoutError: it does not end.
        httpx2.HTTPError: there is none.
    """
    request.headers["Accept"] = "application/json"
    async with asyncio.timeout(REQUEST_LIMIT):
        answer = await client.send(request, stream=True)
        bound(answer, MAX_BODY, codings=CODINGS)
        try:
            await answer.aread()
        except BodyError as error:
            if str(error) != TOO_LARGE:
                raise httpx2.DecodingError(str(error), request=request) from None
            raise SignInError(
                translatable("the answer of {host} is too large", host=request.url.host)
            ) from None
        finally:
            await answer.aclose()
    return answer
