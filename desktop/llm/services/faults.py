"""What went wrong with a request, from a status, a body and headers: kind, words, try again or not.

Pure. The words of a provider are data: short, on one line, and without the key.
"""

from __future__ import annotations

import json
import math
import re
import time
from dataclasses import dataclass
from email.utils import mktime_tz, parsedate_tz
from typing import TYPE_CHECKING, Any, Final

from desktop.llm.json_values import plain_text
from desktop.llm.services.untyped import as_object, as_objects, as_text
from desktop.logs import redact
from desktop.sentence import sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.llm.completion import Failure

_LONGEST: Final = 500
_TYPES: Final = {
    "authentication_error": 401,
    "permission_error": 403,
    "billing_error": 402,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "insufficient_quota": 429,
    "invalid_request_error": 400,
    "overloaded_error": 529,
    "timeout_error": 504,
    "api_error": 500,
    "server_error": 500,
}
"""Errors that come inside a stream have no status of their own."""
_TOO_LONG: Final = re.compile(
    r"context_length_exceeded|prompt is too long|exceed\w* (the |this )?(model'?s? )?"
    r"(max\w* )?(available )?(context|number of tokens|token)|context (window|length|size|limit)"
    r"|input is too long|too many input tokens",
    re.IGNORECASE,
)
_WRONG_KEY: Final = re.compile(r"API_KEY_INVALID|api key not valid|api key expired", re.IGNORECASE)
_NO_CREDIT: Final = re.compile(
    r"insufficient_quota|billing|credit balance|exceeded your current quota", re.IGNORECASE
)
_DELAY: Final = re.compile(r"(\d+(?:\.\d+)?)s")


class UnacceptableError(Exception):
    """A response that is not taken; the message ends the sentence "the provider ..."."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Why there is no answer. `is_passing`: the same request may succeed later.

    `after` is the number of seconds that the server asks to wait, None where it does not say.
    """

    kind: Failure
    message: str
    remedy: str = ""
    is_passing: bool = False
    after: float | None = None


class FaultError(Exception):
    """Carries a fault that came inside a stream to whoever reads it."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def http_fault(
    label: str, status: int, body: object = None, headers: Mapping[str, str] | None = None
) -> Fault:
    """The fault of an answer with an error status, or of an error inside a stream (status 0).

    Args:
        label: what the provider is called in the sentence.
        status: of HTTP; below 300 it is taken from the type that the body names.
        body: the error as JSON of whichever provider, or its text.
        headers: for `Retry-After`, `retry-after-ms` and `x-should-retry`; names in lower case.
    """
    error = _error_object(body)
    types = [as_text(error.get(key)) for key in ("type", "code", "status")]
    if status < 300:
        status = next((_TYPES[each] for each in types if each in _TYPES), 500)
    details = json.dumps(error, default=str)[:20_000] if error else as_text(body)[:20_000]
    said = short(as_text(error.get("message")) or ("" if error else as_text(body)))
    return _fault(label, status, said or f"HTTP status {status}", details, headers or {})


def _fault(label: str, status: int, said: str, details: str, headers: Mapping[str, str]) -> Fault:
    after = asked_wait(headers, details)
    if status in {401, 403} or (status == 400 and _WRONG_KEY.search(details)):
        return Fault(
            "key",
            sentence("{label} did not accept the key: {said}", label=label, said=said),
            sentence("Check or replace the key."),
        )
    if status == 413 or (status in {400, 422, 500} and _TOO_LONG.search(details)):
        remedy = sentence("Start a new conversation, or offer fewer tools.")
        return Fault(
            "context",
            sentence("The conversation is too long for {label}: {said}", label=label, said=said),
            remedy,
        )
    if status == 402 or (status == 429 and after is None and _NO_CREDIT.search(details)):
        remedy = sentence("Check the plan and the credit of the account.")
        return Fault(
            "rate",
            sentence("{label} has no credit left for this key: {said}", label=label, said=said),
            remedy,
        )
    should = {"true": True, "false": False}.get(headers.get("x-should-retry", ""))
    if status == 429:
        remedy = sentence("Wait a little, or choose another model.")
        message = sentence("{label} takes no more requests for now: {said}", label=label, said=said)
        return Fault("rate", message, remedy, should is not False, after)
    if status in {503, 529}:
        message = sentence("{label} is overloaded: {said}", label=label, said=said)
        return Fault(
            "overloaded", message, sentence("Try again later."), should is not False, after
        )
    if status >= 500 or status in {408, 409}:
        message = sentence("{label} failed: {said}", label=label, said=said)
        return Fault("provider", message, sentence("Try again later."), should is not False, after)
    remedy = sentence("Check the model and the address of the provider.") if status == 404 else ""
    return Fault(
        "request",
        sentence("{label} refused the request: {said}", label=label, said=said),
        remedy,
        should is True,
        after,
    )


def lost_connection(label: str, error: Exception) -> Fault:
    """The fault of a connection that was not made, or broke."""
    cause = short(str(error)) or type(error).__name__
    message = sentence(
        "{label} could not be reached, or the connection broke: {cause}", label=label, cause=cause
    )
    remedy = sentence("Check the network and the address of the provider.")
    return Fault("connection", message, remedy, is_passing=True)


def short(text: str) -> str:
    """Words of a provider as part of a sentence: one line, no control characters, no secret."""
    line = redact(" ".join(plain_text(text[: 4 * _LONGEST]).split()))
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def asked_wait(headers: Mapping[str, str], details: str = "") -> float | None:
    """Seconds that a server asks to wait, by header or, as Google does, in the error itself."""
    for name, divisor in (("retry-after-ms", 1000), ("retry-after", 1)):
        if (seconds := _number(headers.get(name, ""))) is not None:
            return max(0.0, seconds / divisor)
    if (date := parsedate_tz(headers.get("retry-after", ""))) is not None:
        try:
            return max(0.0, mktime_tz(date) - time.time())
        except (ValueError, OverflowError):
            return None
    if "retryDelay" in details:
        found = _DELAY.search(details.partition("retryDelay")[2])
        return _number(found[1]) if found else None
    return None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _error_object(body: object) -> dict[str, Any]:
    """The innermost `error` of a body; Google sends a list with one in streams."""
    found = next(iter(as_objects(body)), None) or as_object(body)
    return as_object(found.get("error")) or found
