from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPixmap

from desktop.gui.activity.history_model import OUTCOME
from desktop.gui.activity.thumbnails import SIZE
from desktop.values.tool_types import Content
from tests.gui.activity.conftest import once
from tests.gui.results.images import png
from tests.gui.waiting import noted, turns
from tests.history.calls import ended, keep

if TYPE_CHECKING:
    from desktop.history.store import HistoryStore
    from tests.gui.activity.conftest import OpenHistory


def picture(data: bytes) -> tuple[Content, ...]:
    return (Content("text", "see:"), Content("image", data=data, mime="image/png"))


def shown(opened: OpenHistory, row: int) -> QPixmap | None:
    model = opened.view.list.model
    found = model.data(model.index(row, OUTCOME), Qt.ItemDataRole.DecorationRole)
    assert found is None or isinstance(found, QPixmap)
    return found


async def test_the_picture_of_a_result_is_small_in_its_row(opened: OpenHistory) -> None:
    await opened.add(ended("a:one", content=picture(png(300, 300))), ended("a:two"))
    await once(opened.view.list.thumbnails.ready, lambda: shown(opened, 1) is not None)
    found = shown(opened, 1)
    assert found is not None
    assert 0 < found.deviceIndependentSize().height() <= SIZE.height()
    assert found.toImage().pixelColor(2, 2) == Qt.GlobalColor.red
    assert shown(opened, 0) is None


async def test_what_is_no_picture_is_asked_for_once(opened: OpenHistory) -> None:
    made = noted(opened.view.list.thumbnails.ready)
    broken = picture(b"\x89PNG broken")
    await opened.add(ended("a:bad", content=broken), ended("a:good", content=picture(png(9, 9))))
    await once(opened.view.list.thumbnails.ready, lambda: shown(opened, 0) is not None)
    await turns(20)
    assert shown(opened, 1) is None
    assert len(made) == 1


async def test_the_store_says_which_calls_have_something_to_see(store: HistoryStore) -> None:
    await keep(store, ended("a:one"), ended("a:two", content=picture(b"data")))
    two, one = (await store.page()).calls
    assert (one.has_media, two.has_media) == (False, True)
    assert await store.media(two.id) == [b"data"]
    assert await store.media(one.id) == []
    record = await store.get(two.id)
    assert record is not None
    assert record.summary.has_media
