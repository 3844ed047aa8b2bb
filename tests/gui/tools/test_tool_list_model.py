from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt

from desktop.gui.tools.tool_list_model import TOOL_ROLE, ToolListModel, first_line
from tests.gui.tools.fakes import tool


def test_rows_are_the_tools_in_their_order() -> None:
    model = ToolListModel()
    model.replace([tool("a:one"), tool("b:two")])
    assert model.rowCount() == 2
    assert model.index(1).data(TOOL_ROLE).key == "b:two"
    assert model.index(0).data() == "one"
    assert model.index(0).data(Qt.ItemDataRole.AccessibleTextRole) == "one, a"
    assert model.index(0).data(Qt.ItemDataRole.DecorationRole) is None


def test_appended_tools_leave_the_rows_above() -> None:
    model = ToolListModel()
    model.replace([tool("a:one")])
    inserted: list[tuple[int, int]] = []

    def note(_: QModelIndex, first: int, last: int) -> None:
        inserted.append((first, last))

    model.rowsInserted.connect(note)
    model.append([tool("a:two"), tool("a:three")])
    model.append([])
    assert inserted == [(1, 2)]
    assert model.index(2).data() == "three"


def test_a_row_is_found_by_key_even_with_colons_in_the_name() -> None:
    model = ToolListModel()
    model.replace([tool("a:one"), tool("a:x:y")])
    assert model.row_of("a:x:y") == 1
    assert model.row_of("b:one") == -1
    assert model.tool(7) is None
    assert model.index(7).data(TOOL_ROLE) is None


def test_the_first_line_is_plain_and_short() -> None:
    assert first_line("\n \n  Hello\tthere \x1b[31m\nmore") == "Hello there [31m"
    assert first_line("") == ""
    assert len(first_line("x" * 10_000_000)) == 200


def test_the_view_lays_out_anew_only_for_other_rows() -> None:
    model = ToolListModel()
    one, two = tool("a:one"), tool("a:two")
    resets: list[bool] = []
    model.replace([one, two])
    model.modelReset.connect(lambda: resets.append(True))
    model.replace([one, two])
    assert resets == []
    model.replace([one, tool("a:two")])  # as a server lists it again
    model.replace([one])
    assert len(resets) == 2
