"""Takes secrets out of what servers were sent and said, before anybody is shown or given it.

Goes by the values that a server's config holds, by the names of members, and by the shapes of
credentials in prose. Pure: values to values. It cannot know a secret of which it was never told.

A result as it may be shown beside others and written to a file: bounded, without secrets.

The result itself stays as it is: the person who made the call sees all of it on the Tools page.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from desktop.redaction.detect import is_secret

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from desktop.tool_types import Content, ToolResult

Json: TypeAlias = Any

REDACTED = "‹redacted›"
_HARMLESS = re.compile(
    r"progress_?token|\w*tokens|\w*keywords?|authors?|author_?\w*|\w*keyboard\w*", re.IGNORECASE
)
_SCHEMAS = frozenset(("properties", "patternProperties", "$defs", "definitions"))
"""Members whose own members are named by a person, and described, not given, by their values."""
_NAMED = re.compile(
    r"(?<![\w.-])(?P<name>[\w.-]{1,64}+)(?P<gap>\\*+[\"']?+\s*+[:=]\s*+\\*+[\"']?+)"
    r"(?P<scheme>(?i:bearer|basic)\s++)?(?P<value>[^\s\"'\\,;&{}\[\]]{4,}+)"
)
_BEARER = re.compile(r"(?i)\b(bearer\s++)[\w.~+/=-]{8,}+")
_USER_INFO = re.compile(r"(?<=://)[^/@\s\"']{1,200}+(?=@)")


def hides(name: str) -> bool:
    """Whether the value of a member of this name is hidden."""
    return is_secret(name) and _HARMLESS.fullmatch(name) is None


class Redaction:
    """Takes these secrets out, and what looks like one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self.secrets = frozenset(secrets)
        forms = sorted(
            {form for one in self.secrets for form in _forms(one)}, key=len, reverse=True
        )
        self._known = re.compile("|".join(map(re.escape, forms))) if forms else None

    def __repr__(self) -> str:
        return f"Redaction({len(self.secrets)} secrets)"

    def text(self, text: str) -> str:
        """`text`, prose or JSON whole or in part, without them; in linear time."""
        if self._known is not None:
            text = self._known.sub(REDACTED, text)
        text = _NAMED.sub(_without_value, text)
        return _USER_INFO.sub(REDACTED, _BEARER.sub(rf"\1{REDACTED}", text))

    def cut_text(self, text: str) -> str:
        """The same of a text that was cut: a secret at its end may be there only in part."""
        for secret in self.secrets:
            for length in range(min(len(secret) - 1, len(text)), 0, -1):
                if text.endswith(secret[:length]):
                    return self.text(text[:-length]) + REDACTED
        return self.text(text)

    def value(self, value: Json) -> Json:
        """A copy of a JSON value without them.

        Raises:
            RecursionError: it is nested too deeply; take its text then.
        """
        return self._value(value, is_hidden=False, is_schema=False)

    def _value(self, value: Json, *, is_hidden: bool, is_schema: bool) -> Json:
        if isinstance(value, dict):
            return self._members(cast("dict[str, Json]", value), is_hidden, is_schema)
        if isinstance(value, list):
            items = cast("list[Json]", value)
            return [self._value(one, is_hidden=is_hidden, is_schema=False) for one in items]
        if is_hidden and not isinstance(value, bool) and value not in (None, ""):
            return REDACTED
        return self.text(value) if isinstance(value, str) else value

    def _members(
        self, members: dict[str, Json], is_hidden: bool, is_schema: bool
    ) -> dict[str, Json]:
        title = members.get("name", members.get("key"))
        is_named_so = isinstance(title, str) and hides(title)
        shown: dict[str, Json] = {}
        for name, value in members.items():
            is_secret_one = not is_schema and (hides(name) or (is_named_so and name == "value"))
            shown[self.text(name)] = self._value(
                value, is_hidden=is_hidden or is_secret_one, is_schema=name in _SCHEMAS
            )
        return shown


def _without_value(found: re.Match[str]) -> str:
    if not hides(found["name"]) or found["value"].startswith(REDACTED):
        return found[0]
    return f"{found['name']}{found['gap']}{found['scheme'] or ''}{REDACTED}"


def _forms(secret: str) -> Iterator[str]:
    """As it stands, and as JSON writes it in a string, and in a string within one."""
    yield secret
    for ascii_only in (True, False):
        once = json.dumps(secret, ensure_ascii=ascii_only)[1:-1]
        yield once
        yield json.dumps(once, ensure_ascii=ascii_only)[1:-1]
    if "/" in secret:
        yield secret.replace("/", "\\/")


LONGEST = 256 * 1024
"""Characters of one text that are looked through: a few tens of milliseconds."""
LARGEST = 20_000
"""Values within a structured one that are looked through."""


def redacted_result(result: ToolResult, redaction: Redaction) -> ToolResult:
    """A copy without the secrets; longer texts are cut, a larger structured value is left out."""
    error = result.error
    return replace(
        result,
        output=redacted_text(result.output, redaction),
        error=error and replace(error, message=redacted_text(error.message, redaction)),
        content=tuple(_block(block, redaction) for block in result.content),
        structured=redacted_value(result.structured, redaction),
        meta={},
    )


def redacted_text(text: str, redaction: Redaction) -> str:
    """`text` without secrets; what is cut off is told at its end."""
    if len(text) <= LONGEST:
        return redaction.text(text)
    left = len(text) - LONGEST
    return f"{redaction.cut_text(text[:LONGEST])}… [{left} more characters are not shown here]"


def redacted_value(value: Any, redaction: Redaction) -> Any:
    """A JSON value without secrets; None where there is too much in it to be looked through."""
    try:
        return redaction.value(value) if _is_small(value) else None
    except RecursionError:
        return None


def _block(block: Content, redaction: Redaction) -> Content:
    return replace(
        block,
        text=redacted_text(block.text, redaction),
        uri=redacted_text(block.uri, redaction),
        name=redacted_text(block.name, redaction),
    )


def _is_small(value: Any) -> bool:
    waiting, values, characters = [value], 0, 0
    while waiting:
        one = waiting.pop()
        values += 1
        if isinstance(one, dict):
            members = cast("dict[str, Any]", one)
            characters += sum(map(len, members))
            waiting += members.values()
        elif isinstance(one, list):
            waiting += cast("list[Any]", one)
        elif isinstance(one, str):
            characters += len(one)
        if values + len(waiting) > LARGEST or characters > LONGEST:
            return False
    return True
