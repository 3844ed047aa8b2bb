"""What a body is, and in which encoding."""

from __future__ import annotations

import pytest

from builtin_servers.web.content import decode_body, is_html, is_text


@pytest.mark.parametrize(
    ("mime", "body", "text"),
    [
        ("text/plain", b"", True),
        ("application/json", b"", True),
        ("application/ld+json", b"", True),
        ("image/svg+xml", b"", True),
        ("application/pdf", b"text", False),
        ("image/png", b"text", False),
        ("", b"text", True),
        ("", b"\x7fELF\0", False),
        ("application/octet-stream", b"text", True),
    ],
)
def test_text_is_told_from_other_things(mime: str, body: bytes, text: bool) -> None:
    assert is_text(mime, body) is text


def test_html_is_told_from_other_text() -> None:
    assert is_html("text/html", "x")
    assert is_html("application/xhtml+xml", "x")
    assert is_html("", "<!doctype html>\n<HTML>")
    assert not is_html("text/plain", "<html>")
    assert not is_html("application/json", "{}")


@pytest.mark.parametrize(
    ("body", "charset", "text"),
    [
        ("ü".encode(), "", "ü"),
        ("ü".encode("latin-1"), "iso-8859-1", "ü"),
        ("ü".encode("latin-1"), "", "\ufffd"),
        (b'<meta charset="latin-1">\xfc', "", '<meta charset="latin-1">ü'),
        ("日本".encode("shift-jis"), "Shift_JIS", "日本"),
        ("ü".encode("utf-16"), "utf-8", "ü"),
        ("ü".encode(), "no-such-thing", "ü"),
        ("ü".encode(), "a\0b", "ü"),
        (b"\\u0041", "unicode_escape", "\\u0041"),
        (b"QQ==", "base64", "QQ=="),
        (b"QQ==", "rot13", "QQ=="),
    ],
)
def test_any_body_is_decoded(body: bytes, charset: str, text: str) -> None:
    assert decode_body(body, charset) == text
