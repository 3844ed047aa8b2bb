"""The page as a person uses it: clicks and keys in, real processes behind."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.gui.processes.page import OWNER, PROCESS, EndDialog
from desktop.processes.process_tree import is_alive, wait_gone
from tests.gui.processes.conftest import entry
from tests.gui.waiting import happens, noted
from tests.live_servers import stdio, until
from tests.patience import LIMIT
from tests.server_commands import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from tests.gui.processes.conftest import OpenPage


def test_cancel_is_the_default_and_only_a_click_on_the_button_accepts(
    qtbot: QtBot, theme: Theme
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    accepted: list[str] = []
    for key in ("return", "click"):
        dialog = EndDialog(parent, "End <b>x</b>?", "It goes on.")
        dialog.accepted.connect(lambda key=key: accepted.append(key))
        dialog.open()
        assert dialog.question.textFormat() == Qt.TextFormat.PlainText
        if key == "return":
            QTest.keyClick(dialog, Qt.Key.Key_Return)
        else:
            QTest.mouseClick(dialog.end, Qt.MouseButton.LeftButton)
    assert accepted == ["click"]


LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier


async def test_each_server_is_shown_with_its_processes_and_the_app_comes_last(
    open_page: OpenPage,
) -> None:
    opened = await open_page(files=entry("leaves_child"), web=entry("plain"))
    model = opened.page.model
    assert [opened.texts(row)[0] for row in range(model.rowCount())] == [
        "files",
        "web",
        "Keepers of the servers",
        "mcp-desktop",
    ]
    assert opened.texts(0)[2] == "2 processes"
    command, pid, owner, age, _, memory = opened.texts(0, 0)
    assert "leaves_child.py" in command
    assert pid == str(opened.server("files").pid)
    assert (owner, age) == ("files", "< 1 min")
    assert memory.endswith("MB")
    assert "child.py" in opened.texts(0, 0, 0)[0]
    assert opened.texts(3, 0)[1] == str(os.getpid())
    assert opened.texts(2)[2] == "2 processes"  # the guardian and the keeper
    assert opened.page.total.text().startswith("2 servers, 3 processes, ")
    opened.page.resize(720 - 88, 500)  # in the smallest window
    assert "…" not in opened.page.total.text()
    tree = opened.page.tree
    assert tree.isColumnHidden(OWNER)
    assert tree.columnWidth(PROCESS) > 200
    opened.page.resize(900 - 88, 500)
    assert not tree.isColumnHidden(OWNER)
    assert re.search(r"the app itself [\d,]+ MB, its keepers \d", opened.page.total.text())


async def test_everything_is_open_at_first_and_stays_as_a_person_left_it(
    open_page: OpenPage,
) -> None:
    opened = await open_page(files=entry("leaves_child"), web=entry("plain"))
    page = opened.page
    assert page.tree.isExpanded(opened.row(0))
    assert page.tree.isExpanded(opened.row(0, 0))
    page.tree.collapse(opened.row(0))
    opened.choose(1, 0)
    page.look()
    page.look()
    assert not page.tree.isExpanded(opened.row(0))
    assert page.tree.currentIndex() == opened.row(1, 0)


async def test_a_look_is_taken_every_now_and_then_but_only_while_it_is_seen(
    open_page: OpenPage,
) -> None:
    opened = await open_page(web=entry("plain"))
    assert opened.page.is_looking
    opened.page.hide()
    assert not opened.page.is_looking


async def test_ctrl_r_restarts_the_server_of_the_row_and_the_row_stays_chosen(
    open_page: OpenPage,
) -> None:
    opened = await open_page(files=entry("plain"), web=entry("plain"))
    before = opened.server("web").pid
    opened.choose(1)
    QTest.keyClick(opened.page.tree, Qt.Key.Key_R, CONTROL)
    await opened.until_connected("web", anew=before)
    row = opened.page.current
    assert row is not None
    assert row.group.owner == "web"
    assert opened.texts(1, 0)[1] == str(opened.server("web").pid)


async def test_a_server_that_was_away_for_its_restart_is_chosen_again(
    open_page: OpenPage,
) -> None:
    opened = await open_page(files=entry("plain"), web=entry("plain"))
    before = opened.server("web").pid
    opened.choose(1, 0)
    opened.page.restart.trigger()
    await until(opened.core.tracker.removed, lambda: bool(opened.page.ended.lines))
    opened.page.look()
    assert opened.page.model.rowCount() == 3
    await opened.until_connected("web", anew=before)
    assert opened.page.tree.currentIndex() == opened.row(1)


async def test_what_a_person_chose_meanwhile_stays_chosen(open_page: OpenPage) -> None:
    opened = await open_page(files=entry("plain"), web=entry("plain"))
    before = opened.server("web").pid
    opened.choose(1)
    opened.page.restart.trigger()
    opened.choose(0)
    await opened.until_connected("web", anew=before)
    assert opened.page.tree.currentIndex() == opened.row(0)


async def test_delete_asks_and_a_stray_enter_ends_nothing(open_page: OpenPage) -> None:
    opened = await open_page(files=entry("leaves_child"))
    opened.choose(0, 0, 0)
    row = opened.page.current
    dialog = opened.page.ask_to_end()
    assert row is not None
    assert row.process is not None
    assert dialog is not None
    assert "Started by the server “files”" in dialog.meaning.text()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert is_alive(row.process.process)


async def test_a_child_that_is_ended_is_gone_and_its_server_goes_on(open_page: OpenPage) -> None:
    opened = await open_page(files=entry("leaves_child"))
    opened.choose(0, 0, 0)
    row = opened.page.current
    dialog = opened.page.ask_to_end()
    assert row is not None
    assert row.process is not None
    assert dialog is not None
    QTest.mouseClick(dialog.end, LEFT)
    assert await wait_gone([row.process.process], LIMIT)
    assert opened.server("files").is_connected


async def test_a_server_that_is_ended_is_connected_anew_as_the_question_said(
    open_page: OpenPage,
) -> None:
    opened = await open_page(files=entry("leaves_child"))
    before = opened.server("files").pid
    opened.choose(0)
    dialog = opened.page.ask_to_end()
    assert dialog is not None
    assert f"PID {before}" in dialog.question.text()
    assert "will reconnect it" in dialog.meaning.text()
    QTest.mouseClick(dialog.end, LEFT)
    await opened.until_connected("files", anew=before)


async def test_the_delete_key_opens_the_question(open_page: OpenPage) -> None:
    opened = await open_page(files=entry("plain"))
    opened.choose(0)
    QTest.keyClick(opened.page.tree, Qt.Key.Key_Delete)
    dialog = opened.page.findChild(EndDialog)
    assert dialog is not None
    assert dialog.isVisible()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert opened.server("files").is_connected


async def test_ctrl_c_copies_the_pid(open_page: OpenPage) -> None:
    opened = await open_page(files=entry("plain"))
    opened.choose(0, 0)
    QTest.keyClick(opened.page.tree, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == str(opened.server("files").pid)


async def test_the_app_itself_can_be_neither_ended_nor_restarted(open_page: OpenPage) -> None:
    opened = await open_page(files=entry("plain"))
    opened.choose(1, 0)
    page = opened.page
    assert not page.buttons[page.end].isEnabled()
    assert not page.buttons[page.restart].isEnabled()
    assert page.buttons[page.copy_pid].isEnabled()
    assert page.ask_to_end() is None


async def test_without_a_server_the_page_shows_the_way_to_them(open_page: OpenPage) -> None:
    opened = await open_page(files=entry("plain", enabled=False))
    page = opened.page
    wanted: list[bool] = []
    page.servers_requested.connect(lambda: wanted.append(True))
    assert not page.empty.isHidden()
    assert page.tree.isHidden()
    QTest.mouseClick(page.to_servers, LEFT)
    assert wanted


async def test_a_ledger_that_cannot_be_written_is_said(open_page: OpenPage) -> None:
    opened = await open_page("no room <b>left</b>")
    assert opened.page.banners.messages == ("Process records are unavailable: no room <b>left</b>",)


async def test_what_ended_is_listed_with_how(open_page: OpenPage) -> None:
    opened = await open_page(files=entry("plain"), wild=entry("stubborn"))
    assert opened.page.ended.isHidden()
    opened.core.store.set_enabled("files", False)
    await until(opened.core.tracker.removed, lambda: len(opened.page.ended.lines) == 1)
    opened.core.store.set_enabled("wild", False)
    await until(opened.core.tracker.removed, lambda: len(opened.page.ended.lines) == 2)
    last, first = opened.page.ended.lines
    assert "wild  ·  Stopped by force" in last
    assert "files  ·  Stopped  ·" in first
    assert not opened.page.ended.isHidden()


async def test_a_server_that_a_person_ended_did_not_end_by_itself(open_page: OpenPage) -> None:
    opened = await open_page(files=entry("plain"))
    opened.choose(0)
    dialog = opened.page.ask_to_end()
    assert dialog is not None
    QTest.mouseClick(dialog.end, LEFT)
    await until(opened.core.tracker.removed, lambda: bool(opened.page.ended.lines))
    assert "files  ·  Ended by you" in opened.page.ended.lines[0]


async def test_a_server_that_crashed_is_listed_with_its_exit_code(open_page: OpenPage) -> None:
    opened = await open_page()
    opened.core.store.add_server(stdio("exits_at_start"))
    await until(opened.core.tracker.removed, lambda: bool(opened.page.ended.lines))
    assert "exits_at_start  ·  Exited with code 3" in opened.page.ended.lines[0]


async def test_cpu_is_there_soon_after_the_first_look(open_page: OpenPage) -> None:
    opened = await open_page(files=entry("plain"))
    page = opened.page
    page.hide()
    looks = noted(page.model.dataChanged)
    page.show()
    assert page.is_looking
    page.monitor.forget()
    page.look()
    assert opened.texts(0)[4] == ""
    assert page.second_look.isActive()  # and not only with the next regular look
    async with asyncio.timeout(LIMIT):
        while not opened.texts(0)[4]:
            await happens(page.model.dataChanged)
    assert looks
    assert opened.texts(0)[4].endswith("%")
    assert page.second_look.interval() < 1000


async def test_a_process_is_called_by_the_package_that_it_runs(
    open_page: OpenPage, tmp_path: Path
) -> None:
    package = tmp_path / "node_modules" / "@scope" / "server-files" / "dist" / "index.py"
    package.parent.mkdir(parents=True)
    package.write_text((FOLDER / "plain.py").read_text("utf-8"), "utf-8")
    program = {
        "command": sys.executable,
        "args": [str(package), "Documents"],
        "env": {"PYTHONPATH": str(FOLDER.parent.parent)},
    }
    opened = await open_page(files=program)
    assert opened.texts(0, 0)[0] == f"@scope/server-files  ({Path(sys.executable).name})"


async def test_names_and_commands_of_others_are_plain_text(open_page: OpenPage) -> None:
    opened = await open_page(**{"<b>x</b>": entry("plain", "<img src=x>")})
    hint = str(opened.row(0, 0).data(Qt.ItemDataRole.ToolTipRole))
    assert "<" not in hint
    assert "‹img src=x>" in hint


async def test_every_part_has_a_name_for_who_cannot_see_it(open_page: OpenPage) -> None:
    opened = await open_page(files=entry("plain"))
    page = opened.page
    assert page.tree.accessibleName()
    assert page.ended.list.accessibleName()
    assert all(button.text() for button in page.buttons.values())
    page.setFocus()
    assert page.tree.hasFocus() or not page.isActiveWindow()


@pytest.fixture
def own_child() -> Iterator[int]:
    """A process that the app runs for itself, with a child of its own; its PID."""
    code = "import subprocess, sys; subprocess.run([sys.executable, '-S', '-c', sys.argv[1]])"
    child = "print('up', flush=True); input()"
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", code, child], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    yield process.pid
    process.communicate(b"\n")


async def test_of_what_the_app_runs_for_itself_only_the_first_is_open(
    open_page: OpenPage, own_child: int
) -> None:
    opened = await open_page(files=entry("plain"))
    tree = opened.page.tree
    model = opened.page.model
    app = opened.row(2, 0)
    (own,) = [
        model.index(row, 0, app)
        for row in range(model.rowCount(app))
        if model.index(row, 1, app).data() == str(own_child)
    ]
    assert tree.isExpanded(app)
    assert model.rowCount(own) == 1
    assert not tree.isExpanded(own)
