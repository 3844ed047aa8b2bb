"""Whatever JSON a stranger sends: a reader takes it or says that it is an error, and goes on."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.features.chat.llm.services.anthropic import AnthropicReader
from desktop.features.chat.llm.services.errors import ProviderError
from desktop.features.chat.llm.services.gemini import GeminiReader
from desktop.features.chat.llm.services.openai_chat import ChatReader
from desktop.features.chat.llm.services.openai_responses import ResponsesReader
from desktop.features.chat.llm.services.response import ResponseBuilder
from tests.features.models.loopback import (
    anthropic_messages,
    gemini_content,
    openai_chat,
    openai_responses,
)
from tests.features.models.loopback.exchange import Request
from tests.features.models.loopback.script import turn

if TYPE_CHECKING:
    from desktop.features.chat.llm.services.service import ResponseReader

READERS: list[tuple[Any, Any]] = [
    (partial(ChatReader, label="x"), openai_chat.WIRE),
    (partial(ResponsesReader, label="x"), openai_responses.WIRE),
    (AnthropicReader, anthropic_messages.WIRE),
    (partial(GeminiReader, label="x"), gemini_content.WIRE),
]
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.text(max_size=3),
    st.just([]),
    st.just({}),
    st.just([{"x": []}]),
)


def real_events(wire: Any) -> list[Any]:
    """One turn as that provider would send it."""
    said = turn("Hello there.", [("a", {"x": 1}), ("b", {})], thinking="Hm.")
    pieces = b"".join(wire.stream(said, Request("", {}, b'{"model": "m"}'))).decode()
    lines = [line[6:] for line in pieces.splitlines() if line.startswith("data: {")]
    return [json.loads(line) for line in lines]


def keys_of(place: Any) -> list[Any]:
    if isinstance(place, dict):
        return list(cast("dict[str, Any]", place))
    return list(range(len(cast("list[Any]", place)))) if isinstance(place, list) else []


@st.composite
def damaged(draw: st.DrawFn, wire: Any) -> list[Any]:
    """Real events in which some value, anywhere, is something else."""
    events = real_events(wire)
    for _ in range(draw(st.integers(1, 4))):
        place: Any = events
        while keys := keys_of(place):
            key = draw(st.sampled_from(keys))
            if draw(st.integers(0, 3)) == 0 and place is not events:
                place[key] = deepcopy(draw(ODD))
                break
            place = place[key]
    return events


@pytest.mark.parametrize(("make", "wire"), READERS)
@given(data=st.data())
def test_damaged_events_never_break_a_reader(make: Any, wire: Any, data: st.DataObject) -> None:
    reader: ResponseReader = make(ResponseBuilder())
    reader.begin_response()
    for event in data.draw(damaged(wire)):
        try:
            list(reader.read(event))
        except ProviderError:
            continue
    json.dumps(list(reader.replay_items()))
    message = reader.builder.build_message(None)
    assert all(isinstance(call.call_id, str) and call.call_id for call in message.requests)
    assert reader.continue_body({"messages": []}) is None
