"""What a server offers is taken over into the question that is being written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.features.chat.gui.attached_files import TextFile, resource_texts
from desktop.features.chat.gui.page import ChatPage
from desktop.gui.prompts.page import PromptsPage, PromptView
from desktop.gui.resources.page import ResourcesPage, ResourceView
from desktop.values.resource_types import ReadResult
from desktop.values.tool_types import Content
from tests.gui.offers import offering_core
from tests.gui.waiting import happens

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from desktop.core import Core
    from desktop.gui.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(20)


@pytest.fixture
async def core(tmp_path: Path) -> AsyncIterator[Core]:
    async with offering_core(tmp_path) as made:
        yield made


async def read(window: MainWindow, key: str) -> ResourceView:
    window.show_page("resources")
    page = window.page("resources")
    assert isinstance(page, ResourcesPage)
    while not page.list.shown:
        await happens(page.refreshed)
    page.list.activated.emit(key)
    view = page.view
    assert isinstance(view, ResourceView)
    if view.read_result is None:
        await happens(view.read_ended)
    return view


async def test_a_prompt_goes_into_the_question_unsent(window: MainWindow) -> None:
    window.show_page("prompts")
    page = window.page("prompts")
    assert isinstance(page, PromptsPage)
    while not page.list.shown:
        await happens(page.refreshed)
    page.list.activated.emit("offers:greet")
    view = page.view
    assert isinstance(view, PromptView)
    view.form.fill({"who": "Ada"})
    QTest.mouseClick(view.get_button, LEFT)
    await happens(view.got)
    QTest.mouseClick(view.to_chat, LEFT)
    chat = window.page("chat")
    assert isinstance(chat, ChatPage)
    assert chat.view.composer.text == "User: Hello Ada\n\nAssistant: inside"
    assert chat.view.chat is None or not chat.view.chat.is_begun


async def test_the_text_of_a_resource_goes_along_as_a_file(window: MainWindow) -> None:
    view = await read(window, "offers\ntest://rich")
    QTest.mouseClick(view.to_chat, LEFT)
    chat = window.page("chat")
    assert isinstance(chat, ChatPage)
    assert window.current_page == "chat"
    (chip,) = chat.view.composer.files.chips
    assert (chip.file.name, chip.file.text) == ("test://rich (offers)", "text of test://rich")


async def test_its_picture_goes_along_and_what_is_none_is_said(window: MainWindow) -> None:
    view = await read(window, "offers\ntest://blob")
    found = view.read_result
    assert found is not None
    for data in (PICTURE, b"no picture"):
        view.read_result = replace(found, contents=(replace(found.contents[0], data=data),))
        view.to_chat.click()
        chat = window.page("chat")
        assert isinstance(chat, ChatPage)
        await happens(chat.view.composer.attached)
        assert [image.data for image in chat.view.composer.images] == [PICTURE]
        assert chat.view.composer.text == ""
        said = chat.view.composer.problem.text()
    assert "is not a PNG" in said


def test_bytes_that_are_text_are_files_of_text() -> None:
    found = ReadResult(
        (
            Content("resource", text="a", uri="x:a", mime="text/plain"),
            Content("resource", data=b"{}", uri="x:b", mime="application/json"),
            Content("resource", data=b"\x89", uri="x:c", mime="image/png"),
            Content("resource", data=b"<svg/>", uri="x:d", mime="image/svg+xml"),
        )
    )
    texts = resource_texts("s", "x:a", found)
    names = [text.name for text in texts if isinstance(text, TextFile)]
    assert names == ["x:a (s)", "x:b (s)", "x:d (s)"]
