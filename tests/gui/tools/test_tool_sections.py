from __future__ import annotations

from desktop.gui.tools.tool_sections import (
    FAVOURITES,
    MAX_RECENT,
    RECENT,
    Section,
    rows_of,
    section_of_server,
)
from tests.gui.tools.fakes import tool

ONE, TWO, THREE = tool("a:one"), tool("a:two"), tool("b:three")
A, B = section_of_server("a"), section_of_server("b")


def test_tools_stand_below_their_server_in_the_order_of_the_servers() -> None:
    rows = rows_of([ONE, THREE, TWO])

    assert rows == [Section(A, "a", 2), ONE, TWO, Section(B, "b", 1), THREE]


def test_the_tools_of_one_server_alone_need_no_sections() -> None:
    assert rows_of([ONE, TWO]) == [ONE, TWO]
    assert rows_of([]) == []


def test_favourites_and_recent_tools_come_first_in_their_own_order() -> None:
    rows = rows_of([ONE, TWO, THREE], ["b:three", "a:one"], ["a:two", "gone:tool", "a:one"])

    assert rows[:5] == [
        Section(FAVOURITES, "", 2),
        THREE,
        ONE,
        Section(RECENT, "", 1),
        TWO,
    ]
    assert rows[5] == Section(A, "a", 2)


def test_of_the_recent_tools_a_few_are_shown() -> None:
    tools = [tool(f"a:{number}") for number in range(20)]

    rows = rows_of(tools, recent=[each.key for each in tools])

    assert rows[0] == Section(RECENT, "", MAX_RECENT)


def test_of_a_closed_section_the_first_row_is_left() -> None:
    rows = rows_of([ONE, TWO, THREE], closed=[A])

    assert rows == [Section(A, "a", 2, is_open=False), Section(B, "b", 1), THREE]


def test_a_server_may_be_called_as_a_section_is() -> None:
    rows = rows_of([tool("favourites:x"), tool("recent:y")], ["recent:y"])

    heads = [row for row in rows if isinstance(row, Section)]
    assert len({head.id for head in heads}) == len(heads) == 3
