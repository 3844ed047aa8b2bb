"""Decides what a response body is: text or not, HTML or not, and in which encoding."""

from __future__ import annotations

import codecs
import re

_TEXT_TYPES = ("json", "xml", "javascript", "yaml", "toml", "x-sh", "sql", "graphql", "csv")
_META = re.compile(rb"<meta[^>]{0,500}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_.:-]{1,40})", re.I)
_HEAD_BYTES = 4096


def is_text(mime: str, body: bytes) -> bool:
    """By its type; without a type by its first bytes."""
    if mime.startswith("text/"):
        return True
    if mime not in ("", "application/octet-stream"):
        return any(word in mime for word in _TEXT_TYPES)
    return b"\0" not in body[:_HEAD_BYTES]


def is_html(mime: str, text: str) -> bool:
    if mime in ("text/html", "application/xhtml+xml"):
        return True
    return mime == "" and "<html" in text[:1000].lower()


def decode_body(body: bytes, charset: str) -> str:
    """Decode by byte order mark, header, `<meta>` charset or else as UTF-8; never fails."""
    for mark, name in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace")
    named = _META.search(body[:_HEAD_BYTES])
    for name in (charset, named[1].decode("ascii") if named else ""):
        try:
            if name and codecs.lookup(name).name not in _NOT_ENCODINGS:
                return body.decode(name, "replace")
        except (LookupError, ValueError):  # unknown, or a codec that is not a text encoding
            continue
    return body.decode("utf-8", "replace")


# Python decodes these too, but no page means them.
_NOT_ENCODINGS = {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape"}
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
