"""Checks of single values of the configuration. Each returns the value or raises `ValueError`.

A message finishes the sentence that starts with the key; it never repeats a value, which may be a
secret. Must not know of files or models.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import urlsplit

from desktop.translatable import translatable

NAME_LIMIT = 64
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def check_name(name: str) -> str:
    if not name.strip():
        raise ValueError(translatable("must not be empty"))
    if len(name) > NAME_LIMIT:
        raise ValueError(
            translatable(
                "must have at most {name_limit} characters, it has {count}",
                name_limit=NAME_LIMIT,
                count=len(name),
            )
        )
    if ":" in name:
        raise ValueError(
            translatable('must not contain ":", which separates server and tool in "server:tool"')
        )
    if any(_is_invisible_control(character) for character in name):
        raise ValueError(translatable("must not contain control characters"))
    return name


def _is_invisible_control(character: str) -> bool:
    return character in _BIDI or unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}


def check_text(text: str) -> str:
    if "\0" in text:
        raise ValueError(translatable("must not contain a zero character"))
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(translatable("must not contain half of a surrogate pair")) from None
    return text


def check_environment(variables: dict[str, str]) -> dict[str, str]:
    for name, value in variables.items():
        if not name or "=" in name:
            raise ValueError(translatable("has a variable without a name, or with = in its name"))
        check_text(name)
        check_text(value)
    return variables


def check_headers(headers: dict[str, str]) -> dict[str, str]:
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            raise ValueError(
                translatable("has a header name that HTTP does not allow: {name!r}", name=name)
            )
        if any(character in value for character in "\r\n\0"):
            raise ValueError(translatable("has a line break in the value of {name}", name=name))
        check_text(value)
    return headers


def check_url(url: str) -> str:
    """Accept an absolute http address; one with `${...}` is checked after its expansion."""
    check_text(url)
    if not url or "${" in url:
        return url
    if any(character.isspace() or not character.isprintable() for character in url):
        raise ValueError(translatable("must not contain spaces or control characters"))
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise ValueError(translatable("is not a valid address: {error}", error=error)) from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError(translatable("must start with http:// or https:// and name a host"))
    return url
