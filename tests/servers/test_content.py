"""The SDK's results become ours without loss."""

from __future__ import annotations

import base64
import threading
from typing import TYPE_CHECKING

import mcp_types as types
import pytest

from desktop.servers.content import beside_loop, flatten_content, from_sdk
from desktop.values.tool_types import Content, ErrorCode

if TYPE_CHECKING:
    from collections.abc import Callable

BLOB = base64.b64encode(b"\x00\x01").decode()


@pytest.mark.parametrize(
    ("block", "text"),
    [
        (Content("text", text="a\nb"), "a\nb"),
        (Content("image", data=b"x", mime="image/png"), "[Image: image/png]"),
        (Content("audio", data=b"x", mime="audio/wav"), "[Audio: audio/wav]"),
        (Content("resource", uri="a://b"), "[Resource: a://b]"),
        (Content("resource", uri="a://b", text="inside"), "[Resource: a://b]\ninside"),
        (Content("link", uri="a://b", name="B"), "[Resource: a://b]"),
    ],
)
def test_each_kind_has_its_text(block: Content, text: str) -> None:
    assert flatten_content([block]) == text
    assert flatten_content([block, Content("text", text="end")]) == f"{text}\nend"


def test_an_empty_result_is_an_empty_success() -> None:
    result = from_sdk(types.CallToolResult(content=[]))
    assert (result.success, result.output, result.content) == (True, "", ())


def test_an_error_has_the_words_of_the_tool_or_says_that_there_are_none() -> None:
    block = types.TextContent(type="text", text="no such file")
    said = from_sdk(types.CallToolResult(content=[block], is_error=True))
    mute = from_sdk(types.CallToolResult(content=[], is_error=True))
    assert said.error is not None
    assert (said.error.code, said.error.message) == (ErrorCode.TOOL_ERROR, "no such file")
    assert said.output == "no such file"
    assert mute.error is not None
    assert mute.error.message == "The tool reported an error without a text."


BYTES = bytes(range(256)) * 5


@pytest.mark.parametrize(
    "data",
    [
        base64.b64encode(BYTES).decode(),
        base64.urlsafe_b64encode(BYTES).decode(),
        base64.urlsafe_b64encode(BYTES).decode().rstrip("="),
        base64.encodebytes(BYTES).decode(),
        "data:image/png;base64," + base64.b64encode(BYTES).decode(),
        "data:image/png;charset=utf-8;base64," + base64.urlsafe_b64encode(BYTES).decode(),
    ],
    ids=["plain", "for URLs", "without padding", "in lines", "data URL", "both"],
)
def test_bytes_are_read_however_base64_is_written(data: str) -> None:
    image = types.ImageContent(type="image", data=data, mime_type="image/png")
    blob = types.BlobResourceContents(uri="a://b", blob=data)
    inside = types.EmbeddedResource(type="resource", resource=blob)
    result = from_sdk(types.CallToolResult(content=[image, inside]))
    assert [block.data for block in result.content] == [BYTES, BYTES]
    assert [block.kind for block in result.content] == ["image", "resource"]


@pytest.mark.parametrize("data", ["%%%é", "a", "QUJD=QUJD", "<svg/>", "file not found"])
def test_what_is_no_base64_is_shown_as_text_and_has_no_bytes(data: str) -> None:
    audio = types.AudioContent(type="audio", data=data, mime_type="audio/wav")
    result = from_sdk(types.CallToolResult(content=[audio]))
    assert result.output == f"[Audio: audio/wav, whose data is not base64: {data}]"
    assert result.content[0].data == b""


def test_an_address_in_the_place_of_bytes_is_a_link() -> None:
    image = types.ImageContent(type="image", data="https://a.example/x.png", mime_type="image/png")
    (block,) = from_sdk(types.CallToolResult(content=[image])).content
    assert (block.kind, block.uri, block.data) == ("link", "https://a.example/x.png", b"")


@pytest.mark.parametrize("encode", [base64.b64encode, base64.encodebytes])
def test_long_media_are_decoded_whole_with_line_ends_or_without(
    encode: Callable[[bytes], bytes],
) -> None:
    data = bytes(range(251)) * 10_000
    image = types.ImageContent(type="image", data=encode(data).decode(), mime_type="image/png")
    assert from_sdk(types.CallToolResult(content=[image])).content[0].data == data


@pytest.mark.parametrize(("size", "is_here"), [(10, True), (2_000_000, False)])
async def test_much_is_decoded_beside_the_loop(size: int, is_here: bool) -> None:
    blob = types.BlobResourceContents(uri="a://b", blob="A" * size)
    block = types.EmbeddedResource(type="resource", resource=blob)
    thread = await beside_loop(threading.current_thread, [block])
    assert (thread is threading.current_thread()) is is_here


def test_resources_and_links_keep_what_they_say() -> None:
    blob = types.BlobResourceContents(uri="a://blob", blob=BLOB)
    text = types.TextResourceContents(uri="a://text", text="t", mime_type="text/plain")
    link = types.ResourceLink(
        type="resource_link", uri="a://link", name="n", title="T", description="d"
    )
    blocks: list[types.ContentBlock] = [
        types.EmbeddedResource(type="resource", resource=blob),
        types.EmbeddedResource(type="resource", resource=text),
        link,
    ]
    result = from_sdk(types.CallToolResult(content=blocks))
    assert result.content == (
        Content("resource", data=b"\x00\x01", uri="a://blob"),
        Content("resource", text="t", uri="a://text", mime="text/plain"),
        Content("link", text="d", uri="a://link", name="T"),
    )


def test_structured_content_and_meta_are_kept() -> None:
    sdk = types.CallToolResult(content=[], structured_content={"a": 1}, _meta={"b/c": 2})
    result = from_sdk(sdk)
    assert result.structured == {"a": 1}
    assert result.meta == {"b/c": 2}
