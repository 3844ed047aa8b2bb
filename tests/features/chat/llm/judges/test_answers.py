"""What the stubs of the tests answer is what the official clients read as ours does.

A stub that says what no provider would is found so, and a reader of ours that hears otherwise.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest

from desktop.features.models.formats import ApiFormat
from desktop.features.models.formats.arguments import parse_arguments
from tests.features.chat.llm.judges.judge import Heard, Refused, judge_of
from tests.features.chat.llm.judges.official import MODELS, official
from tests.features.chat.llm.services.asking import failure, load, request, turn_of
from tests.features.models.loopback import anthropic_messages, gemini_content, openai_chat
from tests.features.models.loopback.script import Script, cut, failing, turn

if TYPE_CHECKING:
    from tests.features.models.loopback.exchange import Stop, Turn
    from tests.features.models.loopback.server import Loopback

CALLS: list[tuple[str, Any]] = [
    ("calculator__add", {"a": 1, "b": [2, {"c": "é 汉"}]}),
    ("calculator__add", {}),
]
STOPS: Final = {
    ApiFormat.OPENAI: openai_chat.STOPS,
    ApiFormat.OPENAI_RESPONSES: {
        **dict.fromkeys(("end", "tools", "refused"), "completed"),
        "length": "max_output_tokens",
        "filtered": "content_filter",
    },
    ApiFormat.ANTHROPIC: anthropic_messages.STOPS,
    ApiFormat.GEMINI: {**gemini_content.STOPS, **gemini_content.BLOCKED},
}
"""The providers' own words."""
each_format = pytest.mark.parametrize("api_format", ApiFormat)


async def both(
    api_format: ApiFormat, loopback: Loopback, played: Turn
) -> tuple[Heard, Heard | Refused]:
    """The same turn as ours reads it and as the official client does; our `stop` in our words."""
    loopback.play(Script([played, played]))
    async with official(api_format, loopback) as asked:
        ours = await turn_of(asked, request(model=MODELS[api_format], load_tools=load))
    sent = loopback.last
    calls = [(each.wire_name, each.arguments) for each in ours.requests]
    usage = (ours.usage.input, ours.usage.output, ours.usage.cached)
    heard = Heard(ours.text, ours.thinking, calls, usage, ours.stop)
    return heard, judge_of(api_format).ask(loopback.url, sent.body, sent.path)


@each_format
@pytest.mark.parametrize(
    ("played", "words"),
    [
        (turn("Hello, 世界. " * 5), "end"),
        (turn("See:", CALLS, thinking="Let me think."), "tools"),
        (turn("", CALLS[:1]), "tools"),
        (turn("Cut off", stop="length"), "length"),
        (turn("I will not.", stop="refused"), "refused"),
        (turn("", stop="filtered"), "filtered"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_an_answer_is_heard_as_the_official_client_hears_it(
    api_format: ApiFormat, played: Turn, words: Stop, loopback: Loopback
) -> None:
    ours, theirs = await both(api_format, loopback, played)
    assert isinstance(theirs, Heard)
    ours = replace(ours, calls=[(name, parse_arguments(given)) for name, given in ours.calls])
    assert replace(ours, stop="") == replace(theirs, stop="")
    assert ours.usage == (10, 5, 2)
    assert len(ours.calls) == len(played.calls)
    assert (ours.stop, theirs.stop) == (stop_of(api_format, words), STOPS[api_format][words])


def stop_of(api_format: ApiFormat, words: Stop) -> str:
    """Anthropic has one word for both, and Gemini filters alone."""
    if words in {"refused", "filtered"}:
        one = {ApiFormat.ANTHROPIC: "refused", ApiFormat.GEMINI: "filtered"}
        return one.get(api_format, words)
    return words


@each_format
@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 529])
async def test_an_error_is_read_as_the_official_client_reads_it(
    api_format: ApiFormat, status: int, loopback: Loopback
) -> None:
    refusal = failing(status, "The reason is this.")
    loopback.play(Script([refusal, refusal]))
    async with official(api_format, loopback) as asked:
        error = await failure(asked, request(model=MODELS[api_format]))
    sent = loopback.last
    theirs = judge_of(api_format).ask(loopback.url, sent.body, sent.path)
    assert isinstance(theirs, Refused)
    assert theirs.status == status
    assert "The reason is this." in theirs.message
    assert "The reason is this." in str(error)


@each_format
async def test_an_answer_that_breaks_off_is_an_answer_to_neither(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    broken = cut(turn("One two three four."), 2)
    loopback.play(Script([broken, broken]))
    async with official(api_format, loopback) as asked:
        error = await failure(asked, request(model=MODELS[api_format]))
    assert error.kind == "connection"
    sent = loopback.last
    theirs = judge_of(api_format).ask(loopback.url, sent.body, sent.path)
    assert isinstance(theirs, Refused)
    assert theirs.status == 0
