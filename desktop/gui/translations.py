"""Puts texts of the core into the window's language, and counts into the singular or plural.

What servers, models and files say is not translatable and stays as it is. Holds no texts itself:
they are worded where they arise. The language itself is chosen in `language`.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.base.translatable import (
    LIST_SEPARATOR,
    TranslatableText,
    named_text,
    split_joined,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.values.tool_types import ValidationIssue


def counted(count: int, one: str, many: str, **values: object) -> str:
    """`one` or `many`, with `{count}` and what else stands in them filled in."""
    words = one if count == 1 else many
    return words.format(count=f"{count:,}", **values)


def listed(texts: Iterable[str], *, most: int | None = None) -> str:
    """`a, b, c` as the language of the window separates them; after `most` of them an ellipsis."""
    shown = list(texts if most is None else islice(texts, most + 1))
    if most is not None and len(shown) > most:
        shown[most:] = ["…"]
    return QCoreApplication.translate("Lists", ", ").join(shown)


def in_a_row(one: str, other: str) -> str:
    """Two sentences, with the space between them that the language of the window has."""
    return QCoreApplication.translate("Lists", "{one} {other}").format(one=one, other=other)


def spoken(text: str) -> str:
    """The sentence as the window says it, and what stands in it too; any other text untouched."""
    if not isinstance(text, TranslatableText):
        return text
    if text.pattern.startswith(f"{{text0}}{LIST_SEPARATOR}"):
        return listed(map(spoken, split_joined(text)))
    values = {
        name: spoken(value) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    # All texts of the core share the one context without a name.
    return QCoreApplication.translate("", text.pattern).format(**values)


def named(subject: str, words: str) -> str:
    """What is said of `subject`, after it, with the colon of the window's language."""
    return spoken(named_text(subject, words))


def issue_line(issue: ValidationIssue) -> str:
    """The message of an issue after its path, for a list."""
    message = spoken(issue.message)
    return f"{issue.where}: {message}" if issue.path else message
