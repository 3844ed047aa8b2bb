from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.gui.settings.approvals_section import PAGE, ApprovalRow, ApprovalsSection, printable
from desktop.tools.approvals import Approval, Approvals
from tests.gui.waiting import arm
from tests.live_servers import until
from tests.patience import LIMIT
from tests.tools.definitions import tool

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QWidget
    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from tests.conftest import ExpectedLogs


def _focus_by_tab(start: QWidget, *steps: QWidget) -> None:
    """As a person gets there, long after it appeared."""
    window = start.window()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)
    start.setFocus()
    for step in steps:
        QTest.keyClick(start, Qt.Key.Key_Tab)
        assert step.hasFocus()
        arm(step)
        start = step


def _row(qtbot: QtBot, approval: Approval, key: str = "files:read") -> ApprovalRow:
    row = ApprovalRow(key, approval)
    qtbot.addWidget(row)
    row.show()
    return row


@pytest.mark.parametrize(
    ("key", "approval", "words", "tone"),
    [
        ("f:read", Approval("always", "1"), "Runs without asking until", "success"),
        ("f:read", Approval("ask", "1"), "Asks before each call.", "muted"),
        ("f:read", Approval("never"), "Never runs", "danger"),
        ("shell:run", Approval("always", "1"), "shell commands cannot be allowed", "warning"),
        ("f:read", Approval("always"), "the approved version is unknown", "warning"),
    ],
)
def test_it_says_in_words_and_colour_what_becomes_of_a_call(
    qtbot: QtBot, theme: Theme, key: str, approval: Approval, words: str, tone: str
) -> None:
    row = _row(qtbot, approval, key)

    assert words in row.meaning.text()
    assert tone in str(row.meaning.property("role"))
    assert row.choice.currentData() == approval.rule


def test_an_arrow_key_asks_for_another_rule(qtbot: QtBot, theme: Theme) -> None:
    row = _row(qtbot, Approval("ask", "1"))

    wanted: list[str] = []

    def note(key: str, rule: str) -> None:
        wanted.extend((key, rule))

    row.rule_requested.connect(note)
    arm(row.choice)
    QTest.keyClick(row.choice, Qt.Key.Key_Down)

    assert wanted == ["files:read", "never"]


def test_the_rule_it_has_is_not_asked_for(qtbot: QtBot, theme: Theme) -> None:
    row = _row(qtbot, Approval("never"))

    arm(row.choice)
    with qtbot.assertNotEmitted(row.rule_requested):
        QTest.keyClick(row.choice, Qt.Key.Key_End)


def test_following_a_change_asks_for_nothing(qtbot: QtBot, theme: Theme) -> None:
    row = _row(qtbot, Approval("ask"))

    with qtbot.assertNotEmitted(row.rule_requested):
        row.show_approval(Approval("never"))

    assert row.choice.currentText() == "Never allow"


def test_a_name_can_neither_break_the_line_nor_turn_what_is_beside_it() -> None:
    assert printable("a:b\n\u202ec") == "a:b⟨U+000A⟩⟨U+202E⟩c"
    assert len(printable("x" * 9000)) == 201


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "approvals.json"


@pytest.fixture
async def approvals(path: Path) -> Approvals:
    made = Approvals(path)
    await made.decide(tool("write"), "never")
    await made.decide(tool("read"), "always")
    await made.decide(tool("list"), "ask")
    return made


@pytest.fixture
def section(qtbot: QtBot, theme: Theme, approvals: Approvals) -> ApprovalsSection:
    return _shown(qtbot, approvals)


def _shown(qtbot: QtBot, approvals: Approvals) -> ApprovalsSection:
    made = ApprovalsSection(approvals)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    return made


def _rules(section: ApprovalsSection) -> dict[str, str]:
    return {row.key: row.choice.currentData() for row in section.rows}


async def _until(section: ApprovalsSection, is_so: Callable[[], object]) -> None:
    news = asyncio.Event()
    section.refreshed.connect(news.set)
    async with asyncio.timeout(LIMIT):
        while not is_so():
            await news.wait()
            news.clear()


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _break(path: Path) -> None:
    """From now on nothing can be kept: the folder of the file is a file."""
    for one in path.parent.iterdir():
        one.unlink()
    path.parent.rmdir()
    path.parent.write_text("in the way", encoding="utf-8")


async def test_all_decisions_are_listed_by_name(section: ApprovalsSection) -> None:
    assert _rules(section) == {"files:list": "ask", "files:read": "always", "files:write": "never"}
    assert [row.name.text() for row in section.rows] == list(_rules(section))


async def test_with_nothing_decided_it_says_what_happens(
    qtbot: QtBot, theme: Theme, path: Path
) -> None:
    section = _shown(qtbot, Approvals(path))

    assert section.note.text() == "No saved approvals yet. The first call of each tool asks."
    assert section.rows == []
    assert not section.forget_all.isVisible()
    assert not section.problem.isVisible()


async def test_a_rule_is_changed_by_keys_and_the_row_keeps_the_keyboard(
    section: ApprovalsSection, approvals: Approvals
) -> None:
    row = section.rows[0]
    _focus_by_tab(row.name, row.choice)
    QTest.keyClick(row.choice, Qt.Key.Key_Down)
    await until(approvals.changed, lambda: approvals.all()["files:list"].rule == "never")

    assert section.rows[0] is row
    assert row.choice.hasFocus()
    assert row.meaning.text() == "Never runs. The model is notified."


