"""Whatever is raised becomes one sentence that names the server and says what to do."""

from __future__ import annotations

import httpx2
import pytest
from mcp import MCPError
from pydantic import TypeAdapter, ValidationError

from desktop.errors import ConfigError, ServerError
from desktop.servers import error_messages
from desktop.servers.stderr_log import StderrLog


class FakeLink:
    """A link in the state that a test gives it."""

    exit_code = None
    transport = None
    is_closed_on_purpose = False

    def __init__(self, *, pid: int | None = None, lost: str = "", url: str = "") -> None:
        self.pid = pid
        self.lost = lost
        self.url = url
        self.is_sse = False
        self.is_closed = bool(lost)


def said(*lines: str) -> StderrLog:
    output = StderrLog()
    output.add(*lines)
    return output


def grouped(error: Exception) -> BaseException:
    return ExceptionGroup("outer", [ExceptionGroup("inner", [error])])


def connect(error: Exception, link: FakeLink | None = None, *lines: str) -> str:
    known: error_messages.ServerTransport | None = link  # type: ignore[assignment]
    return str(error_messages.connect_failure("web", grouped(error), known, said(*lines)))


CLOSED = MCPError(-32000, "Connection closed")


def test_nested_groups_are_flattened_in_order() -> None:
    first, second = ValueError("1"), KeyError("2")
    group = ExceptionGroup("a", [ExceptionGroup("b", [first]), second])
    assert error_messages.leaves(group) == [first, second]


def test_an_exit_says_more_than_a_closed_connection() -> None:
    text = connect(CLOSED, FakeLink(pid=1, lost="exited with code 3"), "no key", "")
    assert text.startswith("web exited with code 3. Last output:\nno key\n")


def test_an_error_of_our_own_is_kept_and_named() -> None:
    text = connect(ConfigError("KEY is not set", remedy="Set KEY."))
    assert text == "web: KEY is not set\nSet KEY."
    assert connect(ServerError("web", "not found")) == "not found"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (httpx2.ConnectError(""), "nothing answers at its address (connection refused)"),
        (httpx2.ReadError(""), "the connection to its address broke (ReadError)"),
        (OSError(13, "Permission denied"), "it cannot be started: Permission denied"),
        (MCPError(-32001, "Request 'tools/call' timed out"), "no answer in time"),
        (MCPError(-32001, "Unauthorized: bad key"), "Unauthorized: bad key (code -32001)"),
        (MCPError(-32603, "y" * 9000), "y (code -32603)"),
        (RuntimeError(), "RuntimeError"),
    ],
)
def test_each_cause_has_its_words(error: Exception, words: str) -> None:
    text = connect(error)
    assert text.startswith("web: ")
    assert words in text
    assert len(text) < 1000


def test_an_answer_that_breaks_the_protocol_says_where() -> None:
    try:
        TypeAdapter(dict[str, int]).validate_python({"a": "secret"})
    except ValidationError as error:
        kind, words = error_messages.call_failure(error)
        assert kind == "ValidationError"
        assert words.startswith("the answer violates the protocol: a: ")
        assert "secret" not in words.removeprefix("the answer violates the protocol: a: ")


@pytest.mark.parametrize(
    ("error", "gone"),
    [
        (CLOSED, True),
        (grouped(httpx2.ReadError("")), True),
        (MCPError(-32000, "rate limit of the server"), False),
        (MCPError(-32000, "SSE stream failed: event too large"), False),
        (ValueError(), False),
    ],
)
def test_only_the_words_of_the_sdk_mean_a_lost_connection(error: Exception, gone: bool) -> None:
    assert error_messages.is_lost(error) is gone


def test_a_timeout_shows_what_the_server_wrote_last() -> None:
    text = str(error_messages.connect_timeout("web", 1.5, said("loading the model", *"abcdef")))
    assert "web did not answer within 1.5 s. Last output:\nb\nc\nd\ne\nf" in text
    assert "connectTimeout" in text


def test_a_lost_remote_server_is_not_looked_for_in_a_log() -> None:
    assert "URL" in str(error_messages.lost("web", "closed", said(), remote=True))
    assert "its output on the Servers page" in str(error_messages.lost("web", "closed", said()))
