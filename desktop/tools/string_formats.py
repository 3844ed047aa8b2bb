"""Checks of JSON Schema's `format`, for text that has to be a date, an address and the like.

Lenient where dialects differ: a format that is not known here is never an error.
"""

from __future__ import annotations

from datetime import date, datetime, time
from urllib.parse import urlsplit

from jsonschema import FormatChecker

_KNOWN = ("date", "email", "idn-email", "ipv4", "ipv6", "uuid")


def make_format_checker() -> FormatChecker:
    checker = FormatChecker(formats=_KNOWN)
    checker.checks("date", raises=ValueError)(_is_date)
    checker.checks("date-time", raises=ValueError)(_is_moment)
    checker.checks("time", raises=ValueError)(_is_time)
    checker.checks("uri", raises=ValueError)(_is_uri)
    checker.checks("url", raises=ValueError)(_is_uri)
    return checker


def _is_date(text: object) -> bool:
    return not isinstance(text, str) or (len(text) == 10 and bool(date.fromisoformat(text)))


def _is_moment(text: object) -> bool:
    """A moment without a time zone passes: many servers take it, and say so if not."""
    if not isinstance(text, str):
        return True
    return len(text) > 10 and text[10] in "Tt " and bool(datetime.fromisoformat(text))


def _is_time(text: object) -> bool:
    return not isinstance(text, str) or bool(time.fromisoformat(text).isoformat())


def _is_uri(text: object) -> bool:
    if not isinstance(text, str):
        return True
    return bool(urlsplit(text).scheme) and not any(char.isspace() for char in text)
