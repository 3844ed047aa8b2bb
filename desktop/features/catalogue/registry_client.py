"""Asks one MCP registry over HTTP, within limits: of time, of bytes, and of where it leads.

Plain requests without a key, a cookie or a redirect: what is asked goes to the address that a
person has set and nowhere else. Imports httpx2: only imported itself when a person searches.
Source: https://github.com/modelcontextprotocol/registry, docs/reference/api.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit

import httpx2

from desktop.base.bounded_http import TOO_LARGE, BodyError, bound, open_client
from desktop.base.errors import DesktopError
from desktop.base.http_proxy import proxy_for, shown_proxy
from desktop.base.translatable import translatable
from desktop.features.catalogue.entry import (
    CatalogueError,
    NotInRegistryError,
    read_page,
    read_server,
)

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator, Mapping

    from desktop.features.catalogue.entry import CatalogueEntry, CataloguePage

MAX_BYTES: Final = 4_000_000
"""Of one answer; a page of a hundred servers takes 300 kB."""
LIMIT: Final = 20.0
"""Seconds that one answer may take, from the connection to its last byte."""
PAGE: Final = 30
"""Servers that are asked for at a time."""
_FAILURES: Final = (httpx2.HTTPError, httpx2.InvalidURL, OSError, UnicodeError, ExceptionGroup)


class RegistryClient:
    """Connections to one registry; end it with `close`. Raises `CatalogueError` and no other."""

    def __init__(self, address: str, *, limit: float = LIMIT) -> None:
        """Takes 0.2 s, for the certificates: make it in a thread. Args: limit: seconds."""
        self._address, self._limit = address.rstrip("/"), limit
        self._host = urlsplit(address).netloc
        with http_errors(self._host, self._limit):
            self._client = open_client({"Accept": "application/json"})

    async def search(self, words: str, cursor: str = "", *, count: int = PAGE) -> CataloguePage:
        """The newest version of each server that has `words` in its name or description."""
        asked = {"search": words, "limit": str(count), "version": "latest", "cursor": cursor}
        content = await self._get("/v0.1/servers", {key: asked[key] for key in asked if asked[key]})
        return await asyncio.to_thread(read_page, content)

    async def show(self, name: str, version: str = "latest") -> CatalogueEntry:
        """One version of one server, also one that was deleted, which says so itself."""
        path = f"/v0.1/servers/{quote(name, safe='')}/versions/{quote(version, safe='')}"
        content = await self._get(path, {"include_deleted": "true"})
        entry = await asyncio.to_thread(read_server, content)
        if entry.name != name:
            raise CatalogueError(
                translatable("{host} answered with another server.", host=self._host)
            )
        return entry

    async def close(self) -> None:
        await self._client.aclose()

    async def _get(self, path: str, parameters: Mapping[str, str]) -> bytes:
        with http_errors(self._host, self._limit), self._whole_body():
            async with asyncio.timeout(self._limit):
                async with self._open(path, parameters) as response:
                    bound(response, MAX_BYTES)
                    self._check(response)
                    return await response.aread()

    @asynccontextmanager
    async def _open(
        self, path: str, parameters: Mapping[str, str]
    ) -> AsyncGenerator[httpx2.Response]:
        url = self._address + path
        async with self._client.stream(
            "GET", url, params=parameters, timeout=self._limit
        ) as response:
            yield response

    @contextmanager
    def _whole_body(self) -> Generator[None]:
        """What is not read on inside is raised as a `CatalogueError`."""
        try:
            yield
        except BodyError as error:
            if str(error) != TOO_LARGE:
                raise compressed(self._host) from None
            raise CatalogueError(
                translatable(
                    "{host} sent more than {limit} MB and was stopped.",
                    host=self._host,
                    limit=MAX_BYTES // 1_000_000,
                ),
                remedy=translatable("Check the registry's address in Settings."),
            ) from None

    def _check(self, response: httpx2.Response) -> None:
        """Raise for an answer that is not one, before it is read."""
        if response.status_code == HTTPStatus.OK:
            return
        if response.is_redirect:
            raise CatalogueError(
                translatable(
                    "{host} redirects to another address, which is not followed.", host=self._host
                ),
                remedy=translatable("If the registry has moved, set its address in Settings."),
            )
        if response.status_code == HTTPStatus.NOT_FOUND:
            raise NotInRegistryError(
                translatable("{host} does not have this.", host=self._host),
                remedy=translatable("Check the name, and the registry's address in Settings."),
            )
        raise CatalogueError(
            translatable(
                "{host} answered with the status {status}.",
                host=self._host,
                status=response.status_code,
            ),
            remedy=translatable("Try again later."),
        )


def compressed(host: str) -> CatalogueError:
    return CatalogueError(translatable("{host} sent a compressed answer unasked.", host=host))


@contextmanager
def http_errors(host: str, limit: float) -> Generator[None]:
    """What httpx2 raises inside is raised as a `CatalogueError`."""
    try:
        yield
    except (TimeoutError, httpx2.TimeoutException):
        raise CatalogueError(
            translatable(
                "{host} did not answer within {limit:g} seconds.",
                host=host,
                limit=limit,
            ),
            remedy=translatable("Try again later."),
        ) from None
    except CatalogueError:
        raise
    except DesktopError as error:  # a proxy that cannot be used
        raise CatalogueError(str(error.args[0]), remedy=error.remedy) from None
    except _FAILURES as error:
        proxy = shown_proxy(way) if (way := proxy_for(f"https://{host}/")) else ""
        reason = str(error)[:200] or type(error).__name__
        raise CatalogueError(
            translatable(
                "{host} cannot be reached ({reason}).",
                host=host,
                reason=f"{reason}, {proxy}" if proxy else reason,
            ),
            remedy=translatable("Check the proxy, or add the host of the server to NO_PROXY.")
            if proxy
            else translatable("Check your network, and the registry's address in Settings."),
        ) from None
