"""Reads and unpacks MCP bundles (`.mcpb`, once `.dxt`): a zip with a server and its manifest in it.

A bundle is a stranger's file. Its table of contents is bounded before it is read, no member may
lead out of its folder, be a link or stand twice, and sizes are counted while they are written, not
believed. A bundle is unpacked whole or not at all, into a folder of its own that is named after its
content. Starts nothing. Waits on disks, so it is for a thread. Source: MCPB specification 0.3.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import sys
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Final

from msgspec import Struct

from desktop.base.atomic_file import replace_file
from desktop.base.errors import ConfigError
from desktop.base.private_files import make_private_folder
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from desktop.config.models import ServerConfig

SUFFIXES: Final = frozenset({".mcpb", ".dxt"})
MANIFEST: Final = "manifest.json"
MAX_MANIFEST_BYTES: Final = 1024 * 1024
MAX_BUNDLE_BYTES: Final = 512 * 1024 * 1024
"""Of the packed file."""
MAX_UNPACKED_BYTES: Final = 1024 * 1024 * 1024
"""Of all members together; node_modules of a large server take 300 MB."""
MAX_MEMBERS: Final = 50_000
MAX_RATIO: Final = 200
"""Bytes of a member for each packed one; text packs to a tenth, zeros to a thousandth."""
_MAX_SMALL_BYTES: Final = 1024 * 1024
"""A member up to this size may pack as well as it likes."""
_MAX_CONTENTS_BYTES: Final = 16 * 1024 * 1024
_BLOCK: Final = 1024 * 1024
_METHODS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_END: Final = b"PK\x05\x06"
_LARGE_END: Final = b"PK\x06\x07"
"""Leads to the record of an archive of 4 GB or 65,535 files, which counts for Python instead."""


class Bundle(Struct, frozen=True):
    """A packed file, and the folder that it is or will be unpacked into."""

    file: Path
    folder: Path

    @property
    def is_unpacked(self) -> bool:
        return self.folder.is_dir()


def read_manifest(file: Path) -> bytes:
    """The manifest, unpacked; raises `ConfigError` where there is none to read."""
    with _opened(file) as archive:
        try:
            with _open_member(archive, MANIFEST) as member:
                content = member.read(MAX_MANIFEST_BYTES + 1)
        except KeyError:
            raise ConfigError(
                translatable("has no {manifest}, so it is not an MCP bundle", manifest=MANIFEST)
            ) from None
    if len(content) > MAX_MANIFEST_BYTES:
        raise ConfigError(
            translatable(
                "has a {manifest} larger than {limit} MB",
                manifest=MANIFEST,
                limit=MAX_MANIFEST_BYTES // 1024 // 1024,
            )
        )
    return content


def find_bundle(file: Path, folder: Path, name: str) -> Bundle:
    """Where in `folder` a bundle belongs: the same content always goes to the same place."""
    digest = hashlib.sha256()
    with file.open("rb") as packed:
        while block := packed.read(_BLOCK):
            digest.update(block)
    plain = "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name[:40])
    return Bundle(file, folder / f"{plain.strip('-') or 'server'}-{digest.hexdigest()[:12]}")


def unpack(bundle: Bundle) -> None:
    """Unpack a bundle into its folder, unless it is there already.

    Raises:
        ConfigError: it cannot be read, breaks a limit, or has a member that could do harm; nothing
            of it stays.
    """
    if bundle.is_unpacked:
        return
    folder = unlimited(bundle.folder)
    half = folder.with_name(f".{folder.name}.{os.getpid()}")
    try:
        make_private_folder(half)
        with _opened(bundle.file) as archive:
            _unpack_all(archive, half)
        replace_file(half, folder)
    except ConfigError as error:
        raise ConfigError(
            translatable("{path} {words}", path=bundle.file, words=error.args[0])
        ) from None
    except OSError as error:
        raise ConfigError(
            translatable(
                "{path} could not be unpacked: {error}", path=bundle.file, error=error.strerror
            ),
            remedy=translatable("Nothing was changed. Check the space on the disk."),
        ) from None
    finally:
        shutil.rmtree(half, ignore_errors=True)


def unlimited(folder: Path, platform: str = sys.platform) -> Path:
    r"""The same folder without Windows' limit of 260 characters, which `node_modules` exceeds.

    It becomes `\\?\C:\…` or `\\?\UNC\host\share\…`; elsewhere nothing changes.
    """
    text = str(folder)
    if platform != "win32" or text.startswith("\\\\?\\"):
        return folder
    share = text.startswith("\\\\")
    return type(folder)(f"\\\\?\\UNC{text[1:]}" if share else f"\\\\?\\{text}")


def folder_of(config: ServerConfig, folder: Path) -> Path | None:
    """The unpacked bundle in `folder` that a server runs from, as its words say; not looked for."""
    words = "\n".join((config.command, *config.args, *config.env.values(), config.cwd or ""))
    found = re.search(re.escape(str(folder) + os.sep) + r"([^/\\\s\"',;:]{1,100})", words)
    return folder / found[1] if found is not None and not found[1].startswith(".") else None


def remove_bundle_of(config: ServerConfig, folder: Path, is_named: Callable[[str], bool]) -> None:
    """Remove the bundle in `folder` that a removed server came with.

    Args:
        config: the server as it was.
        folder: where bundles are unpacked.
        is_named: whether the config still says this name anywhere; then the bundle stays.
    """
    words = " ".join((config.command, *config.args, *config.env.values(), config.cwd or ""))
    for unpacked in folder.iterdir() if folder.is_dir() else ():
        name = unpacked.name
        is_ours = unpacked.is_dir() and not unpacked.is_symlink() and not name.startswith(".")
        if is_ours and str(unpacked) in words and not is_named(name):
            shutil.rmtree(unlimited(unpacked), ignore_errors=True)


# --- the archive ------------------------------------------------------------------------------


@contextmanager
def _opened(file: Path) -> Generator[zipfile.ZipFile]:
    """The archive, for reading; what its reader raises is a `ConfigError`."""
    try:
        if not file.is_file():
            raise ConfigError(translatable("is not a file"))
        _check_contents(file)
        with zipfile.ZipFile(file) as archive:
            _check_methods(archive)
            yield archive
    except (zipfile.BadZipFile, RuntimeError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise ConfigError(
            translatable("is not a readable bundle (zip): {error}", error=error)
        ) from None


def _check_methods(archive: zipfile.ZipFile) -> None:
    """The format knows no others; a stranger's LZMA could ask for gigabytes."""
    if any(member.compress_type not in _METHODS for member in archive.infolist()):
        raise zipfile.BadZipFile("compression method")


