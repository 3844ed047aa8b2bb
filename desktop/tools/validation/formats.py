"""Checks text against JSON Schema's `format`.

Own checks of formats, and not `jsonschema[format-nongpl]`: that brings a dozen packages, one of
them not under a permissive licence (fqdn, MPL-2.0), a grammar that costs 0.9 s at
`import jsonschema`, and it is stricter than the servers are (no moment without a time zone).

The standard makes `format` an annotation, so there are two kinds here. *Certain* ones can only be
read in one way and were always meant: a misfit is an error and stops a call. For the others the
dialects differ (what is a hostname, whose regular expressions): a misfit is a warning. A format
that is not known here is never an issue. Source: JSON Schema 2020-12, validation 7.3.

The form reads schemas with this before jsonschema is imported.
"""

from __future__ import annotations

from datetime import date, datetime, time
from functools import cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from desktop.base.later_patterns import compile_later
from desktop.tools.validation.patterns import is_readable

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Mapping

    from jsonschema import FormatChecker

_MAX_FORMAT_TEXT: Final = 10_000
"""Characters of a text that an expression is tried on; nothing of these formats is that long."""
_LIBRARY: Final = ("email", "idn-email", "ipv4", "ipv6", "uuid")
"""Formats that jsonschema checks as they are meant."""
_LABEL = r"(?!-)[^\s\x00-,/:-@\[-`{-\x7f.]{1,63}(?<!-)"
_HOSTNAME = compile_later(rf"{_LABEL}(\.{_LABEL})*\.?")
_DURATION = compile_later(
    r"P(?=.)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+([.,]\d+)?S)?)?)"
)
_LEAP_SECOND = compile_later(r":59:60(?!\d)")
_POINTER = compile_later(r"(/([^~/]|~[01])*)*")
_RELATIVE_POINTER = compile_later(r"(0|[1-9]\d*)(#|(/([^~/]|~[01])*)*)")
_TEMPLATE = compile_later(r"([^{}\s]|\{[^{}\s]+\})*")


def conforms(value: object, name: object) -> bool:
    """Whether a value has a format; a value that is not text, or an unknown format, passes."""
    if not isinstance(value, str) or not isinstance(name, str):
        return True
    if name in _LIBRARY:
        return _library().conforms(value, name)
    check = _CERTAIN.get(name) or _LOOSE.get(name)
    if check is None:
        return True
    try:
        return check(value)
    except ValueError:
        return False


@cache
def _library() -> FormatChecker:
    from jsonschema import FormatChecker

    return FormatChecker(formats=_LIBRARY)


def is_certain(name: object) -> bool:
    """Whether a value that does not fit this format is an error, not a warning."""
    return name in _LIBRARY or name in _CERTAIN


def _is_date(text: str) -> bool:
    return len(text) == 10 and bool(date.fromisoformat(text))


def _is_moment(text: str) -> bool:
    """A moment without a time zone passes: many servers accept it, and the others say so."""
    in_time = _without_leap_second(text)
    return len(text) > 10 and text[10] in "Tt " and bool(datetime.fromisoformat(in_time))


def _is_time(text: str) -> bool:
    return bool(time.fromisoformat(_without_leap_second(text)).isoformat())


def _without_leap_second(text: str) -> str:
    """The second before it: Python knows no second 60, RFC 3339 does (5.7)."""
    return _LEAP_SECOND.sub(":59:59", text[:_MAX_FORMAT_TEXT])


def _is_uri(text: str) -> bool:
    """Any text with a scheme and no blank: servers use `uri` loosely."""
    return bool(urlsplit(text).scheme) and _is_reference(text)


def _is_reference(text: str) -> bool:
    urlsplit(text)  # raises for brackets that do not hold an address
    return not any(char.isspace() for char in text)


def _is_hostname(text: str) -> bool:
    return len(text) <= 254 and _HOSTNAME.fullmatch(text) is not None


def _matching(expression: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda text: len(text) <= _MAX_FORMAT_TEXT and expression.fullmatch(text) is not None


_CERTAIN: Final[Mapping[str, Callable[[str], bool]]] = {
    "date": _is_date,
    "date-time": _is_moment,
    "time": _is_time,
    "uri": _is_uri,
    "url": _is_uri,
}
_LOOSE: Final[Mapping[str, Callable[[str], bool]]] = {
    "hostname": _is_hostname,
    "idn-hostname": _is_hostname,
    "duration": _matching(_DURATION),
    "regex": is_readable,
    "json-pointer": _matching(_POINTER),
    "relative-json-pointer": _matching(_RELATIVE_POINTER),
    "iri": _is_uri,
    "uri-reference": _is_reference,
    "iri-reference": _is_reference,
    "uri-template": _matching(_TEMPLATE),
}
