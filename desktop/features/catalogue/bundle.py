"""A bundle of the registry: from where it may be downloaded, and what it runs once it is here.

Holds to the rule of the official registry: an asset of a release at GitHub or GitLab, with the hash
of its bytes. Must not reach any address: `download` does, after a person agreed.
Source: https://github.com/modelcontextprotocol/registry, internal/validators/registries/mcpb.go.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from msgspec import Struct

from desktop.base import loopback
from desktop.base.errors import ConfigError
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.config.document import parse
from desktop.config.imports.bundle_way import open_way
from desktop.config.imports.bundles import (
    MANIFEST,
    MAX_MANIFEST_BYTES,
    Bundle,
    find_bundle,
    folder_of,
)
from desktop.config.imports.file_formats import read_document

if TYPE_CHECKING:
    from desktop.config.imports.server_json import Way
    from desktop.config.models import ServerConfig

DOWNLOADS: Final = ".downloads"
"""The folder beside the unpacked bundles that holds a file until it is unpacked or refused."""
_HASH: Final = compile_later(r"[a-f0-9]{64}")
_GITHUB: Final = compile_later(
    r"/[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?/[A-Za-z0-9._-]+/releases/download/[^/]+/[^/]+"
)
_GITLAB: Final = compile_later(
    r"/[\w.-]+(?:/[\w.-]+)*/-/(?:releases/[^/]+/downloads/[^/]+|package_files/[0-9]+/download)",
    re.ASCII,
)
_HOSTS: Final = {
    "github.com": _GITHUB,
    "www.github.com": _GITHUB,
    "gitlab.com": _GITLAB,
    "www.gitlab.com": _GITLAB,
}
_SYSTEMS: Final = {
    "darwin": compile_later(r"darwin|mac|osx", re.IGNORECASE),
    "win32": compile_later(r"(?<!dar)win", re.IGNORECASE),
    "linux": compile_later(r"linux", re.IGNORECASE),
}


class FetchedBundle(Struct, frozen=True):
    """A bundle that is here, its hash checked: `way` says what it runs, nothing is unpacked."""

    bundle: Bundle
    way: Way

    def discard(self) -> None:
        """Remove the packed file, which is not needed once it is unpacked or refused."""
        with suppress(OSError):
            self.bundle.file.unlink()


def address_of_bundle(way: Way, mirror: str = "") -> str:
    """What a download asks: the file's own address, or a mirror with that behind it."""
    return (
        f"{mirror}/{way.identifier}"
        if mirror and not is_loopback(way.identifier)
        else way.identifier
    )


def host_of_bundle(way: Way, mirror: str = "") -> str:
    """Whom a download asks; empty where the address is none."""
    try:
        return urlsplit(address_of_bundle(way, mirror)).netloc
    except ValueError:
        return ""


def file_name(way: Way) -> str:
    """The last part of the address."""
    return way.identifier.rpartition("/")[2].partition("?")[0]


def is_loopback(address: str) -> bool:
    """Whether it is an http address of this machine, which no one in between can change."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        return False
    return parts.scheme == "http" and loopback.is_loopback(host)


def reason_not_downloadable(way: Way) -> str:
    """Why the bundle of a way cannot be downloaded; empty where it can."""
    if not _HASH.fullmatch(way.sha256):
        return translatable("Its entry has no hash (fileSha256), so its file cannot be checked.")
    if is_loopback(way.identifier):
        return ""
    try:
        parts = urlsplit(way.identifier)
        is_plain = parts.scheme == "https" and not (parts.query or parts.fragment)
        pattern = _HOSTS.get(parts.netloc.lower())  # with no user name and no port
        path = parts.path
    except ValueError:
        is_plain, pattern, path = False, None, ""
    is_release = is_plain and pattern is not None and pattern.fullmatch(path) is not None
    if not is_release or ".." in way.identifier or not way.identifier.isprintable():
        return translatable(
            "Its bundle is no file of a release at github.com or gitlab.com (https): {address}",
            address=way.identifier,
        )
    return ""


def fits_here(way: Way, platform: str = sys.platform) -> bool:
    """Whether the name of a bundle's file names this system, or none."""
    if not way.is_packed:
        return True
    named = {system for system, words in _SYSTEMS.items() if words.search(file_name(way))}
    return not named or (platform if platform in _SYSTEMS else "linux") in named


def open_bundle(file: Path, way: Way, folder: Path) -> FetchedBundle:
    """Read the manifest in a file whose hash was checked. Waits on disks.

    Args:
        file: in the folder for downloads.
        way: as the registry has it.
        folder: where bundles are unpacked.

    Raises:
        ConfigError: it is no bundle, or cannot be used here.
    """
    digest = hashlib.sha256()
    with file.open("rb") as packed:
        while block := packed.read(1024 * 1024):
            digest.update(block)
    if digest.hexdigest() != way.sha256:
        raise ConfigError(translatable("The file was changed after it was downloaded."))
    manifest = read_document(file).data
    bundle = find_bundle(file, folder, str(manifest.get("name") or "server"))
    return FetchedBundle(bundle, open_way(way, manifest, bundle.folder, Path.home()))


def unpacked_way(config: ServerConfig, way: Way, folder: Path) -> Way | None:
    """The way that a server from a bundle was added by; None where its files are gone."""
    if (unpacked := folder_of(config, folder)) is None:
        return None
    try:
        with (unpacked / MANIFEST).open("rb") as file:
            content = file.read(MAX_MANIFEST_BYTES)
        return open_way(way, parse(content, MANIFEST).data, unpacked, Path.home())
    except (OSError, ConfigError):
        return None


def remove_folder(bundle: Bundle) -> None:
    """Remove what was unpacked for a server that was not written after all."""
    shutil.rmtree(bundle.folder, ignore_errors=True)
