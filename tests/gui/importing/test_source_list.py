from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.importing.source_list import SourceList

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from tests.gui.importing.conftest import Plan

pytest_plugins = ("tests.gui.theme_fixture",)


def test_sources_are_listed_and_the_best_is_chosen(qtbot: QtBot, plan: Plan) -> None:
    sources = SourceList()
    qtbot.addWidget(sources)
    sources.add(*plan("{ broken", "broken.json"))
    sources.add(*plan({"same": {"command": "x"}}, "home/.cursor/mcp.json"))
    sources.add(*plan({"new": {"command": "n"}}, "home/new.json"))
    sources.choose_best("")
    assert sources.currentRow() == 2
    sources.choose_best("cursor")
    assert sources.currentRow() == 1
    assert sources.item(1).text() == "Cursor\n1 server, none new"
    assert sources.item(0).text() == "broken.json\nCannot be read"


def test_a_file_that_is_handed_over_comes_first_and_is_chosen(qtbot: QtBot, plan: Plan) -> None:
    sources = SourceList()
    qtbot.addWidget(sources)
    sources.add(*plan())
    chosen: list[int] = []
    sources.chosen.connect(chosen.append)
    sources.add(*plan({"b": {"command": "b"}}, "second.json"), at=0)
    entry = sources.entry(sources.currentRow())
    assert entry is not None
    assert entry[0].source.label == "second.json"
    assert chosen[-1] == 0
    assert sources.entry(7) is None
