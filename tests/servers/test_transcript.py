"""What is shown and exported of a message is readable, and without a secret of its server."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

import pytest

from desktop.redaction.redactor import REDACTED
from desktop.servers.traffic import BODY, MessageLog, RecordedMessage
from desktop.servers.transcript import document, json_lines, pretty
from tests.live_servers import connected, stdio, surroundings
from tests.web_servers import WebServer

if TYPE_CHECKING:
    from collections.abc import Iterable

TOKEN = "s3cr3t-t0ken/42"


def noted(body: bytes, *secrets: str) -> RecordedMessage:
    ring = MessageLog()
    ring.tap("server", secrets).note("received", body)
    return ring.after(0)[0]


def shown(messages: Iterable[RecordedMessage]) -> str:
    """All that can come to a person's eye or into a file."""
    kept = list(messages)
    return "".join(json_lines(kept)) + "".join(map(pretty, kept)) + repr(kept)


def test_a_message_is_indented_for_the_eye_and_a_line_in_a_file() -> None:
    message = noted('{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"ä"}}'.encode())
    assert '    "a": "ä"' in pretty(message)
    (line,) = json_lines([message])
    assert line.endswith("}\n")
    told = json.loads(line)
    assert told["message"]["params"] == {"a": "ä"}
    assert {name: told[name] for name in ("number", "server", "direction", "kind", "method")} == {
        "number": 1,
        "server": "server",
        "direction": "received",
        "kind": "request",
        "method": "m",
    }
    assert told["at"].endswith("+00:00")


@pytest.mark.parametrize("body", [b"Starting ...", b"\xff{", b"7", b'"text"', b"[" * 9000])
def test_what_is_no_message_is_shown_as_text(body: bytes) -> None:
    message = noted(body)
    assert "text" in document(message)
    assert pretty(message) == body.decode("utf-8", "replace")


def test_a_long_message_is_cut_and_says_so() -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": "x" * BODY}).encode()
    text = pretty(noted(body))
    assert len(text) < BODY + 100
    assert text.endswith(f"[{len(body) - BODY} more bytes were not kept]")


def test_a_message_nested_beyond_reason_is_shown_all_the_same() -> None:
    body = b'{"jsonrpc": "2.0", "method": "m", "params": ' + b"[" * 900 + b"]" * 900 + b"}"
    assert "[[[[" in pretty(noted(body)).replace("\n", "").replace(" ", "")


@pytest.mark.parametrize("gap", range(0, 20, 3))
def test_a_secret_where_a_long_message_is_cut_is_not_shown_in_part(gap: int) -> None:
    head = b'{"jsonrpc": "2.0", "id": 1, "result": "'
    body = head + b"x" * (BODY - len(head) - gap) + TOKEN.encode() + b'x"}' * 100
    assert TOKEN[:5] not in shown([noted(body, TOKEN)])


async def test_a_token_that_a_program_repeats_is_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    around = surroundings()
    config = stdio("plain", env={"API_TOKEN": TOKEN})
    async with connected(config, around) as connection:
        said = await connection.call_tool("env", {"names": ["API_TOKEN"]})
        assert TOKEN in said.output
        await connection.call_tool("echo", {"message": f"it is {TOKEN}"})
        await connection.call_tool("fail", {"message": TOKEN})
        await connection.call_tool("echo", {"message": TOKEN * 10_000})
    messages = around.traffic.after(0)
    assert REDACTED in shown(messages)
    assert TOKEN not in shown(messages)
    assert TOKEN not in around.traffic.redaction("plain").text(said.output)
    ours = [one.getMessage() for one in caplog.records if one.name.startswith("desktop")]
    assert not [text for text in ours if TOKEN in text]


@pytest.mark.parametrize("transport", ["http", "sse"])
async def test_a_header_that_a_web_server_repeats_is_nowhere(transport: str) -> None:
    around = surroundings()
    with WebServer(transport) as web:
        config = web.config(headers={"Authorization": f"Bearer {TOKEN}"})
        async with connected(config, around) as connection:
            said = await connection.call_tool("header", {"name": "authorization"})
            assert TOKEN in said.output
    messages = around.traffic.after(0)
    assert REDACTED in shown(messages)
    assert TOKEN not in shown(messages)
