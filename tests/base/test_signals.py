from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.signals import Signal

if TYPE_CHECKING:
    from tests.conftest import ExpectedLogs


def test_receivers_are_called_in_the_order_they_connected() -> None:
    added: Signal[[str]] = Signal()
    heard: list[str] = []
    added.connect(lambda name: heard.append(f"first {name}"))
    added.connect(lambda name: heard.append(f"second {name}"))
    added.send("server")
    assert heard == ["first server", "second server"]


def test_a_failing_receiver_is_logged_and_the_others_still_hear(
    expected_logs: ExpectedLogs,
) -> None:
    expected_logs.expect("receiver .* failed")
    added: Signal[[str]] = Signal()
    heard: list[str] = []

    def fail(name: str) -> None:
        raise ValueError(name)

    added.connect(fail)
    added.connect(heard.append)
    added.send("server")
    assert heard == ["server"]


def test_a_disconnected_receiver_hears_nothing() -> None:
    added: Signal[[str]] = Signal()
    heard: list[str] = []
    disconnect = added.connect(heard.append)
    disconnect()
    added.send("server")
    assert heard == []


def test_ending_one_connection_twice_leaves_the_other_of_the_same_receiver() -> None:
    added: Signal[[str]] = Signal()
    heard: list[str] = []
    disconnect = added.connect(heard.append)
    added.connect(heard.append)
    disconnect()
    disconnect()
    added.send("server")
    assert heard == ["server"]


def test_a_receiver_that_an_earlier_one_disconnects_is_not_called_any_more() -> None:
    closed: Signal[[]] = Signal()
    heard: list[str] = []
    closed.connect(lambda: disconnect())
    disconnect = closed.connect(lambda: heard.append("gone"))
    closed.send()
    assert heard == []


def test_a_receiver_connected_while_sending_hears_from_the_next_on() -> None:
    added: Signal[[]] = Signal()
    heard: list[str] = []
    added.connect(lambda: added.connect(lambda: heard.append("late")))
    added.send()
    assert heard == []


def test_it_knows_whether_anyone_listens() -> None:
    heard: Signal[[]] = Signal()
    assert not heard.is_heard
    end = heard.connect(lambda: None)
    assert heard.is_heard
    end()
    assert not heard.is_heard
