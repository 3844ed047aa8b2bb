"""Puts texts of the core into the window's language, and counts into the singular or plural.

What servers, models and files say is not translatable and stays as it is. Holds no texts itself:
they are worded where they arise. The language itself is chosen in `language`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.base.translatable import TranslatableText

if TYPE_CHECKING:
    from desktop.values.tool_types import ValidationIssue


def counted(count: int, one: str, many: str, **values: object) -> str:
    """`one` or `many`, with `{count}` and what else stands in them filled in."""
    words = one if count == 1 else many
    return words.format(count=f"{count:,}", **values)


def spoken(text: str) -> str:
    """The sentence as the window says it, and what stands in it too; any other text untouched."""
    if not isinstance(text, TranslatableText):
        return text
    values = {
        name: spoken(value) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    # All texts of the core share the one context without a name.
    return QCoreApplication.translate("", text.pattern).format(**values)


def issue_line(issue: ValidationIssue) -> str:
    """The message of an issue after its path, for a list."""
    message = spoken(issue.message)
    return f"{issue.where}: {message}" if issue.path else message
