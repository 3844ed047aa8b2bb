"""A tool as its server declares it and as its handler sees a call."""

from __future__ import annotations

from builtin_servers.framework.tool import BuiltinTool, CallContext, ToolReply, line_icon
from tests.builtin_command import ignore


def test_a_cancelled_call_says_so_and_ends_a_wait() -> None:
    call = CallContext({}, ignore)
    assert not call.is_cancelled
    call.cancel()
    assert call.is_cancelled
    assert call.wait_cancelled(60)


def test_progress_goes_to_whoever_reports_it() -> None:
    seen: list[tuple[float, float | None, str]] = []
    call = CallContext({}, lambda progress, total, text: seen.append((progress, total, text)))
    call.report(1, 2, "half")
    call.report(2)
    assert seen == [(1, 2, "half"), (2, None, "")]


def test_a_reply_is_a_text_unless_it_is_something_to_see_or_hear() -> None:
    image = {"type": "image", "data": "", "mimeType": "image/png"}
    assert ToolReply("").to_content() == [{"type": "text", "text": ""}]
    assert ToolReply("", blocks=[image]).to_content() == [image]
    assert ToolReply("a", blocks=[image]).to_content() == [{"type": "text", "text": "a"}, image]


def test_a_tool_sends_only_what_it_has() -> None:
    schema = {"type": "object"}
    bare = BuiltinTool(
        "a", lambda _: ToolReply(""), title="A", description="d", input_schema=schema
    )
    assert bare.to_json() == {"name": "a", "title": "A", "description": "d", "inputSchema": schema}


def test_a_tool_sends_its_meta_icons_and_annotations_under_the_protocols_names() -> None:
    tool = BuiltinTool(
        "a",
        lambda _: ToolReply(""),
        title="A",
        description="d",
        input_schema={"type": "object"},
        output_schema={"type": "object"},
        annotations={"readOnlyHint": True},
        icons=({"src": "data:,"},),
        meta={"version": "1"},
    )
    sent = tool.to_json()
    assert sent["_meta"] == {"version": "1"}
    assert sent["icons"] == [{"src": "data:,"}]
    assert {"outputSchema", "annotations"} <= set(sent)


def test_an_icon_is_small_and_fetches_nothing() -> None:
    (icon,) = line_icon("M1 1h2")
    assert icon["src"].startswith("data:image/svg+xml,")
    assert len(icon["src"]) < 500
