"""A session as a document: everything that was said, and nothing that acts when it is shown."""

from __future__ import annotations

import json

from desktop.agent.export import to_json, to_markdown
from desktop.agent.library import LoadedSession
from desktop.agent.message_json import decode
from desktop.llm.messages import (
    AssistantMessage,
    Image,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    UserMessage,
)
from desktop.tool_types import Content, ErrorCode, ToolResult, failed
from tests.agent.test_about import ABOUT

PICTURE = Content("image", data=b"1234", mime="image/png")
EXPORTED_TALK = LoadedSession(
    ABOUT,
    (
        UserMessage("Look ![x](http://evil.example/p.png) <img>", (Image(b"12", "image/png"),)),
        AssistantMessage("I look.", (ToolRequest("1", "a__b", {"x": 1}),), model="m"),
        ToolMessage(
            (
                ToolAnswer("1", "a__b", ToolResult(True, "```\n# not a heading", None, (PICTURE,))),
                ToolAnswer("2", "a__`c", failed("E", "it failed", ErrorCode.TOOL_ERROR)),
                ToolAnswer("3", "a__d", ToolResult(True, structured={"k": "v"})),
            )
        ),
        AssistantMessage("Done."),
    ),
)


def test_all_of_it_is_there_to_read() -> None:
    text = to_markdown(EXPORTED_TALK)
    assert text.startswith("# A title\n\n- Date: 2026-11-20 12:00 UTC\n- Provider: openai\n")
    assert "## System prompt\n\nBe brief." in text
    assert '### Call of `a__b`\n\n```json\n{\n  "x": 1\n}\n```' in text
    assert "[Image: image/png, 2 bytes]" in text
    assert "[Image: image/png, 4 bytes]" in text
    assert "### Error of `a__'c`\n\n```\nit failed\n```" in text
    assert '"k": "v"' in text
    assert text.endswith("## Model\n\nDone.\n")


def test_what_a_tool_said_cannot_leave_its_fence() -> None:
    assert "````\n```\n# not a heading\n````" in to_markdown(EXPORTED_TALK)


def test_no_picture_is_fetched_by_who_shows_it() -> None:
    text = to_markdown(EXPORTED_TALK)
    assert "![" not in text
    assert "<img" not in text


def test_the_document_for_programs_has_the_messages_of_the_file() -> None:
    document = json.loads(json.dumps(to_json(EXPORTED_TALK)))
    assert document["session"]["title"] == "A title"
    assert tuple(decode(one) for one in document["messages"]) == EXPORTED_TALK.messages
