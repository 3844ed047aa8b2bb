"""What a person said, for any provider."""

from __future__ import annotations

from desktop.llm.messages import Image, UserMessage
from desktop.llm.services.said import NOTHING, said
from tests.llm.answer_cases import PNG


def test_pictures_come_before_the_text() -> None:
    found = said(UserMessage("bad \ud800 text", (Image(PNG, "image/jpeg"),)))
    assert [piece.mime for piece in found] == ["image/png", ""]
    assert found[1].text == "bad ? text"


def test_it_is_never_empty() -> None:
    assert [piece.text for piece in said(UserMessage("  "))] == [NOTHING]
    assert len(said(UserMessage("", (Image(PNG, "image/png"),)))) == 1
