"""The feed looks only while it is wanted, and at everything once. More: test_messages_view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject

from desktop.gui.activity.message_feed import MessageFeed
from desktop.gui.activity.message_filter import MessageFilter
from desktop.gui.activity.messages_model import MessagesModel
from tests.gui.activity.conftest import holds, line

if TYPE_CHECKING:
    from desktop.gui.theme import Theme
    from desktop.servers.message_log import MessageLog, MessageRecorder

pytest_plugins = ("tests.gui.theme_fixture",)


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
    await holds(feed.caught_up, lambda: feed.waiting == 0)
    assert (len(feed_model.rows), feed.servers) == (1, {"server"})
    feed.want(wanted=False)
    tap.note("sent", line(method="b"))
    assert feed.waiting == 1


async def test_a_pause_that_outlasts_the_ring_ends_with_what_is_kept(
    feed_model: MessagesModel, traffic: MessageLog, tap: MessageRecorder, feed: MessageFeed
) -> None:
    feed.want(wanted=True)
    tap.note("sent", line(method="a"))
    await holds(feed.caught_up, lambda: feed_model.rows)
    feed.pause(paused=True)
    tap.note("sent", line(method="b"))
    traffic.clear()
    tap.note("sent", line(method="c"))
    assert feed.waiting == 1
    feed.set_filter(MessageFilter(text="a"))
    assert feed_model.rows == []
    feed.set_filter(MessageFilter())
    feed.pause(paused=False)
    await holds(feed.caught_up, lambda: [one.method for one in feed_model.rows] == ["c"])