def _open_member(archive: zipfile.ZipFile, member: str | zipfile.ZipInfo) -> IO[bytes]:
    try:
        return archive.open(member)
    except OSError as error:  # its table says that it begins before the file does
        raise zipfile.BadZipFile(str(error)) from None


def _check_contents(file: Path) -> None:
    """The size of the table of contents, which Python reads whole, from the last record."""
    size = file.stat().st_size
    if size > MAX_BUNDLE_BYTES:
        raise _too_large(MAX_BUNDLE_BYTES)
    with file.open("rb") as packed:
        packed.seek(max(0, size - 65_557))  # the record and the longest comment
        tail = packed.read()
    start = tail.rfind(_END)
    if tail.rfind(_LARGE_END, 0, max(start, 0)) >= 0:
        raise ConfigError(translatable("contains more than {limit} files", limit=MAX_MEMBERS))
    record = tail[start : start + 22]
    if start < 0 or len(record) < 22:
        return  # no zip: its reader says so
    members = int.from_bytes(record[10:12], "little")
    contents = int.from_bytes(record[12:16], "little")
    if members > MAX_MEMBERS or contents > _MAX_CONTENTS_BYTES:
        raise ConfigError(translatable("contains more than {limit} files", limit=MAX_MEMBERS))


def _unpack_all(archive: zipfile.ZipFile, folder: Path) -> None:
    members = archive.infolist()
    if len(members) > MAX_MEMBERS:
        raise ConfigError(translatable("contains more than {limit} files", limit=MAX_MEMBERS))
    seen: set[str] = set()
    left = MAX_UNPACKED_BYTES
    for member in members:
        path = _safe_path(member)
        key = str(path).casefold()  # one file on macOS and Windows
        if not member.is_dir() and key in seen:
            raise ConfigError(
                translatable("contains two files named {name!r}", name=str(path)[:200])
            )
        seen.add(key)
        target = folder / path
        if member.is_dir():
            make_private_folder(target)
            continue
        make_private_folder(target.parent)
        left -= _write(archive, member, target, left)


def _safe_path(member: zipfile.ZipInfo) -> PurePosixPath:
    """The path of a member below the folder; raises `ConfigError` where it leads elsewhere."""
    name = member.orig_filename
    path = PurePosixPath(name)
    is_odd = "\\" in name or ":" in name or not name.isprintable()
    if not path.parts or path.is_absolute() or ".." in path.parts or is_odd:
        raise ConfigError(
            translatable(
                "contains a file with a path outside the bundle: {name!r}", name=name[:200]
            )
        )
    kind = stat.S_IFMT(member.external_attr >> 16)
    if kind not in {0, stat.S_IFREG, stat.S_IFDIR}:
        raise ConfigError(translatable("contains a link or a device: {name!r}", name=name[:200]))
    return path


def _write(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, left: int) -> int:
    """Write one member; returns its size in bytes."""
    is_program = (member.external_attr >> 16) & 0o100
    most = max(_MAX_SMALL_BYTES, member.compress_size * MAX_RATIO)
    size = 0
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with (
        _open_member(archive, member) as packed,
        os.fdopen(os.open(target, flags, 0o700 if is_program else 0o600), "wb") as file,
    ):
        while block := packed.read(_BLOCK):
            size += len(block)
            if size > left:
                raise _too_large(MAX_UNPACKED_BYTES)
            if size > most:
                raise ConfigError(
                    translatable(
                        "contains a file with a suspicious compression ratio: {name!r}",
                        name=member.filename[:200],
                    )
                )
            file.write(block)
    return size


def _too_large(limit: int) -> ConfigError:
    return ConfigError(translatable("is larger than {limit} MB", limit=limit // 1024 // 1024))
