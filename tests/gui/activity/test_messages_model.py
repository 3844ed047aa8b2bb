"""Messages as rows: words, colours, and rows that come and go at the ends.

What fits a filter.

The feed looks only while it is wanted, and at everything once. More: test_messages_view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, Qt

from desktop.gui.activity.messages_model import (
    KIND,
    METHOD,
    MessageFeed,
    MessageFilter,
    MessagesModel,
    is_error,
)
from desktop.servers.message_log import MessageLog, RecordedMessage
from tests.gui.activity.conftest import TOKEN, line, once

if TYPE_CHECKING:
    from desktop.gui.theme import Theme
    from desktop.servers.message_log import MessageRecorder


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
    assert [message.number for message in messages if wanted.fits(message)] == numbers


def test_a_request_that_speaks_of_errors_is_none(messages: list[RecordedMessage]) -> None:
    assert not is_error(messages[0]._replace(body=b'{"isError":true}'))


@pytest.fixture
def feed_model(theme: Theme) -> MessagesModel:
    return MessagesModel(theme)


@pytest.fixture
def feed(traffic: MessageLog, feed_model: MessagesModel) -> MessageFeed:
    return MessageFeed(traffic, feed_model, feed_model)


async def test_it_waits_until_it_is_wanted(
    feed: MessageFeed, feed_model: MessagesModel, tap: MessageRecorder
) -> None:
    assert isinstance(feed.parent(), QObject)
    tap.note("sent", line(method="a"))
    assert (feed.waiting, feed.total, feed_model.rows) == (1, 1, [])
    feed.want(wanted=True)
    await once(feed.caught_up, lambda: feed.waiting == 0)
    assert (len(feed_model.rows), feed.servers) == (1, {"server"})
    feed.want(wanted=False)
    tap.note("sent", line(method="b"))
    assert feed.waiting == 1


async def test_a_pause_that_outlasts_the_ring_ends_with_what_is_kept(
    feed_model: MessagesModel, traffic: MessageLog, tap: MessageRecorder, feed: MessageFeed
) -> None:
    feed.want(wanted=True)
    tap.note("sent", line(method="a"))
    await once(feed.caught_up, lambda: feed_model.rows)
    feed.pause(paused=True)
    tap.note("sent", line(method="b"))
    traffic.clear()
    tap.note("sent", line(method="c"))
    assert feed.waiting == 1
    feed.set_filter(MessageFilter(text="a"))
    assert feed_model.rows == []
    feed.set_filter(MessageFilter())
    feed.pause(paused=False)
    await once(feed.caught_up, lambda: [row.method for row in feed_model.rows] == ["c"])


@pytest.fixture
def model(theme: Theme, traffic: MessageLog, tap: MessageRecorder) -> MessagesModel:
    tap.note("sent", line(id=1, method="tools/call", params={"name": TOKEN}))
    tap.note("received", line(id=1, error={}))
    tap.note("received", line(method="a\nb" + "c" * 1000))
    made = MessagesModel(theme)
    made.append(traffic.after(0))
    return made


def cells(model: MessagesModel, row: int) -> list[str]:
    return [str(model.index(row, column).data()) for column in range(1, 8)]


def test_a_row_says_all_but_the_body_and_no_secret(model: MessagesModel) -> None:
    assert cells(model, 0)[:5] == ["→ Sent", "server", "tools/call ‹redacted›", "Request", "1"]
    assert cells(model, 1)[:5] == ["← Received", "server", "tools/call ‹redacted›", "Error", "1"]
    assert cells(model, 1)[5].endswith(" ms")
    assert cells(model, 2)[2].startswith("a bccc")
    assert len(cells(model, 2)[2]) == 200


def test_what_went_wrong_is_coloured(model: MessagesModel, theme: Theme) -> None:
    role = Qt.ItemDataRole.ForegroundRole
    assert model.index(1, KIND).data(role) == theme.color("danger")
    assert model.index(0, METHOD).data(role) == theme.color("text")


def test_rows_are_found_by_number_and_the_oldest_dropped(model: MessagesModel) -> None:
    assert (model.row_of(2), model.row_of(9)) == (1, None)
    model.drop_before(3)
    assert ([row.number for row in model.rows], model.row_of(2), model.row_of(3)) == ([3], None, 0)
    model.clear()
    assert model.rowCount() == 0