async def test_of_two_quick_changes_the_last_one_stays(
    section: ApprovalsSection, approvals: Approvals
) -> None:
    choice = section.rows[1].choice
    arm(choice)
    QTest.keyClick(choice, Qt.Key.Key_Down)
    QTest.keyClick(choice, Qt.Key.Key_Down)
    await until(approvals.changed, lambda: approvals.all()["files:read"].rule == "never")

    assert _rules(section)["files:read"] == "never"


async def test_a_decision_is_forgotten_by_a_click(
    section: ApprovalsSection, approvals: Approvals
) -> None:
    section.rows[1].forget.click()
    await until(approvals.changed, lambda: "files:read" not in approvals.all())

    assert list(_rules(section)) == ["files:list", "files:write"]


async def test_after_forgetting_by_key_the_keyboard_is_in_the_next_row_but_on_no_control(
    section: ApprovalsSection,
) -> None:
    for left in (2, 1, 0):
        row = section.rows[0]
        _focus_by_tab(row.name, row.choice, row.forget)
        QTest.keyClick(row.forget, Qt.Key.Key_Space)
        await _until(section, lambda left=left: len(section.rows) == left)
        assert (section.rows[0].name if section.rows else section).hasFocus()


async def test_tab_goes_down_the_list_also_to_a_row_that_came_later(
    section: ApprovalsSection, approvals: Approvals
) -> None:
    await approvals.decide(tool("merge"), "always")
    places = [place for row in section.rows for place in (row.choice, row.forget)]
    _focus_by_tab(section, section.read_only, section.forget_all)
    for before, place in pairwise([section.forget_all, *places]):
        QTest.keyClick(before, Qt.Key.Key_Tab)
        assert section.focusWidget() is place


async def test_forgetting_all_asks_first(section: ApprovalsSection, approvals: Approvals) -> None:
    await approvals.allow_read_only(True)
    section.ask_to_forget_all().cancel.click()
    assert len(approvals.all()) == 3

    dialog = section.ask_to_forget_all()
    arm(dialog.act)
    QTest.keyClick(dialog.act, Qt.Key.Key_Space)
    await until(approvals.changed, lambda: not approvals.all())

    assert section.rows == []
    assert section.note.text() == (
        "No saved approvals yet. The first call of every other tool asks."
    )
    assert section.read_only.isChecked()


async def test_the_group_switch_is_off_until_it_is_switched(
    section: ApprovalsSection, approvals: Approvals
) -> None:
    assert not section.read_only.isChecked()
    arm(section.read_only)
    QTest.keyClick(section.read_only, Qt.Key.Key_Space)
    await until(approvals.changed, lambda: approvals.allows_read_only)

    assert section.read_only.isChecked()
    assert "the marks are not verified" in section.read_only.accessibleDescription()


async def test_a_decision_in_a_chat_is_shown_at_once(
    section: ApprovalsSection, approvals: Approvals
) -> None:
    await approvals.decide(tool("move"), "always")

    assert "files:move" in _rules(section)


async def test_a_decision_of_another_process_is_shown_when_someone_comes_back(
    section: ApprovalsSection, path: Path
) -> None:
    other = Approvals(path)
    await other.forget("files:read")
    QApplication.sendEvent(section, QEvent(QEvent.Type.ActivationChange))
    assert "files:read" not in _rules(section)

    section.hide()
    await other.forget("files:list")
    section.show()
    assert list(_rules(section)) == ["files:write"]


async def test_a_broken_file_is_told_and_kept_aside_by_the_next_decision(
    section: ApprovalsSection, path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect(r"approvals\.json is damaged")
    _write(path, "{")
    section.refresh()
    assert f"{path} is damaged" in section.problem.text()
    assert "is kept as" in section.problem.text()
    assert not section.note.isVisible()

    section.read_only.click()
    await _until(section, lambda: not section.problem.isVisible())
    (kept,) = path.parent.glob("approvals.json.damaged-*")
    assert kept.read_text(encoding="utf-8") == "{"


async def test_a_change_that_cannot_be_kept_is_told_and_taken_back(
    section: ApprovalsSection, path: Path
) -> None:
    _break(path)
    section.read_only.click()
    await _until(section, section.problem.isVisible)

    assert "approvals.json cannot be written" in section.problem.text()
    assert not section.read_only.isChecked()


async def test_many_decisions_are_shown_in_parts(qtbot: QtBot, theme: Theme, path: Path) -> None:
    entries = ", ".join(f'"s:t{n:03}": {{"rule": "never"}}' for n in range(PAGE + 5))
    _write(path, f'{{"tools": {{{entries}}}}}')
    section = _shown(qtbot, Approvals(path))
    assert len(section.rows) == PAGE
    assert section.more.text() == "Show more (5)"

    QTest.keyClick(section.more, Qt.Key.Key_Space)

    assert len(section.rows) == PAGE + 5
    assert section.focusWidget() is section.rows[PAGE].name
    assert not section.more.isVisible()
