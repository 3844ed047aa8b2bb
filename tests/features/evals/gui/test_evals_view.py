"""The tab of cases: a run in the background, its grid and transcripts, two runs compared."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy

from desktop.base.paths import Paths
from desktop.cli.commands import COMMANDS
from desktop.core import build_core
from desktop.features.chat.agent.agent import Agent
from desktop.features.chat.gui.chat import Chat
from desktop.features.chat.gui.entries import ModelEntry, ToolCallEntry, UserEntry
from desktop.features.chat.gui.page import ChatPage
from desktop.features.evals.board import EvalBoard
from desktop.features.evals.gui.evals_view import EvalsView
from desktop.features.evals.gui.save_case import SaveCaseDialog, case_of
from desktop.features.evals.transcript import TranscriptFile
from desktop.features.saved_calls.saved_call_files import read_calls
from tests.cli.terminal import entry
from tests.features.evals.played_model import PlayedModel
from tests.features.models.loopback.script import turn
from tests.features.models.loopback.server import Loopback
from tests.gui.waiting import turns
from tests.patience import LIMIT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QTableWidgetItem
    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow
    from desktop.gui.theme import Theme
    from tests.features.evals.played_model import Played

CASE = {
    "name": "adds",
    "ask": "What is 2 and 3?",
    "expect": {"calls": [{"tool": "plain:add"}], "contains": "5"},
}


@pytest.fixture
def model() -> Iterator[PlayedModel]:
    with Loopback() as server:
        played = PlayedModel(server)
        played.say = add
        yield played


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(LIMIT):
        while not holds():
            await turns()


def cell_of(view: EvalsView) -> QTableWidgetItem:
    item = view.grid.item(0, 0)
    assert item is not None
    return item


def add(_: str, results: list[str]) -> Played:
    called = turn(calls=[("mcp__plain__add", {"a": 2, "b": 3})])
    return turn("It is 5.") if results else called


@pytest.fixture
async def core(
    tmp_path: Path, model: PlayedModel, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Core]:
    monkeypatch.setenv("MINE_API_KEY", "sk-secret-0123456789")
    config = tmp_path / "mcp.json"
    document = {"mcpServers": {"plain": entry("plain")}}
    document |= {"mcpDesktop": {"providers": {"mine": model.provider()}}}
    config.write_text(json.dumps(document), encoding="utf-8")
    made = build_core(Paths(config, tmp_path / "data"), {"SHELL": "/bin/sh"})
    made.follow_store()
    made.paths.saved_calls.mkdir(parents=True)
    path = made.paths.saved_calls / "adds.json"
    path.write_text(json.dumps(CASE), encoding="utf-8")
    yield made
    await made.close()


@pytest.mark.skipif("clients" not in COMMANDS, reason="nothing knows other clients")
async def test_each_client_of_a_case_has_a_column_of_its_own(
    core: Core, model: PlayedModel, theme: Theme, qtbot: QtBot
) -> None:
    file = core.paths.saved_calls / "adds.json"
    file.write_text(json.dumps(CASE | {"clients": ["gemini-cli", "cline"]}), encoding="utf-8")
    model.say = lambda _, results: (
        turn("It is 5.")
        if results or "mcp_plain_add" not in model.tools
        else turn(calls=[("mcp_plain_add", {"a": 2, "b": 3})])
    )
    await core.settle()
    view = EvalsView(theme, EvalBoard(core, lambda: core.paths.saved_calls))
    qtbot.addWidget(view)
    view.show()
    await until(lambda: view.run.isEnabled())
    view.start()
    await until(lambda: view.running is None)
    header = view.grid.model().headerData
    titles = [header(at, Qt.Orientation.Horizontal) for at in range(view.grid.columnCount())]
    assert titles == ["mine · gemini-cli", "mine · cline"]
    outcomes = [item.text() for at in range(2) if (item := view.grid.item(0, at)) is not None]
    assert outcomes == ["passed · 10 of 10", "failed · 0 of 10"]
    view.grid.setCurrentCell(0, 1)
    await until(lambda: view.runs.choice.count() == 10)


async def test_cases_run_in_the_background_and_two_runs_are_compared(
    core: Core, model: PlayedModel, theme: Theme, qtbot: QtBot
) -> None:
    await core.settle()
    view = EvalsView(theme, EvalBoard(core, lambda: core.paths.saved_calls))
    qtbot.addWidget(view)
    view.show()
    await until(lambda: view.run.isEnabled())
    assert cell_of(view).text() == "–"
    view.start()
    await until(lambda: view.running is None)
    assert cell_of(view).text() == "passed · 10 of 10"
    view.grid.setCurrentCell(0, 0)
    await until(lambda: view.runs.choice.count() == 10)
    assert "calls plain:add" in view.runs.transcript.toPlainText()
    assert "between 72 and 100 %" in view.runs.reasons.text()
    model.say = lambda _, __: turn("No idea.")
    view.start()
    await until(lambda: view.running is None)
    view.kept.compared.setCurrentIndex(2)
    view.kept.compared.activated.emit(2)
    await until(lambda: "fell by 100 points" in cell_of(view).text())
    assert cell_of(view).text().startswith("failed · 0 of 10")
    assert cell_of(view).foreground().color() == theme.color("danger")


async def test_the_cell_of_a_run_that_ended_says_so_while_others_go_on(
    core: Core, theme: Theme, qtbot: QtBot
) -> None:
    await core.settle()
    board, shown = EvalBoard(core, lambda: core.paths.saved_calls), list[str]()
    view = EvalsView(theme, board)
    qtbot.addWidget(view)
    view.show()
    await until(lambda: view.run.isEnabled())
    board.told.connect(lambda cell: shown.append(f"{cell.passed}: {cell_of(view).text()}"))
    view.start()
    await until(lambda: view.running is None)
    assert [line.rpartition(" · ")[2] for line in shown] == [f"{n} of {n}" for n in range(1, 11)]


async def test_a_run_of_a_case_is_opened_in_the_chat_with_its_calls_and_always_as_the_same(
    core: Core, window: MainWindow, theme: Theme, qtbot: QtBot
) -> None:
    await core.settle()
    view = EvalsView(theme, EvalBoard(core, lambda: core.paths.saved_calls))
    qtbot.addWidget(view)
    view.show()
    await until(lambda: view.run.isEnabled())
    view.start()
    await until(lambda: view.running is None)
    view.grid.setCurrentCell(0, 0)
    await until(lambda: view.runs.choice.count() == 10)
    page = window.open_page("chat", ChatPage)
    assert page is not None
    view.chat_requested.connect(page.open_stored)
    view.runs.choice.setCurrentIndex(1)
    loaded = QSignalSpy(page.loaded)
    for times in (1, 2):
        view.runs.in_chat.trigger()
        await until(lambda times=times: loaded.count() == times)
    chat = page.view.chat
    assert chat is not None
    assert (chat.title, chat.setup.model) == ("adds · 2", "gpt-x")
    assert chat.setup.choice.servers == ("plain",)
    question, call, answer = chat.entries.entries
    assert isinstance(question, UserEntry)
    assert question.text.text == "What is 2 and 3?"
    assert isinstance(call, ToolCallEntry)
    assert (call.key, call.arguments) == ("plain:add", {"a": 2, "b": 3})
    assert call.result is not None
    assert call.result.success
    assert isinstance(answer, ModelEntry)
    assert answer.text.text == "It is 5."
    assert len(await core.part(Agent).sessions.store.list()) == 1


async def test_a_run_that_is_stopped_keeps_what_has_ended(
    core: Core, theme: Theme, qtbot: QtBot, model: PlayedModel
) -> None:
    await core.settle()
    board = EvalBoard(core, lambda: core.paths.saved_calls)
    view = EvalsView(theme, board)
    qtbot.addWidget(view)
    view.show()
    await until(lambda: view.run.isEnabled())
    board.told.connect(lambda _: view.stop_run())
    view.start()
    await until(lambda: view.running is None)
    assert board.shown is not None
    runs = list(TranscriptFile(board.shown).read())
    assert 1 <= len(runs) < 10
    assert view.run.isEnabled()


async def test_a_chat_becomes_a_case_that_is_checked_before_it_is_saved(
    core: Core, window: MainWindow
) -> None:
    await core.settle()
    window.show_page("chat")
    page = window.page("chat")
    assert isinstance(page, ChatPage)
    chat = page.view.chat
    assert isinstance(chat, Chat)
    chat.title = "Add two"
    chat.entries.say("What is ${{ 2 }} and 3?")
    arguments = {"a": 2, "api_key": "sk-secret-0123456789"}
    chat.entries.entries.append(ToolCallEntry("1", "add", "plain:add", arguments))
    case = case_of(chat, core.registry)
    assert case == {
        "name": "Add two",
        "ask": "What is $${{ 2 }} and 3?",
        "expect": {"calls": [{"tool": "plain:add", "arguments": {"a": 2}}]},
    }
    dialog = SaveCaseDialog(page, EvalBoard(core, lambda: core.paths.saved_calls), case)
    dialog.editor.setPlainText("{")
    dialog.save.click()
    words = "Line 1: Expecting property name enclosed in double quotes"
    assert dialog.problem.text() == words  # a sentence of ours, in the language of the window
    dialog.editor.setPlainText(json.dumps(case | {"asks": 1}))
    dialog.save.click()
    assert "asks is no key here" in dialog.problem.text()
    dialog.editor.setPlainText(json.dumps(case))
    dialog.save.click()
    path = core.paths.saved_calls / "add-two.json"
    await until(path.exists)
    assert read_calls(path).asked == ((0, case),)
    await until(lambda: not dialog.isVisible())
