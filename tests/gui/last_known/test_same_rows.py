"""A row of the first frame looks as the row of the list that takes its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QListView

from desktop.gui.last_known.snapshot import KnownSection, KnownTool
from desktop.gui.last_known.tool_rows import KnownToolRows
from desktop.gui.tools.tool_list_model import ToolListDelegate, ToolListModel
from desktop.gui.tools.tool_sections import FAVOURITES, Section
from desktop.gui.widgets.two_line_rows import show_two_line_rows
from desktop.values.tool_types import Annotations, ToolDefinition

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Scheme, Theme
    from desktop.gui.tools.tool_sections import Row

HINTS = {
    "": Annotations(),
    "read-only": Annotations(read_only=True),
    "destructive": Annotations(destructive=True),
}
NAMES = ("add", "a_name_that_is_too_long_for_the_badge", "a_name_that_is_too_long" * 9)
WORDS = ("Adds two numbers.", "", "More words than have room in the narrowest list there is. " * 9)


def known_and_real(*, are_in_sections: bool) -> tuple[list[KnownSection | KnownTool], list[Row]]:
    known: list[KnownSection | KnownTool] = []
    real: list[Row] = []
    tools = [(name, words, hint) for name in NAMES for words in WORDS for hint in HINTS]
    for id_, server in ((FAVOURITES, ""), ("one", "one")):
        if are_in_sections:
            known.append(KnownSection(id_, server, len(tools), is_open=True))
            real.append(Section(id_, server, len(tools), is_open=True))
        for name, words, hint in tools:
            known.append(KnownTool("one", name, "", words.strip(), hint))
            definition = ToolDefinition("one", name, description=words, annotations=HINTS[hint])
            real.append(definition)
    return known, real


def pictures(view: QListView, width: int, qtbot: QtBot) -> list[QImage]:
    """What each row looks like.

    The view is not shown: of two windows that end as this does, in the midst of a turn, Qt told the
    second of the first's focus once it was gone, and crashed (one of eight runs of all tests).
    """
    qtbot.addWidget(view)
    model = view.model()
    view.resize(width, view.sizeHintForRow(0) * (model.rowCount() + 1))
    whole = view.viewport().grab().toImage()
    ratio = whole.devicePixelRatio()
    places = [view.visualRect(model.index(row, 0)) for row in range(model.rowCount())]
    return [
        whole.copy(*(round(side * ratio) for side in (0, place.y(), width, place.height())))
        for place in places
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("are_in_sections", [True, False])
@pytest.mark.parametrize("width", [200, 240, 280, 700])
def test_a_row_looks_the_same_in_the_first_frame_and_in_the_list(
    theme: Theme, qtbot: QtBot, width: int, are_in_sections: bool, scheme: Scheme
) -> None:
    theme.set_scheme(scheme)
    known, real = known_and_real(are_in_sections=are_in_sections)
    words = {FAVOURITES: "Favourites"}
    first = KnownToolRows(theme, known, lambda word: words.get(word, word))
    later, model = QListView(), ToolListModel()
    later.setModel(model)
    show_two_line_rows(later, ToolListDelegate(theme, later), theme)
    model.replace(real)
    for view in (first, later):
        view.setCurrentIndex(view.model().index(2, 0))
    shown = zip(pictures(first, width, qtbot), pictures(later, width, qtbot), strict=True)
    different = [number for number, (one, other) in enumerate(shown) if one != other]
    # Where a text is cut, one letter more may have room: fractions of a pixel decide.
    assert len(different) <= len(known) // 10, different
