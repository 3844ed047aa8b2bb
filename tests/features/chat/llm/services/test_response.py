"""A turn while it arrives."""

from __future__ import annotations

from desktop.features.chat.llm.completion import RequestDelta, TextDelta
from desktop.features.chat.llm.services.limits import RequestLimits
from desktop.features.chat.llm.services.response import CUT, ResponseBuilder
from desktop.features.models.messages import Replay

REPLAY = Replay("x", ({},))


def test_pieces_become_a_message() -> None:
    builder = ResponseBuilder()
    said = [
        *builder.add_text("Hel"),
        *builder.add_text("lo"),
        *builder.add_text(""),
        *builder.add_call("1", "a", '{"x"'),
    ]
    said += builder.add_arguments(0, ": 1}")
    builder.stop = "end"
    message = builder.build_message(REPLAY)
    assert (message.text, message.replay) == ("Hello", REPLAY)
    assert message.stop == "tools"  # whatever the server calls it: there is a call
    assert message.requests[0].arguments == '{"x": 1}'
    assert said == [
        TextDelta("Hel"),
        TextDelta("lo"),
        RequestDelta(0, "a"),
        RequestDelta(0, arguments='{"x"'),
        RequestDelta(0, arguments=": 1}"),
    ]


def test_an_id_is_never_empty_and_never_there_twice() -> None:
    builder = ResponseBuilder()
    for call_id in ("", "", "same", "same"):
        list(builder.add_call(call_id, "a"))
    ids = [call.call_id for call in builder.build_message(None).requests]
    assert len(set(ids)) == 4
    assert "" not in ids
    assert ids[2] == "same"


def test_arguments_may_be_an_object_also_an_empty_one() -> None:
    builder = ResponseBuilder()
    list(builder.add_call("1", "a", {"x": 1}))
    list(builder.add_call("2", "b", {}))
    builder.stop = "length"
    assert [call.arguments for call in builder.build_message(None).requests] == [{"x": 1}, {}]


def test_a_call_that_was_cut_at_its_name_is_no_call_without_arguments() -> None:
    builder = ResponseBuilder()
    list(builder.add_call("1", "a"))
    list(builder.add_call("2", "b"))
    builder.stop = "length"
    assert [call.arguments for call in builder.build_message(None).requests] == ["", "{"]


def test_too_much_is_left_out_with_words() -> None:
    builder = ResponseBuilder(RequestLimits(characters=5))
    list(builder.add_thinking("abc"))
    list(builder.add_text("defg"))
    assert builder.is_cut
    list(builder.cut())
    message = builder.build_message(REPLAY)
    assert (message.thinking, message.text) == ("abc", f"de\n\n[{CUT}]")
    assert (message.stop, message.replay) == ("length", None)


def test_an_object_that_is_too_large_is_unreadable() -> None:
    builder = ResponseBuilder(RequestLimits(characters=5))
    list(builder.add_call("1", "a", {"long": "argument"}))
    list(builder.cut())
    assert builder.build_message(None).requests[0].arguments == "{"


def test_a_refused_turn_asks_for_nothing_and_is_not_sent_again() -> None:
    builder = ResponseBuilder()
    list(builder.add_call("1", "a", "{}"))
    builder.stop = "refused"
    message = builder.build_message(REPLAY)
    assert (message.requests, message.replay, message.stop) == ((), None, "refused")
