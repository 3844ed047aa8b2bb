from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui.servers.first_call import ARGUMENTS, SERVER, TOOL, FirstCall
from tests.gui.waiting import noted

if TYPE_CHECKING:
    from tests.gui.servers.conftest import OpenPanel


async def test_the_calculator_is_ready_once_its_tools_are_there(open_panel: OpenPanel) -> None:
    panel = open_panel()
    first = FirstCall(panel.page, panel.core.service)
    ready = noted(first.ready)
    panel.core.store.set_enabled(SERVER, True)
    first.start()
    assert ready == []
    await panel.until_words(SERVER, "Connected")
    assert ready == [(TOOL, ARGUMENTS)]
    assert panel.core.registry.get(TOOL) is not None
    first.start()
    assert len(ready) == 2


async def test_who_leaves_the_page_meanwhile_is_not_taken_away(open_panel: OpenPanel) -> None:
    panel = open_panel()
    first = FirstCall(panel.page, panel.core.service)
    ready = noted(first.ready)
    panel.core.store.set_enabled(SERVER, True)
    first.start()
    panel.page.hide()
    await panel.until_words(SERVER, "Connected")
    assert ready == []
