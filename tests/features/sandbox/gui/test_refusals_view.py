"""What a sandbox refused is named in the server's details, and a button opens just that."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop.features.sandbox import bubblewrap
from desktop.features.sandbox.gui.feature import add_refusals
from desktop.features.sandbox.gui.refusals_view import MAX_SHOWN, RefusalsView
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.servers.refusals import REFUSED
from tests.gui.servers.conftest import entry
from tests.gui.waiting import arm, happens

if TYPE_CHECKING:
    from pathlib import Path

    from tests.gui.servers.conftest import OpenPanel, Panel

LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.skipif(
    (program := bubblewrap.find()) is None or bool(bubblewrap.why_not(program)),
    reason="needs bubblewrap, and a system that lets it work",
)


async def shown(panel: Panel) -> RefusalsView:
    """The view of the server, once it shows what was refused."""
    add_refusals(panel.page, panel.core)
    panel.page.details.refresh()
    view = panel.page.details.findChild(RefusalsView)
    assert isinstance(view, RefusalsView)
    await happens(view.shown)
    return view


async def opened(open_panel: OpenPanel, sandbox: object, *args: object) -> Panel:
    panel = open_panel({"b": entry("opens_files", *args, sandbox=sandbox)})
    await panel.until_words("b", "Connected")
    return panel


def words(view: RefusalsView) -> list[str]:
    return [label.accessibleName() for label, _ in view.rows]


def press(view: RefusalsView, row: int) -> QuestionDialog:
    button = view.rows[row][1]
    assert button is not None
    arm(button)
    QTest.mouseClick(button, LEFT)
    return view.findChildren(QuestionDialog)[-1]


def agree(dialog: QuestionDialog) -> None:
    arm(dialog.act)
    QTest.mouseClick(dialog.act, LEFT)


def sandbox_in_file(panel: Panel) -> Any:
    text = panel.core.store.path.read_text("utf-8")
    return json.loads(text)["mcpServers"]["b"]["sandbox"]


async def test_a_folder_that_was_refused_is_opened_after_a_yes_and_the_server_reads_it(
    open_panel: OpenPanel, tmp_path: Path
) -> None:
    file = tmp_path / "notes/a.md"
    file.parent.mkdir()
    file.touch()
    panel = await opened(open_panel, "strict", f"open:{file}")
    view = await shown(panel)
    assert not view.isHidden()
    assert words(view) == [f"reading {file}"]
    dialog = press(view, 0)
    assert str(file.parent) in dialog.question.text()
    assert sandbox_in_file(panel) == "strict"
    first = panel.core.service.connections["b"].pid
    agree(dialog)
    assert sandbox_in_file(panel) == {"preset": "strict", "read": [str(file.parent)]}
    await panel.until(
        lambda: (
            panel.core.service.connections["b"].is_connected
            and panel.core.service.connections["b"].pid != first
        )
    )
    assert "No such file" not in "\n".join(panel.core.service.connections["b"].output.recent())
    if view.rows:
        await happens(view.shown)
    assert view.isHidden()


async def test_a_host_that_was_refused_joins_the_list(open_panel: OpenPanel) -> None:
    said = [f"{REFUSED}api.example.com", f"{REFUSED}nexus.example.com: it is here"]
    sandbox = {"preset": "folders", "network": ["a.example.com"]}
    panel = await opened(open_panel, sandbox, *said)
    view = await shown(panel)
    assert words(view) == ["the host api.example.com", "the host nexus.example.com (it is here)"]
    assert view.rows[1][1] is None
    agree(press(view, 0))
    assert sandbox_in_file(panel)["network"] == ["a.example.com", "api.example.com"]


async def test_no_means_no_and_the_yes_is_not_what_enter_presses(open_panel: OpenPanel) -> None:
    panel = await opened(open_panel, "no-network", "getaddrinfo ENOTFOUND api.example.com")
    view = await shown(panel)
    dialog = press(view, 0)
    await panel.activate()
    assert QApplication.focusWidget() is not dialog.act
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.isHidden()
    assert sandbox_in_file(panel) == "no-network"


async def test_of_many_the_last_few_are_shown_as_plain_text(open_panel: OpenPanel) -> None:
    said = [f"getaddrinfo ENOTFOUND a{n}.example.com" for n in range(9)]
    panel = await opened(open_panel, "no-network", *said)
    view = await shown(panel)
    assert len(view.rows) == MAX_SHOWN
    assert words(view)[-1] == "the host a8.example.com"
    assert "4" in view.more.text()


async def test_a_server_without_a_sandbox_was_refused_nothing(open_panel: OpenPanel) -> None:
    panel = await opened(open_panel, "off", "open:/not/there", "getaddrinfo ENOTFOUND a.b.c")
    add_refusals(panel.page, panel.core)
    panel.page.details.refresh()
    assert panel.page.details.findChild(RefusalsView) is None
