"""Both tabs together over a real core: what is run again is there on top."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.diagnostics.logs import LogBuffer
from desktop.gui.activity.page import ActivityPage
from desktop.gui.activity.run_again import RunAgain
from desktop.tools.call_log import CallLog
from desktop.values.tool_types import ToolCall
from tests.gui.activity.conftest import once
from tests.gui.offers import offering_core
from tests.gui.waiting import turns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from PySide6.QtCore import QSettings
    from pytestqt.qtbot import QtBot

    from desktop.core import Core
    from desktop.gui.activity.history_view import HistoryView
    from desktop.gui.theme import Theme
    from desktop.history.records import Record


TOOL = "calculator:calculate"


@pytest.fixture
async def activity(qtbot: QtBot, theme: Theme, core: Core, settings: QSettings) -> ActivityPage:
    calls = CallLog(core.executor)
    made = ActivityPage(theme, core.traffic, core.history, calls, LogBuffer(), settings)
    RunAgain(made.calls, core)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    return made


async def stored(view: HistoryView, before: Record | None = None) -> Record:
    """Wait until a call is shown as the history has it, another one than `before`."""

    def is_there() -> bool:
        record = view.record
        is_other = before is None or (record and record.summary.id) != before.summary.id
        return record is not None and record.summary.id > 0 and bool(is_other)

    await once(view.shown, is_there)
    assert view.record is not None
    return view.record


async def test_a_call_is_run_again_and_its_new_result_is_shown(
    activity: ActivityPage, core: Core
) -> None:
    await core.executor.run(ToolCall(TOOL, {"operation": "add", "a": 1, "b": 2}))
    view = activity.calls
    first = await stored(view)
    view.again.trigger()
    await stored(view, first)
    assert view.record is not None
    assert view.record.result.output == "3"
    assert view.list.model.total == 2


async def test_the_calls_of_one_tool_can_be_asked_for(activity: ActivityPage, core: Core) -> None:
    await core.executor.run(ToolCall(TOOL, {"operation": "add", "a": 1, "b": 2}))
    await core.executor.run(ToolCall("calculator:evaluate", {"expression": "1"}))
    activity.show_tool(TOOL)
    shown = activity.calls.list
    await once(shown.loaded, lambda: [call.key for call in shown.model.calls] == [TOOL])


@pytest.fixture
async def offering(tmp_path: Path) -> AsyncIterator[Core]:
    async with offering_core(tmp_path) as made:
        yield made


@pytest.fixture
def reading(
    qtbot: QtBot, theme: Theme, offering: Core, settings: QSettings
) -> tuple[ActivityPage, RunAgain]:
    calls = CallLog(offering.executor)
    made = ActivityPage(theme, offering.traffic, offering.history, calls, LogBuffer(), settings)
    again = RunAgain(made.calls, offering)
    qtbot.addWidget(made)
    made.show()
    return made, again


async def test_what_was_read_is_read_again(
    reading: tuple[ActivityPage, RunAgain], offering: Core
) -> None:
    view = reading[1].history
    await offering.service.connection("offers").resources.read("test://item/1?lang=de")
    first = await stored(view)
    view.again.trigger()
    await stored(view, first)
    assert view.record is not None
    assert view.record.result.content[0].text == "text of test://item/1?lang=de"
    assert view.list.model.total == 2


async def test_a_prompt_is_filled_in_again_with_the_same_arguments(
    reading: tuple[ActivityPage, RunAgain], offering: Core
) -> None:
    view = reading[1].history
    await offering.service.connection("offers").prompts.get("greet", {"who": "Ada"})
    first = await stored(view)
    view.again.trigger()
    await stored(view, first)
    assert view.record is not None
    assert view.record.result.content[0].text == "Hello Ada"


async def test_of_a_server_that_is_gone_that_is_said(
    reading: tuple[ActivityPage, RunAgain], offering: Core
) -> None:
    view = reading[1].history
    await offering.service.connection("offers").resources.read("test://item/1?lang=de")
    await stored(view)
    await offering.service.remove_server("offers")
    view.again.trigger()
    while not view.banners.messages:
        await turns()
    assert view.banners.messages == ("The server offers no longer exists.",)
