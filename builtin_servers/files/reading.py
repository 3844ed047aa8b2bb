"""Reads text in parts and media whole, each within a limit that is said when it is reached."""

from __future__ import annotations

import os

from builtin_servers.call import ToolError
from builtin_servers.files.roots import open_file
from builtin_servers.files.wording import json_path, show_path, show_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, BinaryIO

    from builtin_servers.files.roots import Place

TEXT_LIMIT = 256 * 1024
MEDIA_LIMIT = 8 * 1024 * 1024
EDIT_LIMIT = 2 * 1024 * 1024
_BLOCK = 64 * 1024


def read_text(
    place: Place, *, first: int = 1, last: int | None = None, tail: int | None = None
) -> str:
    """Lines `first` to `last`, counted from 1, or the `tail` last ones; at most 256 KB.

    A note after the text says what was left out by the limit. Raises `ToolError`.
    """
    with os.fdopen(open_file(place), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        _refuse_binary(file, place.path)
        if tail is not None:
            kept, note = _tail(file, size, tail)
        else:
            kept, note = _range(file, size, first, last)
    return kept.decode("utf-8", "replace").removeprefix("\ufeff") + note


def read_whole(place: Place) -> bytes:
    """All of a file that is to be edited. Raises `ToolError`."""
    with os.fdopen(open_file(place), "rb") as file:
        content = file.read(EDIT_LIMIT + 1)
    if len(content) > EDIT_LIMIT:
        raise ToolError(f"{show_path(place.path)} is larger than {show_size(EDIT_LIMIT)}")
    return content


def read_media(place: Place) -> Mapping[str, Any]:
    """A content block: image or audio, or a resource for any other file. Raises `ToolError`."""
    from base64 import b64encode

    with os.fdopen(open_file(place), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        content = file.read(MEDIA_LIMIT + 1)
    if len(content) > MEDIA_LIMIT:
        limit = show_size(MEDIA_LIMIT)
        raise ToolError(f"{show_path(place.path)} has {show_size(size)}; at most {limit} are read")
    encoded = b64encode(content).decode("ascii")
    mime = _mime(content, place.path)
    kind = mime.partition("/")[0]
    if kind in ("image", "audio"):
        return {"type": kind, "data": encoded, "mimeType": mime}
    from urllib.parse import quote

    uri = "file://" + quote(os.fsencode(place.path))
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime, "blob": encoded}}


def read_each(texts: Iterable[tuple[str, str]]) -> str:
    """Several texts as one, each under its path; together at most four times one's limit."""
    parts: list[str] = []
    left = 4 * TEXT_LIMIT
    for path, text in texts:
        if left <= 0:
            parts.append(
                f"{json_path(show_path(path))}:\n[Not read: the others filled the limit.]\n"
            )
            continue
        left -= len(text)
        parts.append(f"{json_path(show_path(path))}:\n{text}\n")
    return "\n---\n".join(parts)


def _refuse_binary(file: BinaryIO, path: str) -> None:
    if b"\0" in file.read(8192):
        raise ToolError(f"{show_path(path)} is not text; read_media_file reads pictures and sound")
    file.seek(0)


def _range(file: BinaryIO, size: int, first: int, last: int | None) -> tuple[bytes, str]:
    number = 1
    while number < first:
        piece = file.readline(_BLOCK)
        if not piece:
            lines = number - 1
            raise ToolError(f"There is no line {first}: the file has {lines} lines")
        number += piece.endswith(b"\n")
    begin = file.tell()
    kept = bytearray()
    while (last is None or number <= last) and len(kept) <= TEXT_LIMIT:
        piece = file.readline(_BLOCK)
        if not piece:
            return bytes(kept), ""
        kept += piece
        number += piece.endswith(b"\n")
    if len(kept) <= TEXT_LIMIT:
        return bytes(kept), ""
    del kept[TEXT_LIMIT:]
    ended = first + kept.count(b"\n")
    note = f"{show_size(len(kept))} of {show_size(size - begin)} are shown, up to line {ended}"
    return bytes(kept), f"\n[{note}. Read on with start_line {ended}.]"


def _tail(file: BinaryIO, size: int, lines: int) -> tuple[bytes, str]:
    kept = b""
    position = size
    while position > 0 and kept.count(b"\n") <= lines and len(kept) <= TEXT_LIMIT:
        step = min(_BLOCK, position)
        position -= step
        file.seek(position)
        kept = file.read(step) + kept
    found = kept.splitlines(keepends=True)[-lines:]
    text = b"".join(found)
    if len(text) <= TEXT_LIMIT:
        return text, ""
    text = text[-TEXT_LIMIT:]
    return text, f"\n[Only the last {show_size(TEXT_LIMIT)} of {show_size(size)} are shown.]"


def _mime(content: bytes, path: str) -> str:
    for start, offset, mime in _SIGNATURES:
        if content[offset : offset + len(start)] == start:
            return mime
    suffix = os.path.splitext(path)[1].lower()
    return _BY_SUFFIX.get(suffix, "application/octet-stream")


_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", 0, "image/png"),
    (b"\xff\xd8\xff", 0, "image/jpeg"),
    (b"GIF8", 0, "image/gif"),
    (b"WEBP", 8, "image/webp"),
    (b"WAVE", 8, "audio/wav"),
    (b"ID3", 0, "audio/mpeg"),
    (b"fLaC", 0, "audio/flac"),
    (b"OggS", 0, "audio/ogg"),
    (b"%PDF-", 0, "application/pdf"),
)
_BY_SUFFIX = {
    ".svg": "image/svg+xml",
    ".bmp": "image/bmp",
    ".mp3": "audio/mpeg",
    ".m4a": "audio/mp4",
    ".txt": "text/plain",
    ".md": "text/markdown",
    ".json": "application/json",
    ".zip": "application/zip",
}
