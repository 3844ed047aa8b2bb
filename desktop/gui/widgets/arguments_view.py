"""The arguments of a call to read: one line, short ones as JSON, long texts as texts.

A text of several lines, such as a file to be written, has a box of its own: inside JSON its line
ends are signs of JSON, and inside another text it could pass for an argument. Exact, bounded, and
never markup.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QWidget

from desktop.base.visible_text import escape_hidden, mark_hidden, mark_hidden_text
from desktop.gui.layouts import in_column
from desktop.gui.results.structured import pretty_json
from desktop.gui.widgets.bounded_text import MAX_LINES, BoundedText
from desktop.gui.widgets.json_highlighter import JsonHighlighter
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.visibility import discard

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument

    from desktop.gui.theme import ColorName, Theme

    Kind: TypeAlias = Literal["json", "difference", "text"]

_SIGNS: dict[str, ColorName] = {"+": "success", "-": "danger", "@": "muted"}


class DifferenceHighlighter(QSyntaxHighlighter):
    """Lines of a unified diff in the colours of the theme; their signs stay."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme = theme
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str, /) -> None:
        if (color := _SIGNS.get(text[:1])) is not None:
            form = QTextCharFormat()
            form.setForeground(self._theme.color(color))
            self.setFormat(0, len(text), form)


class CodePreview(BoundedText):
    """Arguments, a text among them, or a difference, in colours."""

    def __init__(
        self, theme: Theme, kind: Kind, parent: QWidget | None = None, *, lines: int = MAX_LINES
    ) -> None:
        super().__init__("well", "mono", lines=lines, parent=parent)
        self._kind = kind
        if kind == "json":
            self._highlighter: QSyntaxHighlighter = JsonHighlighter(self.document(), theme)
        elif kind == "difference":
            self._highlighter = DifferenceHighlighter(self.document(), theme)
        if self._kind != "text":  # which is named by what it is the value of
            name = self.tr("Arguments") if self._kind == "json" else self.tr("Difference")
            self.setAccessibleName(name)

    def show_arguments(self, arguments: Mapping[str, Any]) -> None:
        """Show arguments as JSON that can be read."""
        self.show_text(pretty_json(dict(arguments)) if arguments else "{}")


LONG: Final = 120
"""Characters of a text that has a box of its own, also where it is one line."""
MAX_TEXTS: Final = 8
"""Boxes of one call; further texts stay in the JSON."""
MAX_LINE: Final = 160
"""Characters of arguments that are seen whole on one line."""
_MAX_DEPTH = 6


def argument_line(arguments: Mapping[str, Any]) -> tuple[str, bool]:
    """The arguments on one line, and whether that is all of them."""
    parts: list[str] = []
    length = 0
    for name, value in arguments.items():
        shown = value if isinstance(value, str) else _compact(value)
        length += len(name) + len(shown)
        parts.append(f"{mark_hidden(name)}: {escape_hidden(shown[:MAX_LINE])}")
        if length > MAX_LINE:
            return " · ".join(parts)[:MAX_LINE], False
    line = " · ".join(parts)
    return line, "\n" not in "".join(v for v in arguments.values() if isinstance(v, str))


def split_arguments(arguments: Mapping[str, Any]) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """What is short, and each long text with the path of its argument."""
    texts: list[tuple[str, str]] = []

    def short(value: Any, path: str, depth: int) -> Any:
        if isinstance(value, str) and ("\n" in value or len(value) > LONG):
            if len(texts) < MAX_TEXTS:
                texts.append((path, value))
                return _TAKEN
            return value
        if depth >= _MAX_DEPTH:
            return value
        if isinstance(value, Mapping):
            members = cast("Mapping[str, Any]", value)
            kept = {
                name: short(each, f"{path}.{name}" if path else name, depth + 1)
                for name, each in members.items()
            }
            return {name: each for name, each in kept.items() if each is not _TAKEN}
        if isinstance(value, list):
            items = cast("list[Any]", value)
            kept_items = [short(each, f"{path}[{at}]", depth + 1) for at, each in enumerate(items)]
            return ["…" if each is _TAKEN else each for each in kept_items]
        return value

    return cast("dict[str, Any]", short(arguments, "", 0)), texts


_TAKEN: Final = object()


def _compact(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (RecursionError, TypeError, ValueError):
        return str(value)[:MAX_LINE]


class ArgumentsView(QWidget):
    """All arguments of one call; `show_arguments` may be called again."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: Mapping[str, Any] | None = None
        self.short = CodePreview(theme, "json", self)
        self.texts: list[CodePreview] = []
        self._labels: list[QWidget] = []
        self._column = in_column(self, self.short, spacing=1)

    def show_arguments(self, arguments: Mapping[str, Any]) -> None:
        """Show these in place of those before."""
        if arguments == self._shown:
            return
        self._shown = arguments
        self._clear()
        short, texts = split_arguments(arguments)
        self.short.show_arguments(short)
        self.short.setVisible(bool(short) or not texts)
        for path, text in texts:
            label = plain_label(mark_hidden(path), "muted", "small")
            box = CodePreview(self._theme, "text", self)
            box.show_text(mark_hidden_text(text))
            box.setAccessibleName(mark_hidden(path))
            self._labels.append(label)
            self.texts.append(box)
            self._column.addWidget(label)
            self._column.addWidget(box)

    def show_text(self, text: str) -> None:
        """Show what a model wrote in place of arguments."""
        self._shown = None
        self._clear()
        self.short.show_text(text)
        self.short.show()

    def _clear(self) -> None:
        for widget in (*self.texts, *self._labels):
            self._column.removeWidget(widget)
            discard(widget)
        self.texts, self._labels = [], []
