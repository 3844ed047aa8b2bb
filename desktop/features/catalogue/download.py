"""Downloads one bundle into a private file, within limits, and checks its hash before it is opened.

Plain requests without a key or a cookie. Redirects are followed, as releases need them, five at
most and to https alone; what counts is the hash. Nothing stays of a file that is refused or not
wanted any more. Imports httpx2: only imported itself when a person agreed.
"""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import os
import time
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from tempfile import mkstemp
from typing import IO, TYPE_CHECKING, Final
from urllib.parse import urljoin, urlsplit

from desktop.base.bounded_http import TOO_LARGE, BodyError, bound, open_client
from desktop.base.private_files import make_private_folder
from desktop.base.translatable import translatable
from desktop.config.imports.bundles import MAX_BUNDLE_BYTES
from desktop.features.catalogue.bundle import DOWNLOADS, address_of_bundle, is_loopback
from desktop.features.catalogue.entry import CatalogueError
from desktop.features.catalogue.registry_client import compressed, http_errors

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from hashlib import _Hash as HASH  # pyright: ignore[reportPrivateUsage]
    from pathlib import Path

    import httpx2

    from desktop.config.imports.server_json import Way

    Progress = Callable[[int, int], None]
    """Gets the bytes that are here, and those there will be, or 0 where that is not known."""

LIMIT: Final = 900.0
"""Seconds that a whole download may take."""
SILENCE: Final = 30.0
"""Seconds without a byte."""
MAX_REDIRECTS: Final = 5
_BLOCK: Final = 1024 * 1024
_KEPT: Final = 24 * 3600.0
"""Seconds after which a file that a killed process left is removed."""


async def download(
    way: Way,
    bundles: Path,
    progress: Progress,
    *,
    mirror: str = "",
    limit: float = LIMIT,
    most: int = MAX_BUNDLE_BYTES,
) -> Path:
    """Download the bundle of a way that can be (`reason_not_downloadable`).

    Args:
        way: with the address and the hash.
        bundles: where bundles are unpacked; the file is put into a folder there.
        progress: is told how far it is.
        mirror: the address that stands before that of the file; empty for none.
        limit: seconds for all of it.
        most: bytes.

    Raises:
        CatalogueError: it cannot be downloaded, is too large, or is another file than was named;
            nothing of it stays.
    """
    address = address_of_bundle(way, mirror)
    host = urlsplit(address).netloc
    try:
        file = await asyncio.to_thread(_new_file, bundles / DOWNLOADS)
    except OSError as error:
        raise _no_space(error) from None
    is_whole = False
    try:
        with http_errors(host, limit):
            async with asyncio.timeout(limit), _client() as client:
                digest = await _Download(client, address, progress, most).run(file)
        if digest != way.sha256:
            raise CatalogueError(
                translatable("The file from {host} is not the one of the entry.", host=host),
                remedy=translatable(
                    "Expected SHA-256 {expected}, found {found}. Nothing was opened. Tell the "
                    "publisher of the server.",
                    expected=way.sha256,
                    found=digest,
                ),
            )
        is_whole = True
        return file
    finally:
        if not is_whole:
            with suppress(OSError):
                file.unlink()


@asynccontextmanager
async def _client() -> AsyncGenerator[httpx2.AsyncClient]:
    client = await asyncio.to_thread(open_client)
    async with client:
        yield client


class _Download:
    """One download over an open client."""

    def __init__(
        self, client: httpx2.AsyncClient, address: str, progress: Progress, most: int
    ) -> None:
        self._client, self._first, self._progress, self._most = client, address, progress, most

    async def run(self, file: Path) -> str:
        """Write the file; returns its SHA-256."""
        address = self._first
        for _ in range(MAX_REDIRECTS + 1):
            async with self._client.stream(
                "GET", address, headers={"Accept": "application/octet-stream"}, timeout=SILENCE
            ) as response:
                if not response.is_redirect:
                    return await self._save(response, file)
                address = self._next(address, response.headers.get("location", ""))
        raise CatalogueError(
            translatable("{host} redirects too often.", host=urlsplit(address).netloc)
        )

    def _next(self, address: str, location: str) -> str:
        """Where a redirect leads, if it may be followed."""
        target = urljoin(address, location)
        if is_loopback(self._first) and is_loopback(target):
            return target
        parts = urlsplit(target)
        is_open = parts.scheme == "https" and "@" not in parts.netloc
        if not is_open or not _is_public(parts.hostname or ""):
            raise CatalogueError(
                translatable(
                    "{host} redirects to an address that is not followed: {address}",
                    host=urlsplit(address).netloc,
                    address=target[:200],
                )
            )
        return target

    async def _save(self, response: httpx2.Response, file: Path) -> str:
        bound(response, self._most)
        try:
            return await self._write_all(response, file)
        except BodyError as error:
            if str(error) != TOO_LARGE:
                raise compressed(response.url.host) from None
            raise self._too_large(response) from None

    async def _write_all(self, response: httpx2.Response, file: Path) -> str:
        total = self._expected(response)
        digest = hashlib.sha256()
        waiting, done = bytearray(), 0
        with file.open("wb") as target:
            async for chunk in response.aiter_bytes():
                waiting += chunk
                done += len(chunk)
                if len(waiting) >= _BLOCK:
                    await _write(target, bytes(waiting), digest)
                    waiting.clear()
                self._progress(done, total)
            await _write(target, bytes(waiting), digest)
        return digest.hexdigest()

    def _expected(self, response: httpx2.Response) -> int:
        """The size that is announced, 0 without one; raises for an answer that is none."""
        host = response.url.host
        if response.status_code != HTTPStatus.OK:
            raise CatalogueError(
                translatable(
                    "{host} answered with the status {status}.",
                    host=host,
                    status=response.status_code,
                ),
                remedy=translatable("The file may have been removed: look at its repository."),
            )
        length = response.headers.get("content-length", "")
        total = int(length) if length.isascii() and length.isdigit() and len(length) < 15 else 0
        if total > self._most:
            raise self._too_large(response)
        return total

    def _too_large(self, response: httpx2.Response) -> CatalogueError:
        return CatalogueError(
            translatable(
                "The file from {host} is larger than {limit} MB.",
                host=response.url.host,
                limit=self._most // 1024 // 1024,
            )
        )


async def _write(file: IO[bytes], block: bytes, digest: HASH) -> None:
    def write() -> None:
        file.write(block)
        digest.update(block)

    try:
        await asyncio.to_thread(write)
    except OSError as error:
        raise _no_space(error) from None


def _no_space(error: OSError) -> CatalogueError:
    return CatalogueError(
        translatable("The file cannot be kept: {error}", error=error.strerror),
        remedy=translatable("Check the space on the disk."),
    )


def _is_public(host: str) -> bool:
    """Whether it is a name, and not a number or this machine: no file of a release is there."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return "." in host and not host.endswith((".localhost", ".local"))
    return False


def _new_file(folder: Path) -> Path:
    """An empty file for its owner alone; old ones are removed."""
    make_private_folder(folder)
    for old in folder.iterdir():
        with suppress(OSError):
            if time.time() - old.stat().st_mtime > _KEPT:
                old.unlink()
    handle, name = mkstemp(suffix=".mcpb", dir=folder)
    os.close(handle)
    return folder / os.path.basename(name)
