"""Reads, writes, copies, moves and edits single files; each limit is reported when it is reached.

A file is written completely or not at all, and nothing is replaced unless the caller asks for it.
An edit finds its text as it is; failing that with the line endings of the file; failing that by its
lines without their indentation, which the new lines then take over (as the reference server does).
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress

from builtin_servers.files.messages import explain_error, format_path, format_size, utf8_path
from builtin_servers.files.roots import open_file
from builtin_servers.framework.tool import ToolCallError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, BinaryIO

    from builtin_servers.files.roots import RootedPath

MAX_TEXT_BYTES = 256 * 1024
MAX_MEDIA_BYTES = 8 * 1024 * 1024
MAX_EDIT_BYTES = 2 * 1024 * 1024
_READ_BYTES = 64 * 1024
_COPY_BYTES = 1024 * 1024
_MAX_SHOWN_CHARS = 80
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


def read_text(
    rooted: RootedPath, *, first: int = 1, last: int | None = None, tail: int | None = None
) -> str:
    """Lines `first` to `last`, counted from 1, or the last `tail` lines; at most 256 KB.

    A note after the text says what the limit left out. Raises `ToolCallError`.
    """
    with os.fdopen(open_file(rooted), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        _refuse_binary(file, rooted.path)
        if tail is not None:
            content, note = _read_tail(file, size, tail)
        else:
            content, note = _read_range(file, size, first, last)
    return content.decode("utf-8", "replace").removeprefix("\ufeff") + note


def read_for_edit(rooted: RootedPath) -> bytes:
    """The whole content of a file, to edit it. Raises `ToolCallError`."""
    with os.fdopen(open_file(rooted), "rb") as file:
        content = file.read(MAX_EDIT_BYTES + 1)
    if len(content) > MAX_EDIT_BYTES:
        raise ToolCallError(
            f"{format_path(rooted.path)} is larger than {format_size(MAX_EDIT_BYTES)}"
        )
    return content


def read_media(rooted: RootedPath) -> Mapping[str, Any]:
    """A content block: image or audio, or a resource for any other file. Raises `ToolCallError`."""
    from base64 import b64encode

    with os.fdopen(open_file(rooted), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        content = file.read(MAX_MEDIA_BYTES + 1)
    if len(content) > MAX_MEDIA_BYTES:
        limit = format_size(MAX_MEDIA_BYTES)
        raise ToolCallError(
            f"{format_path(rooted.path)} has {format_size(size)}; at most {limit} are read"
        )
    encoded = b64encode(content).decode("ascii")
    mime = _guess_mime(content, rooted.path)
    kind = mime.partition("/")[0]
    if kind in ("image", "audio"):
        return {"type": kind, "data": encoded, "mimeType": mime}
    from urllib.parse import quote

    uri = "file://" + quote(os.fsencode(rooted.path))
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime, "blob": encoded}}


def join_texts(texts: Iterable[tuple[str, str]]) -> str:
    """Pairs of path and text as one text, at most four times as long as one file may be."""
    parts: list[str] = []
    left = 4 * MAX_TEXT_BYTES
    for path, text in texts:
        if left <= 0:
            parts.append(
                f"{utf8_path(format_path(path))}:\n[Not read: the others filled the limit.]\n"
            )
            continue
        left -= len(text)
        parts.append(f"{utf8_path(format_path(path))}:\n{text}\n")
    return "\n---\n".join(parts)


def _refuse_binary(file: BinaryIO, path: str) -> None:
    if b"\0" in file.read(8192):
        raise ToolCallError(
            f"{format_path(path)} is not text; read_media_file reads pictures and sound"
        )
    file.seek(0)


def _read_range(file: BinaryIO, size: int, first: int, last: int | None) -> tuple[bytes, str]:
    number = 1
    while number < first:
        piece = file.readline(_READ_BYTES)
        if not piece:
            lines = number - 1
            raise ToolCallError(f"There is no line {first}: the file has {lines} lines")
        number += piece.endswith(b"\n")
    begin = file.tell()
    content = bytearray()
    while (last is None or number <= last) and len(content) <= MAX_TEXT_BYTES:
        piece = file.readline(_READ_BYTES)
        if not piece:
            return bytes(content), ""
        content += piece
        number += piece.endswith(b"\n")
    if len(content) <= MAX_TEXT_BYTES:
        return bytes(content), ""
    del content[MAX_TEXT_BYTES:]
    end = first + content.count(b"\n")
    note = f"{format_size(len(content))} of {format_size(size - begin)} are shown, up to line {end}"
    return bytes(content), f"\n[{note}. Read on with start_line {end}.]"


def _read_tail(file: BinaryIO, size: int, lines: int) -> tuple[bytes, str]:
    content = b""
    position = size
    while position > 0 and content.count(b"\n") <= lines and len(content) <= MAX_TEXT_BYTES:
        step = min(_READ_BYTES, position)
        position -= step
        file.seek(position)
        content = file.read(step) + content
    last_lines = content.splitlines(keepends=True)[-lines:]
    text = b"".join(last_lines)
    if len(text) <= MAX_TEXT_BYTES:
        return text, ""
    note = f"Only the last {format_size(MAX_TEXT_BYTES)} of {format_size(size)} are shown"
    return text[-MAX_TEXT_BYTES:], f"\n[{note}.]"


def _guess_mime(content: bytes, path: str) -> str:
    for start, offset, mime in _SIGNATURES:
        if content[offset : offset + len(start)] == start:
            return mime
    suffix = os.path.splitext(path)[1].lower()
    return _BY_SUFFIX.get(suffix, "application/octet-stream")


def write_file(rooted: RootedPath, content: bytes) -> bool:
    """Write or replace a file; returns whether there was one. Raises `ToolCallError`."""
    rooted.refuse_root()
    before = rooted.stat()
    if before is not None and not stat.S_ISREG(before.st_mode):
        raise ToolCallError(f"{format_path(rooted.path)} is not a regular file")
    mode = None if before is None else stat.S_IMODE(before.st_mode)
    _put(rooted, [content], mode, may_replace=True)
    return before is not None


def copy_file(source: RootedPath, target: RootedPath) -> None:
    """Copy a regular file; never replaces anything. Raises `ToolCallError`."""
    target.refuse_root()
    fd = open_file(source)
    try:
        mode = stat.S_IMODE(os.fstat(fd).st_mode)
        _put(target, _blocks(fd), mode, may_replace=False)
    finally:
        os.close(fd)


def move_entry(source: RootedPath, target: RootedPath) -> None:
    """Move a file or folder; never replaces anything. Raises `ToolCallError`."""
    source.refuse_root()
    target.refuse_root()
    there = source.stat()
    if there is None:
        raise ToolCallError(f"{format_path(source.path)} does not exist")
    if target.stat() is not None:
        raise ToolCallError(f"{format_path(target.path)} exists already; nothing was moved")
    try:
        if stat.S_ISREG(there.st_mode):
            _move_file(source, target)
        else:
            _rename(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV or not stat.S_ISREG(there.st_mode):
            raise explain_error(error, target.path) from error
        copy_file(source, target)
        os.unlink(source.name, dir_fd=source.folder)


def make_folder(rooted: RootedPath) -> bool:
    """Make one folder; returns False if it was there. Raises `ToolCallError`."""
    there = rooted.stat()
    if there is not None and stat.S_ISDIR(there.st_mode):
        return False
    try:
        os.mkdir(rooted.name, dir_fd=rooted.folder)
    except OSError as error:
        raise explain_error(error, rooted.path) from error
    return True


def _put(
    rooted: RootedPath, content: Iterable[bytes], mode: int | None, *, may_replace: bool
) -> None:
    """Write a new file, then rename it: readers see the old content or the new one."""
    if sys.platform == "win32":
        raise OSError("Windows cannot guard folders")
    name = f".{os.urandom(6).hex()}.part"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    part = None
    try:
        part = os.open(name, flags, 0o666 if mode is None else 0o600, dir_fd=rooted.folder)
        _fill(part, content)
        if mode is not None:
            os.fchmod(part, mode)
        os.fsync(part)
        if may_replace:
            os.rename(name, rooted.name, src_dir_fd=rooted.folder, dst_dir_fd=rooted.folder)
        else:
            _link(rooted.folder, name, rooted)
    except OSError as error:
        raise explain_error(error, rooted.path) from error
    finally:
        if part is not None:
            os.close(part)
            with suppress(OSError):
                os.unlink(name, dir_fd=rooted.folder)


def _fill(fd: int, content: Iterable[bytes]) -> None:
    for block in content:
        unwritten = memoryview(block)
        while unwritten:
            unwritten = unwritten[os.write(fd, unwritten) :]


def _blocks(fd: int) -> Iterator[bytes]:
    while block := os.read(fd, _COPY_BYTES):
        yield block


def _move_file(source: RootedPath, target: RootedPath) -> None:
    _link(source.folder, source.name, target)
    with suppress(FileNotFoundError):  # a file system without hard links: it was renamed
        os.unlink(source.name, dir_fd=source.folder)


def _link(folder: int, name: str, target: RootedPath) -> None:
    """Hard-link instead of renaming: a link never replaces a file that appeared meanwhile."""
    try:
        os.link(
            name,
            target.name,
            src_dir_fd=folder,
            dst_dir_fd=target.folder,
            follow_symlinks=False,
        )
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.EOPNOTSUPP, errno.EMLINK):
            raise
        os.rename(name, target.name, src_dir_fd=folder, dst_dir_fd=target.folder)


def _rename(source: RootedPath, target: RootedPath) -> None:
    os.rename(source.name, target.name, src_dir_fd=source.folder, dst_dir_fd=target.folder)


def apply_edits(text: str, edits: Iterable[Mapping[str, Any]]) -> str:
    """`text` after each edit in turn: objects with `oldText`, `newText` and maybe `replaceAll`.

    Raises:
        ToolCallError: An `oldText` is missing, or occurs more than once without `replaceAll`.
    """
    for number, edit in enumerate(edits, 1):
        old, new = edit["oldText"], edit["newText"]
        if not old:
            raise ToolCallError(f"Edit {number}: oldText is empty; write_file writes a whole file")
        text = _apply(text, old, new, number, replace_all=edit.get("replaceAll", False))
    return text


def make_diff(before: str, after: str, path: str) -> str:
    """The unified diff; empty if nothing differs."""
    from difflib import unified_diff

    lines = unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{path}", f"b/{path}"
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )


def _apply(text: str, old: str, new: str, number: int, *, replace_all: bool) -> str:
    if old not in text and "\r\n" in text:
        old, new = _with_crlf(old), _with_crlf(new)
    count = text.count(old)
    if count > 1 and not replace_all:
        raise ToolCallError(
            f"Edit {number}: oldText is there {count} times: give more of what stands around it, "
            "or set replaceAll"
        )
    if count:
        return text.replace(old, new)
    return _apply_by_lines(text, old, new, number)


def _with_crlf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


def _apply_by_lines(text: str, old: str, new: str, number: int) -> str:
    lines = text.split("\n")
    wanted = [line.strip() for line in old.strip("\r\n").split("\n")]
    stripped = [line.strip() for line in lines]
    size = len(wanted)
    matches = [
        start
        for start in range(len(lines) - size + 1)
        if stripped[start] == wanted[0] and stripped[start : start + size] == wanted
    ]
    if not matches or not any(wanted):
        shown = repr(old[:_MAX_SHOWN_CHARS]) + ("…" if len(old) > _MAX_SHOWN_CHARS else "")
        raise ToolCallError(f"Edit {number}: oldText is not in the file: {shown}")
    if len(matches) > 1:
        places = ", ".join(str(start + 1) for start in matches[:10])
        raise ToolCallError(f"Edit {number}: oldText fits more than once, at lines {places}")
    start = matches[0]
    indented = _indent(new.strip("\r\n").split("\n"), old.strip("\r\n"), lines[start])
    return "\n".join([*lines[:start], *indented, *lines[start + size :]])


def _indent(new: list[str], old: str, first: str) -> list[str]:
    """The new lines, indented by as much more as the file's first line is than the old one."""
    have = first[: len(first) - len(first.lstrip())]
    wrote = old[: len(old) - len(old.lstrip(" \t"))]
    end = "\r" if first.endswith("\r") else ""
    moved: list[str] = []
    for line in new:
        bare = line.rstrip("\r")
        if bare.strip() and bare.startswith(wrote):
            bare = have + bare[len(wrote) :]
        moved.append(bare + end)
    return moved
