"""A themed application and shown forms for the tests of the tool form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import pytest
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget

from desktop.gui.form.field import FormContext
from desktop.gui.form.field_factory import make_field
from desktop.gui.form.schema_form import SchemaForm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from desktop.gui.form.model.nodes import Node
    from desktop.gui.theme import Theme


class ShowForm(Protocol):
    """Shows a form for a schema, in a page that scrolls."""

    def __call__(self, schema: Any, value: Any = None) -> SchemaForm: ...


def _renew(_node: Node, _value: object) -> None:
    """A field alone has no form around it."""


@pytest.fixture
def context(theme: Theme) -> FormContext:
    return FormContext(theme, lambda: None, lambda: None, _renew, make_field)


@pytest.fixture
def show_form(qtbot: QtBot, theme: Theme) -> Iterator[ShowForm]:
    pages: list[QScrollArea] = []

    def show(schema: Any, value: Any = None) -> SchemaForm:
        page = QScrollArea()
        pages.append(page)  # qtbot holds it weakly
        qtbot.addWidget(page)
        form = SchemaForm(schema, theme)
        if value is not None:
            form.set_value(value)
        page.setWidgetResizable(True)
        page.setWidget(form)
        page.resize(600, 800)
        with qtbot.waitExposed(page):
            page.show()
        page.activateWindow()
        return form

    yield show
    pages.clear()


def labels(widget: QWidget) -> str:
    """Everything that can be read on a widget now, a line each."""
    shown = [label for label in widget.findChildren(QLabel) if label.isVisible()]
    return "\n".join(label.text() for label in shown)
