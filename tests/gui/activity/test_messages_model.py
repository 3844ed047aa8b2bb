"""Messages as rows: words, colours, and rows that come and go at the ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from desktop.gui.activity.messages_model import KIND, METHOD, MessagesModel
from tests.gui.activity.conftest import TOKEN, line

if TYPE_CHECKING:
    from desktop.gui.theme import Theme
    from desktop.servers.message_log import MessageLog, MessageRecorder

pytest_plugins = ("tests.gui.theme_fixture",)


@pytest.fixture
def model(theme: Theme, traffic: MessageLog, tap: MessageRecorder) -> MessagesModel:
    tap.note("sent", line(id=1, method="tools/call", params={"name": TOKEN}))
    tap.note("received", line(id=1, error={}))
    tap.note("received", line(method="a\nb" + "c" * 1000))
    made = MessagesModel(theme)
    made.append(traffic.after(0))
    return made


def cells(model: MessagesModel, row: int) -> list[str]:
    return [str(model.index(row, column).data()) for column in range(1, 8)]


def test_a_row_says_all_but_the_body_and_no_secret(model: MessagesModel) -> None:
    assert cells(model, 0)[:5] == ["→ Sent", "server", "tools/call ‹redacted›", "Request", "1"]
    assert cells(model, 1)[:5] == ["← Received", "server", "tools/call ‹redacted›", "Error", "1"]
    assert cells(model, 1)[5].endswith(" ms")
    assert cells(model, 2)[2].startswith("a bccc")
    assert len(cells(model, 2)[2]) == 200


def test_what_went_wrong_is_coloured(model: MessagesModel, theme: Theme) -> None:
    role = Qt.ItemDataRole.ForegroundRole
    assert model.index(1, KIND).data(role) == theme.color("danger")
    assert model.index(0, METHOD).data(role) == theme.color("text")


def test_rows_are_found_by_number_and_the_oldest_dropped(model: MessagesModel) -> None:
    assert (model.row_of(2), model.row_of(9)) == (1, None)
    model.drop_before(3)
    assert ([one.number for one in model.rows], model.row_of(2), model.row_of(3)) == ([3], None, 0)
    model.clear()
    assert model.rowCount() == 0
