"""One word of 200,000 letters, which Qt wraps in seconds, wherever a stranger can have it shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest

from desktop.config.launch_details import LaunchDetail
from desktop.config.models import ServerConfig
from desktop.config.trust import UntrustedLaunch
from desktop.gui.form.schema_form import SchemaForm
from desktop.gui.import_export.import_dialog import LaunchDetailsView
from desktop.gui.results.error_card import ErrorCard
from desktop.gui.results.result_view import MetaView
from desktop.gui.servers.trust_view import LaunchDifferenceView
from desktop.gui.theme import Theme
from desktop.gui.tools.tool_view import ExpandableText
from desktop.redaction.redactor import Redaction
from desktop.values.tool_types import ErrorCode, ToolError
from tests.attacks.measure import processor_time

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication, QWidget
    from pytestqt.qtbot import QtBot

WORD = "x" * 200_000


@pytest.fixture(scope="module")
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp, "light")


def default_of_a_field(theme: Theme) -> tuple[QWidget, Callable[[], None]]:
    form = SchemaForm({"properties": {"text": {"type": "string"}}}, theme)
    return form, lambda: form.set_value({"text": WORD})


def error_of_a_call(theme: Theme) -> tuple[QWidget, Callable[[], None]]:
    card = ErrorCard(theme)
    error = ToolError("ToolError", f"It failed.\n{WORD}", ErrorCode.TOOL_ERROR)
    return card, lambda: card.show_error(error)


def description_of_a_tool(theme: Theme) -> tuple[QWidget, Callable[[], None]]:
    text = ExpandableText()
    text.toggle.setChecked(True)
    return text, lambda: text.show_text(WORD)


def meta_of_a_result(theme: Theme) -> tuple[QWidget, Callable[[], None]]:
    view = MetaView()
    view.show_meta({"a": WORD})
    return view, lambda: view.toggle.setChecked(True)


def arguments_of_an_import(theme: Theme) -> tuple[QWidget, Callable[[], None]]:
    view = LaunchDetailsView(theme)
    detail = LaunchDetail("args", WORD)
    return view, lambda: view.setPlainText(f"{detail.place}: {detail.value}")


def arguments_of_a_changed_server(theme: Theme) -> tuple[QWidget, Callable[[], None]]:
    config = ServerConfig(name="mine", command="x", args=(WORD,))
    untrusted = UntrustedLaunch(config)
    view = LaunchDifferenceView(theme)
    found = untrusted.differences(Redaction())
    return view, lambda: view.show_differences([(untrusted, found)], with_dangers=True)


@pytest.mark.qt_log_ignore("propagateSizeHints")
@pytest.mark.parametrize(
    "place",
    [
        default_of_a_field,
        error_of_a_call,
        description_of_a_tool,
        meta_of_a_result,
        arguments_of_an_import,
        arguments_of_a_changed_server,
    ],
)
def test_it_is_shown_in_a_moment(
    qtbot: QtBot,
    theme: Theme,
    place: Callable[[Theme], tuple[QWidget, Callable[[], None]]],
) -> None:
    widget, show = place(theme)
    qtbot.addWidget(widget)
    widget.resize(400, 300)
    widget.show()
    assert QTest.qWaitForWindowExposed(widget)
    with processor_time() as cost:
        show()
        widget.grab()
    assert cost.processor < 1
