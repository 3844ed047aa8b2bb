"""What fits a filter."""

from __future__ import annotations

import pytest

from desktop.gui.activity.message_filter import MessageFilter, is_error
from desktop.servers.message_log import MessageLog, RecordedMessage
from tests.gui.activity.conftest import line


@pytest.fixture
def messages() -> list[RecordedMessage]:
    ring = MessageLog()
    tap = ring.tap("one")
    tap.note("sent", line(id=7, method="tools/call", params={"name": "Find", "a": "Zürich"}))
    tap.note("received", line(id=7, result={"isError": True}))
    ring.tap("two").note("received", line(id=None, error={"code": -1}))
    ring.tap("two").note("received", b"Starting")
    return ring.after(0)


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (MessageFilter(), [1, 2, 3, 4]),
        (MessageFilter(text="CALL"), [1, 2]),
        (MessageFilter(text="find"), [1, 2]),
        (MessageFilter(text="7"), [1, 2]),
        (MessageFilter(text="starting"), [4]),
        (MessageFilter(server="two"), [3, 4]),
        (MessageFilter(kind="request"), [1]),
        (MessageFilter(errors_only=True), [2, 3, 4]),
        (MessageFilter(errors_only=True, server="two", kind="error"), [3]),
        (MessageFilter(text="nothing"), []),
    ],
)
def test_all_that_is_set_has_to_fit(
    messages: list[RecordedMessage], wanted: MessageFilter, numbers: list[int]
) -> None:
    assert [one.number for one in messages if wanted.fits(one)] == numbers


def test_a_request_that_speaks_of_errors_is_none(messages: list[RecordedMessage]) -> None:
    assert not is_error(messages[0]._replace(body=b'{"isError":true}'))
