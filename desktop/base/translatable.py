"""`TranslatableText`: an English text for a person that remembers how it was made.

So the window can say it in its own language; everyone else takes it as the text it is. Must not
import anything of the project.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

LIST_SEPARATOR: Final = ", "


class TranslatableText(str):
    """Made by `translatable` or `join_texts`. Cut or put into another text it is plain English."""

    __slots__ = ("pattern", "values")
    pattern: str
    """The English with its placeholders: what translations are found by."""
    values: Mapping[str, object]
    """What stands in the placeholders; may hold sentences itself. Never a pattern: untrusted."""

    def __new__(cls, pattern: str, values: Mapping[str, object]) -> TranslatableText:
        plain = {name: _plain(value) for name, value in values.items()}
        made = super().__new__(cls, pattern.format(**plain))
        made.pattern, made.values = pattern, plain
        return made

    def __str__(self) -> str:
        return self  # and not a copy that has forgotten how it was made

    def __reduce__(self) -> tuple[type[TranslatableText], tuple[str, Mapping[str, object]]]:
        return TranslatableText, (self.pattern, self.values)  # for copies


def _plain(value: object) -> object:
    """Nothing but texts and numbers are kept: an error would keep its traceback alive."""
    return value if isinstance(value, str | int | float) else str(value)


def map_values(text: str, change: Callable[[str], str]) -> str:
    """The text with `change` made to all that others wrote in it; what a sentence is stays."""
    if not isinstance(text, TranslatableText):
        return change(text)
    values = {
        name: map_values(value, change) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    return TranslatableText(text.pattern, values)


def translatable(pattern: str, /, **values: object) -> TranslatableText:
    """`pattern`, a literal that `pyside6-lupdate` finds, with its values filled in."""
    return TranslatableText(pattern, values)


def join_and(texts: Iterable[str]) -> str:
    """`one and another`."""
    first, *others = texts
    for other in others:
        first = translatable("{first} and {other}", first=first, other=other)
    return first


def join_list(texts: Iterable[str]) -> str:
    """`a, b, c`; the window separates them as its language does."""
    return _joined(LIST_SEPARATOR, tuple(texts))


def split_joined(text: str) -> tuple[str, ...]:
    """What `join_texts` or `join_list` joined; any other text is one part."""
    if isinstance(text, TranslatableText) and "text0" in text.values:
        return tuple(str(part) for part in text.values.values())
    return (text,)


def join_texts(separator: str, *texts: str) -> str:
    """The texts that are not empty, one after the other; `separator` has no braces."""
    present = [text for text in texts if text]
    if not any(isinstance(text, TranslatableText) for text in present):
        return separator.join(present)
    return _joined(separator, present)


def named_text(subject: str, words: str) -> TranslatableText:
    """What is said of `subject`, after it and the colon of the language."""
    return translatable("{subject}: {words}", subject=subject, words=words)


def _joined(separator: str, texts: Sequence[str]) -> TranslatableText:
    values = {f"text{place}": text for place, text in enumerate(texts)}
    return TranslatableText(separator.join(f"{{{name}}}" for name in values), values)
