"""Every provider, over HTTP, against the project's own server: what all have in common."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from desktop.features.chat.llm.completion import Completed, RequestDelta, TextDelta
from desktop.features.chat.llm.services import RequestLimits
from desktop.features.chat.llm.services.conversation import NOT_RUN
from desktop.features.chat.llm.services.response import CUT
from desktop.features.models.formats import ApiFormat
from desktop.features.models.messages import (
    AssistantMessage,
    Image,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    UserMessage,
)
from desktop.values.tool_types import Content, ToolResult
from tests.features.chat.llm.services.asking import (
    HELLO,
    KEY,
    Waits,
    events,
    failure,
    load,
    request,
    retried,
    retries,
    service,
    thought,
    told,
    turn_of,
)
from tests.features.models.answer_cases import PNG, PNG_TEXT
from tests.features.models.loopback.exchange import Reply
from tests.features.models.loopback.script import Script, cut, failing, held, short, turn

if TYPE_CHECKING:
    from desktop.features.models.formats import WireTools
    from tests.conftest import ExpectedLogs
    from tests.features.models.loopback.server import Loopback

each_provider = pytest.mark.parametrize("api_format", ApiFormat)
CALLS = [("calculator__add", {"a": 1}), ("calculator__add", {"a": 2})]


def answered(message: AssistantMessage, *texts: str) -> ToolMessage:
    """Answers to the calls of a turn."""
    return ToolMessage(
        tuple(
            ToolAnswer(
                item.call_id, item.wire_name, ToolResult(True, content=(Content("text", t),))
            )
            for item, t in zip(message.requests, texts, strict=True)
        )
    )


# --- what is said -----------------------------------------------------------------------------


@each_provider
async def test_text_thoughts_and_parallel_calls_arrive_as_they_are_said(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    calls = [("calculator__add", {"a": 1.5}), ("calculator__add", {"a": "two words"})]
    loopback.play(Script([turn("Let me see this.", calls, thinking="What is asked?")]))
    async with service(api_format, loopback) as asked:
        found = await events(asked, request(load_tools=load))
    assert (told(found), thought(found)) == ("Let me see this.", "What is asked?")
    last = found[-1]
    assert isinstance(last, Completed)
    message = last.message
    assert (message.text, message.thinking) == ("Let me see this.", "What is asked?")
    assert (message.stop, message.usage.input, message.usage.output) == ("tools", 10, 5)
    assert message.usage.cached == 2
    assert message.model
    assert last.tools
    read = [last.tools.read_arguments(call.wire_name, call.arguments) for call in message.requests]
    assert [item.arguments for item in read] == [{"a": 1.5}, {"a": "two words"}]
    assert len({call.call_id for call in message.requests}) == 2
    begun = [each for each in found if isinstance(each, RequestDelta) and each.wire_name]
    assert [each.index for each in begun] == [0, 1]


@each_provider
async def test_a_conversation_goes_on_with_the_answers_of_the_tools(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    script = Script([turn("Let me see.", CALLS, thinking="Hm."), turn("It is 3.")])
    loopback.play(script)
    async with service(api_format, loopback) as asked:
        first = await turn_of(asked, request(load_tools=load))
        messages = [*HELLO, first, answered(first, "one", "two"), UserMessage("Now?")]
        assert (await turn_of(asked, request(messages, load_tools=load))).text == "It is 3."
    assert script.is_done
    sent = script.requests[1].raw.decode()
    assert sent.index('"one"') < sent.index('"two"') < sent.index("Now?")


@pytest.mark.parametrize("then", ApiFormat)
@each_provider
async def test_another_provider_gets_the_text_and_the_calls_but_not_the_thoughts(
    api_format: ApiFormat, then: ApiFormat, loopback: Loopback
) -> None:
    model = "gemini-3-x"  # the one that refuses calls without a signature
    script = Script([turn("Let me see.", CALLS, thinking="Secretly hm."), turn("It is 3.")])
    loopback.play(script)
    async with service(api_format, loopback) as asked:
        first = await turn_of(asked, request(model=model))
    messages = [*HELLO, first, answered(first, "one", "two")]
    async with service(then, loopback) as asked:
        assert (await turn_of(asked, request(messages, model))).text == "It is 3."
    sent = script.requests[1].raw.decode()
    assert "Let me see." in sent
    assert "calculator__add" in sent
    assert ("Secretly" in sent or "sealed" in sent) == (api_format is then)


@each_provider
async def test_a_turn_of_another_model_of_the_provider_is_not_sent_as_it_came(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    loopback.play(Script([turn("Let me see.", CALLS, thinking="Hm."), turn("It is 3.")]))
    async with service(api_format, loopback) as asked:
        first = await turn_of(asked, request(model="one"))
        assert first.replay
        assert first.replay.model == "one"
        await turn_of(asked, request([*HELLO, first, answered(first, "1", "2")], "two"))
    assert "Hm." not in loopback.last.raw.decode()


@each_provider
async def test_calls_that_were_not_answered_are_told_as_not_run(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    script = Script([turn("", CALLS), turn("Very well.")])
    loopback.play(script)
    async with service(api_format, loopback) as asked:
        first = await turn_of(asked, request())
        half = ToolMessage(answered(first, "1", "2").answers[1:])
        messages = [*HELLO, first, half, UserMessage("Stop that.")]
        assert (await turn_of(asked, request(messages))).text == "Very well."
    assert script.requests[1].raw.decode().count(NOT_RUN) == 1


@each_provider
async def test_pictures_of_a_person_are_sent(api_format: ApiFormat, loopback: Loopback) -> None:
    loopback.play(Script([turn("A dot.")]))
    pictures = (Image(PNG, "image/png"), Image(b"no picture", "image/png"))
    async with service(api_format, loopback) as asked:
        await turn_of(asked, request([UserMessage("What is it?", pictures)]))
    sent = loopback.last.raw.decode().replace("-", "+").replace("_", "/")
    assert PNG_TEXT.rstrip("=") in sent
    assert "not of a kind that can be sent" in sent


@each_provider
async def test_system_text_tools_and_limits_are_in_the_request(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    loopback.play(Script([turn("Yes."), turn("Yes.")]))
    async with service(api_format, loopback) as asked:
        what = request(system="Be brief.", max_tokens=77, parallel=False, load_tools=load)
        await turn_of(asked, what)
        assert "calculator__add" in loopback.last.raw.decode()
        assert "Be brief." in loopback.last.raw.decode()
        assert "77" in loopback.last.raw.decode()
        await turn_of(asked, request())
    assert not loopback.last.body.get("tools")


@each_provider
async def test_tools_are_loaded_before_each_request(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    loopback.play(Script([turn("1"), turn("2")]))
    asked_for: list[ApiFormat] = []

    async def loading(wanted: ApiFormat) -> WireTools:
        asked_for.append(wanted)
        return await load(wanted)

    async with service(api_format, loopback) as asked:
        for _ in range(2):
            last = (await events(asked, request(load_tools=loading)))[-1]
            assert isinstance(last, Completed)
            assert last.tools
            assert last.tools.api_format is api_format
    assert asked_for == [api_format] * 2


# --- how it stops -----------------------------------------------------------------------------


@each_provider
@pytest.mark.parametrize("stop", ["refused", "filtered"])
async def test_a_refusal_is_told_and_asks_for_no_calls(
    api_format: ApiFormat, stop: str, loopback: Loopback
) -> None:
    loopback.play(Script([turn("I will not.", stop=stop), turn("Gladly.")]))  # type: ignore[arg-type]
    async with service(api_format, loopback) as asked:
        first = await turn_of(asked, request())
        assert first.stop in {"refused", "filtered"}
        assert first.text == "I will not."
        messages = [*HELLO, first, UserMessage("Then this?")]
        assert (await turn_of(asked, request(messages))).text == "Gladly."


@pytest.mark.parametrize("arguments", ["", '{"a": 1, "b', '{"a": '])
@pytest.mark.parametrize("api_format", [each for each in ApiFormat if each is not ApiFormat.GEMINI])
async def test_a_call_that_was_cut_cannot_be_read(
    api_format: ApiFormat, arguments: str, loopback: Loopback
) -> None:
    calls = [("calculator__add", {"a": 1}), ("calculator__add", arguments)]
    loopback.play(Script([turn("Now.", calls, stop="length"), turn("Again.")]))
    async with service(api_format, loopback) as asked:
        last = (await events(asked, request(load_tools=load)))[-1]
        assert isinstance(last, Completed)
        message = last.message
        assert message.stop == "length"
        assert last.tools
        read = [
            last.tools.read_arguments(call.wire_name, call.arguments) for call in message.requests
        ]
        assert [bool(item.error) for item in read] == [False, True]
        # And the conversation can go on all the same.
        messages = [*HELLO, message, answered(message, "1", read[1].error)]
        assert (await turn_of(asked, request(messages))).text == "Again."


@each_provider
async def test_an_answer_that_is_too_long_is_cut_and_says_so(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    loopback.play(Script([held(turn("A very long answer indeed.", CALLS), missing=1)]))
    async with service(api_format, loopback, limits=RequestLimits(characters=10)) as asked:
        found = await events(asked, request())
        assert told(found) == f"A very lon\n\n[{CUT}]"
        last = found[-1]
        assert isinstance(last, Completed)
        assert (last.message.stop, last.message.replay) == ("length", None)
        assert await asyncio.to_thread(loopback.hung_up.wait, 10)


@each_provider
async def test_more_calls_than_are_taken_are_cut(api_format: ApiFormat, loopback: Loopback) -> None:
    loopback.play(Script([turn("", CALLS * 3)]))
    async with service(api_format, loopback, limits=RequestLimits(calls=2)) as asked:
        message = await turn_of(asked, request())
    assert (len(message.requests), message.stop) == (2, "length")
    assert "more than 2 calls" in message.text


# --- what fails -------------------------------------------------------------------------------


@each_provider
@pytest.mark.parametrize(
    ("status", "said", "kind"),
    [
        (400, "tools.0: this is wrong", "request"),
        (400, "prompt is too long: 300000 tokens > 200000 maximum", "context"),
        (401, "no such key", "key"),
        (403, "not for you", "key"),
        (404, "no such model", "request"),
        (413, "too large", "context"),
        (302, "elsewhere", "provider"),
    ],
)
async def test_what_cannot_succeed_is_not_tried_again(
    api_format: ApiFormat, status: int, said: str, kind: str, loopback: Loopback
) -> None:
    loopback.play(Script([failing(status, said, location="http://127.0.0.1:1/"), turn("never")]))
    async with service(api_format, loopback) as asked:
        error = await failure(asked, request())
    assert error.kind == kind
    assert len(loopback.requests) == 1
    if status != 302:
        assert said in str(error)


@each_provider
async def test_the_key_is_in_no_error(api_format: ApiFormat, loopback: Loopback) -> None:
    loopback.play(Script([failing(401, f"wrong key {KEY}, api_key={KEY}")]))
    async with service(api_format, loopback) as asked:
        error = await failure(asked, request())
    assert KEY not in f"{error} {error!r} {error.__cause__}"
    assert KEY not in repr(asked)
    assert KEY in str(loopback.last.headers)  # it was sent


@each_provider
async def test_a_busy_provider_is_asked_again_when_it_says(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    busy = [failing(429, "slow down", retry_after="7"), failing(529, "full"), turn("Hello.")]
    loopback.play(Script(busy))
    waits = Waits()
    async with service(api_format, loopback, tries=retries(waits)) as asked:
        found = await events(asked, request())
    assert told(found) == "Hello."
    assert waits.seconds == [7.0, 1.0]
    assert [(each.seconds, each.attempt) for each in retried(found)] == [(7.0, 1), (1.0, 2)]
    assert "slow down" in retried(found)[0].reason


@each_provider
@pytest.mark.parametrize(
    ("status", "kind"), [(429, "rate"), (500, "provider"), (503, "overloaded"), (529, "overloaded")]
)
async def test_it_is_given_up_after_a_few_attempts(
    api_format: ApiFormat, status: int, kind: str, loopback: Loopback
) -> None:
    loopback.play(Script([failing(status)] * 9))
    waits = Waits()
    async with service(api_format, loopback, tries=retries(waits, attempts=3)) as asked:
        error = await failure(asked, request())
    assert (error.kind, len(loopback.requests), len(waits.seconds)) == (kind, 3, 2)


@each_provider
async def test_nobody_waits_longer_than_the_limit(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    loopback.play(Script([failing(429, "tomorrow", retry_after="86400")]))
    waits = Waits()
    async with service(api_format, loopback, tries=retries(waits)) as asked:
        assert (await failure(asked, request())).kind == "rate"
    assert waits.seconds == []


@each_provider
async def test_a_connection_that_breaks_before_anything_was_said_is_made_again(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    loopback.play(Script([cut(turn("x"), 99), short(turn("x"), 99), turn("Hello.")]))
    async with service(api_format, loopback) as asked:
        found = await events(asked, request())
    assert told(found) == "Hello."
    assert len(retried(found)) == 2


@each_provider
@pytest.mark.parametrize("ending", [cut, short])
async def test_an_answer_that_breaks_off_is_an_error_and_not_said_twice(
    api_format: ApiFormat, ending: type, loopback: Loopback
) -> None:
    loopback.play(Script([ending(turn("One two three four."), 2), turn("never")]))
    async with service(api_format, loopback) as asked:
        error = await failure(asked, request())
    assert error.kind == "connection"
    assert "broke off" in str(error)
    assert len(loopback.requests) == 1


@each_provider
async def test_a_silent_provider_is_given_up(api_format: ApiFormat, loopback: Loopback) -> None:
    loopback.play(Script([held(turn("One two three four."))]))
    async with service(api_format, loopback, limits=RequestLimits(silence=0.2)) as asked:
        error = await failure(asked, request())
        assert error.kind == "timeout"
        assert await asyncio.to_thread(loopback.hung_up.wait, 10)


@each_provider
async def test_leaving_the_stream_closes_the_connection(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    loopback.play(Script([held(turn("One two three four."))]))
    async with service(api_format, loopback) as asked:
        stream = asked.stream(request())
        assert isinstance(await anext(stream), TextDelta)
        await stream.aclose()
        assert await asyncio.to_thread(loopback.hung_up.wait, 10)


@each_provider
async def test_cancelling_the_reader_closes_the_connection(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    loopback.play(Script([held(turn("One two three four."))]))
    begun = asyncio.Event()

    async with service(api_format, loopback) as asked:

        async def read() -> None:
            async for _ in asked.stream(request()):
                begun.set()

        async with asyncio.TaskGroup() as group:
            task = group.create_task(read())
            await begun.wait()
            task.cancel()
        assert task.cancelled()
        assert await asyncio.to_thread(loopback.hung_up.wait, 10)


@each_provider
async def test_a_server_that_is_not_there_is_said_to_be_not_there(api_format: ApiFormat) -> None:
    from tests.features.models.loopback.server import Loopback

    gone = Loopback()
    gone.close()
    async with service(api_format, gone) as asked:
        error = await failure(asked, request())
    assert error.kind == "connection"
    assert error.remedy


HTML = "text/html; charset=utf-8"
EVENTS = "text/event-stream"


@each_provider
@pytest.mark.parametrize(
    "reply",
    [
        Reply(pieces=[b"<html>Sign in to the hotel</html>"], content_type=HTML),
        Reply(pieces=[b"data: {not json\n\n"], content_type=EVENTS),
        Reply(pieces=[b"data: [1, 2]\n\n", b"data: 3\n\n"], content_type=EVENTS),
        Reply(pieces=[b'event: x\ndata: {"choices": 1, "candidates": 2}\n\n'], content_type=EVENTS),
        Reply(pieces=[b"\xff\xfe\x00" * 99], content_type=EVENTS),
        Reply({"hello": 1}),
        Reply(None, headers={"Content-Encoding": "gzip"}),
    ],
)
async def test_what_is_no_answer_is_an_error(
    api_format: ApiFormat, reply: Reply, loopback: Loopback, expected_logs: ExpectedLogs
) -> None:
    expected_logs.allow("an answer of mine could not be read")
    loopback.play(Script([reply] * 4))
    async with service(api_format, loopback) as asked:
        assert (await failure(asked, request())).kind in {"provider", "connection"}


@each_provider
async def test_a_flood_is_cut_off(
    api_format: ApiFormat, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    from desktop.features.chat.llm.services import http_client

    monkeypatch.setattr(http_client, "MAX_EVENT_BYTES", 100_000)
    pieces = [b"data: "] + [b"x" * 50_000] * 5
    loopback.play(Script([Reply(pieces=pieces, content_type=EVENTS)] * 4))
    async with service(api_format, loopback) as asked:
        error = await failure(asked, request())
    assert "larger answer" in str(error)


# --- the rest ---------------------------------------------------------------------------------


@each_provider
async def test_the_models_of_a_provider_are_listed(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    async with service(api_format, loopback) as asked:
        models = await asked.list_models()
    expected = {ApiFormat.ANTHROPIC: ["claude-x"], ApiFormat.GEMINI: ["gemini-x"]}
    assert models == expected.get(api_format, ["gpt-x", "gpt-y"])


@each_provider
async def test_a_service_can_be_used_again_after_it_was_closed(
    api_format: ApiFormat, loopback: Loopback
) -> None:
    loopback.play(Script([turn("1"), turn("2")]))
    async with service(api_format, loopback) as asked:
        assert (await turn_of(asked, request())).text == "1"
        await asked.close()
        assert (await turn_of(asked, request())).text == "2"


async def test_turns_that_say_nothing_are_left_out(loopback: Loopback) -> None:
    loopback.play(Script([turn("Yes.")]))
    empty = AssistantMessage(thinking="Hm.", stop="length")
    lost = ToolMessage((ToolAnswer("x", "y", ToolResult(True)),))
    odd = AssistantMessage("", (ToolRequest("c:1 §", "calculator__add", "nonsense"),))
    async with service(ApiFormat.ANTHROPIC, loopback) as asked:
        messages = [*HELLO, empty, lost, odd, UserMessage("Well?")]
        assert (await turn_of(asked, request(messages))).text == "Yes."
