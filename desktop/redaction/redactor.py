"""Removes secrets from messages and results before they are shown or handed on.

Beside the policy, it knows the secret values of a server's config. It returns copies: the original
stays as it is, and a person sees all of it on the Tools page. Copies of results are bounded; it
cannot recognise a secret that it was never given.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec.structs import replace

from desktop.redaction.command_line import is_secret_option
from desktop.redaction.policy import PLACEHOLDER, is_secret_name, redact_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop.values.spilled import ReadableText
    from desktop.values.tool_types import Content, ToolResult

_SCHEMA_MAPS: Final = frozenset(("properties", "patternProperties", "$defs", "definitions"))
"""Members whose own members have names that a person chose, and values that only describe."""
MAX_TEXT_LENGTH: Final = 256 * 1024
"""Characters of one text that are searched: a few tens of milliseconds."""
MAX_VALUES: Final = 20_000
"""Values within a structured one that are searched."""
_MIN_BEGINNING: Final = 3
"""Characters of a secret's beginning that are hidden; fewer end many a text by chance."""


class Redaction:
    """Replaces these secrets, and whatever looks like one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self.secrets = frozenset(secrets)
        self._forms = sorted(
            {form for secret in self.secrets for form in _forms(secret)}, key=len, reverse=True
        )
        forms = "|".join(map(re.escape, self._forms))
        self._known = re.compile(forms) if forms else None

    def __repr__(self) -> str:
        return f"Redaction({len(self.secrets)} secrets)"

    def text(self, text: str) -> str:
        """`text` (prose, or JSON, whole or in part) without the secrets; in linear time."""
        return redact_text(self.known_text(text))

    def known_text(self, text: str) -> str:
        """`text` without the secrets that were given, and otherwise as it is."""
        return self._known.sub(PLACEHOLDER, text) if self._known is not None else text

    def cut_text(self, text: str) -> str:
        """Like `text`, for a text that was cut: a secret at its end may be there only in part."""
        if self._known is None or (start := self._last_beginning(text)) is None:
            return self.text(text)
        for found in self._known.finditer(text):
            if found.start() < start < found.end():  # two secrets overlap
                start = found.start()
        return self.text(text[:start]) + PLACEHOLDER

    def _last_beginning(self, text: str) -> int | None:
        """Where the longest end of `text` begins that a secret, or a form of one, begins with."""
        for start in range(max(0, len(text) - len(self._forms[0])), len(text) - _MIN_BEGINNING + 1):
            end = text[start:]
            if any(form.startswith(end) for form in self._forms):
                return start
        return None

    def value(self, value: Any) -> Any:
        """A copy of a JSON value without them.

        Raises:
            RecursionError: it is nested too deeply; take its text then.
        """
        return self._value(value, is_hidden=False, is_schema=False)

    def _value(self, value: Any, *, is_hidden: bool, is_schema: bool) -> Any:
        if isinstance(value, dict):
            return self._members(cast("dict[str, Any]", value), is_hidden, is_schema)
        if isinstance(value, list):
            return self._items(cast("list[Any]", value), is_hidden)
        if is_hidden and not isinstance(value, bool) and value not in (None, ""):
            return PLACEHOLDER
        return self.text(value) if isinstance(value, str) else value

    def _items(self, items: list[Any], is_hidden: bool) -> list[Any]:
        shown: list[Any] = []
        is_value = False
        for item in items:
            shown.append(self._value(item, is_hidden=is_hidden or is_value, is_schema=False))
            # ["--api-key", "VALUE"]: the arguments of a program.
            is_value = isinstance(item, str) and is_secret_option(item)
        return shown

    def _members(self, members: dict[str, Any], is_hidden: bool, is_schema: bool) -> dict[str, Any]:
        title = members.get("name", members.get("key"))
        is_secret_pair = isinstance(title, str) and is_secret_name(title)
        shown: dict[str, Any] = {}
        for name, value in members.items():
            is_secret = not is_schema and (
                is_secret_name(name) or (is_secret_pair and name == "value")
            )
            shown[self.text(name)] = self._value(
                value, is_hidden=is_hidden or is_secret, is_schema=name in _SCHEMA_MAPS
            )
        return shown


def _forms(secret: str) -> Iterator[str]:
    """The secret as it is, as JSON writes it in a string, and in a string inside a string."""
    yield secret
    for ascii_only in (True, False):
        once = json.dumps(secret, ensure_ascii=ascii_only)[1:-1]
        yield once
        yield json.dumps(once, ensure_ascii=ascii_only)[1:-1]
    if "/" in secret:
        yield secret.replace("/", "\\/")


def redact_result(result: ToolResult, redaction: Redaction) -> ToolResult:
    """A copy without the secrets; long texts are cut, a large structured value is left out."""
    error = result.error
    return replace(
        result,
        output=redact_bounded(result.readable_output, redaction),
        error=error and replace(error, message=redact_bounded(error.message, redaction)),
        content=tuple(_redact_block(block, redaction) for block in result.content),
        structured=None if result.spilled else redact_value(result.structured, redaction),
        meta={},
    )


def redact_bounded(text: ReadableText, redaction: Redaction) -> str:
    """`text` without secrets; its end says how much was cut off."""
    if len(text) <= MAX_TEXT_LENGTH:
        return redaction.text(text[:])
    left = len(text) - MAX_TEXT_LENGTH
    return (
        f"{redaction.cut_text(text[:MAX_TEXT_LENGTH])}… [{left} more characters are not shown here]"
    )


def redact_value(value: Any, redaction: Redaction) -> Any:
    """A JSON value without secrets; None if it is too large to be searched."""
    try:
        return redaction.value(value) if _is_small(value) else None
    except RecursionError:
        return None


def _redact_block(block: Content, redaction: Redaction) -> Content:
    return replace(
        block,
        text=redact_bounded(block.readable_text, redaction),
        uri=redact_bounded(block.uri, redaction),
        name=redact_bounded(block.name, redaction),
    )


def _is_small(value: Any) -> bool:
    waiting, values, characters = [value], 0, 0
    while waiting:
        here = waiting.pop()
        values += 1
        if isinstance(here, dict):
            members = cast("dict[str, Any]", here)
            characters += sum(map(len, members))
            waiting += members.values()
        elif isinstance(here, list):
            waiting += cast("list[Any]", here)
        elif isinstance(here, str):
            characters += len(here)
        if values + len(waiting) > MAX_VALUES or characters > MAX_TEXT_LENGTH:
            return False
    return True
