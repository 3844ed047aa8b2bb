"""What the dialog says of two real servers, and of one beside its recording."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.base.paths import Paths
from desktop.config.models import ServerConfig
from desktop.core import build_core
from desktop.features.recordings.gui.compare_dialog import CompareDialog
from desktop.features.saved_calls.saved_call_runner import SavedCallRunner
from desktop.features.saved_calls.saved_calls import SavedCalls
from desktop.gui.window_state import WindowState
from desktop.servers.recording import Recorder
from tests.gui.test_dialog_sizes import divided
from tests.gui.waiting import turns
from tests.patience import LIMIT
from tests.server_commands import command

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core
    from desktop.gui.theme import Theme


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    made = build_core(Paths(tmp_path / "mcp.json", tmp_path / "data"), {"SHELL": "/bin/sh"})
    recorder = Recorder(made.traffic, tmp_path / "session.jsonl")
    made.follow_store()
    for name, server in (("plain", "plain"), ("twin", "plain"), ("counts", "counts")):
        program, args = command(server)
        made.store.add_server(ServerConfig(name=name, command=program, args=tuple(args)))
    await made.settle()
    recorder.close()
    yield made
    await made.close()


@pytest.fixture
async def dialog(theme: Theme, core: Core) -> AsyncIterator[CompareDialog]:
    parent = QWidget()  # qtbot would have deleted it before this goes on after the test
    runner = SavedCallRunner(core.service, core.executor)
    calls, settings = (
        SavedCalls(core.paths.saved_calls),
        WindowState(core.paths.window_state).settings,
    )
    made = CompareDialog(parent, theme, core.service, "plain", calls, runner, settings)
    await compared(made)
    yield made
    parent.close()


async def compared(dialog: CompareDialog) -> None:
    seen = asyncio.Event()
    connection = dialog.compared.connect(seen.set)
    async with asyncio.timeout(LIMIT):
        await seen.wait()
    dialog.compared.disconnect(connection)


async def test_it_begins_with_the_server_and_another_one(dialog: CompareDialog) -> None:
    assert (dialog.old.currentData(), dialog.new.currentData()) == ("plain", "twin")
    assert dialog.summary.text() == "The tools are the same."
    assert not dialog.copy.isEnabled()


async def test_what_is_gone_breaks_and_what_came_does_not(dialog: CompareDialog) -> None:
    QTest.keyClick(dialog.new, Qt.Key.Key_End)
    await compared(dialog)
    assert dialog.new.currentData() == "counts"
    assert dialog.summary.text().endswith("breaks callers")
    dialog.resize(820, 900)
    dialog.show()
    await turns()
    assert dialog.changes.verticalScrollBar().maximum() == 0  # there is room for all
    lines = dialog.changes.toPlainText().splitlines()
    assert "- echo  (breaking)" in lines
    assert "+ count" in lines


async def test_a_recording_is_compared_and_a_file_that_is_none_is_told(
    dialog: CompareDialog, tmp_path: Path
) -> None:
    dialog.open_recording(str(tmp_path / "session.jsonl"))
    await compared(dialog)
    assert dialog.problem.isHidden()
    assert dialog.old.currentText() == "counts · session.jsonl"
    dialog.old.setCurrentIndex(dialog.old.findText("plain · session.jsonl"))
    await compared(dialog)
    dialog.new.setCurrentIndex(dialog.new.findData("plain"))
    await compared(dialog)
    assert dialog.summary.text() == "The tools are the same."
    dialog.open_recording(str(tmp_path / "mcp.json"))
    await compared(dialog)
    assert not dialog.problem.isHidden()
    assert "mcp.json" in dialog.problem.text()


async def test_it_keeps_the_size_and_the_division_that_a_person_gave_it(
    dialog: CompareDialog, theme: Theme, core: Core
) -> None:
    wanted = QSize(770, dialog.height() + 25)
    dialog.resize(wanted)
    (splitter,) = divided(dialog)
    usual = splitter.sizes()
    splitter.setSizes([usual[0] + 100, usual[1] - 100, *usual[2:]])
    dialog.reject()
    parent = dialog.parent()
    assert isinstance(parent, QWidget)
    runner = SavedCallRunner(core.service, core.executor)
    calls, settings = SavedCalls(core.paths.saved_calls), WindowState(core.paths.window_state)
    again = CompareDialog(parent, theme, core.service, "plain", calls, runner, settings.settings)
    assert again.size() == wanted
    (splitter,) = divided(again)
    assert splitter.sizes()[0] == pytest.approx(usual[0] + 75, abs=45)
