"""What a conversation sends is what the official SDKs would send, by their own types.

A real session with a real server: pictures, thinking, parallel calls, a denial, an error, a
correction, a tool that is not there, half a call; and a conversation that goes on elsewhere.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.models.formats import ApiFormat
from desktop.features.models.messages import Image
from desktop.tools.approvals import ApprovalResponse
from tests.features.chat.agent.followed_session import PLAIN, codes
from tests.features.chat.llm.judges.judge import judge_of
from tests.features.chat.llm.judges.official import MODELS, official
from tests.features.models.answer_cases import PNG, PNG_TEXT
from tests.features.models.loopback.script import Script, turn
from tests.tools.people import Person

if TYPE_CHECKING:
    from desktop.features.chat.agent.sessions import AgentSessions
    from tests.features.models.loopback.exchange import Request, Turn
    from tests.features.models.loopback.server import Loopback

ADD = ("plain__add", {"a": 1, "b": 2})
ANSWERS = (
    ApprovalResponse("once"),
    ApprovalResponse("once"),
    ApprovalResponse("once"),
    ApprovalResponse("deny", reason="Not now."),
    ApprovalResponse("once", arguments={"a": 20, "b": 22}),
)
SETTINGS: Any = {"effort": "high", "maxTokens": 4_000, "temperature": 1.0}


def thinks(text: str = "", *calls: tuple[str, Any]) -> Turn:
    return turn(text, calls, thinking="Let me think.")


def turns(api_format: ApiFormat) -> list[Turn]:
    """Gemini sends whole objects: of it no call comes in half."""
    half = ADD if api_format is ApiFormat.GEMINI else ("plain__add", '{"a": 1,')
    return [
        thinks("I look.", ADD, ("plain__image", {})),
        thinks("", ("plain__fail", {"message": "disk full"})),
        thinks("", ADD),
        thinks("", ADD),
        thinks("", ("plain__nothing", {}), half),
        thinks("It is a pixel."),
    ]


async def conversation(
    api_format: ApiFormat, sessions: AgentSessions, loopback: Loopback
) -> list[Request]:
    """All requests of one that begins with this provider and goes on with each of the others."""
    script = Script([*turns(api_format), turn("one"), turn("two"), turn("three"), turn("four")])
    loopback.play(script)
    async with official(api_format, loopback, **SETTINGS) as asked:
        session = await sessions.create(
            asked, MODELS[api_format], Person(*ANSWERS), builtins=PLAIN, system="Be brief."
        )
        outcome = await session.ask("What is it?", (Image(PNG, "image/png"),))
        assert outcome.text == "It is a pixel.", outcome.error
        await session.ask("Are you sure?")
        assert len(codes(session)) == 7
        for other in ApiFormat:
            if other is not api_format:
                async with official(other, loopback, **SETTINGS) as elsewhere:
                    session.use(elsewhere, MODELS[other])
                    await session.ask("And you?")
        await session.close()
    assert script.is_done
    return script.requests


def format_of(request: Request) -> ApiFormat:
    path = request.path
    if "generateContent" in path.replace("streamG", "g"):
        return ApiFormat.GEMINI
    if path.endswith("/messages"):
        return ApiFormat.ANTHROPIC
    return ApiFormat.OPENAI if path.endswith("completions") else ApiFormat.OPENAI_RESPONSES


def misfits(request: Request) -> list[str]:
    api_format = format_of(request)
    found = judge_of(api_format).misfits(request.body, request.path)
    if api_format is ApiFormat.OPENAI:
        # DeepSeek and others want back what OpenAI does not know; OpenAI itself never sends it.
        found = [each for each in found if not each.endswith(".reasoning_content: unknown")]
    return found


@pytest.mark.parametrize("api_format", ApiFormat)
async def test_each_request_is_what_the_official_sdk_knows_and_sends(
    api_format: ApiFormat, sessions: AgentSessions, loopback: Loopback
) -> None:
    """Its types take the body and know each key; its client sends it to the same path as ours."""
    requests = await conversation(api_format, sessions, loopback)
    assert {format_of(request) for request in requests} == set(ApiFormat)
    assert [misfits(request) for request in requests] == [[]] * len(requests)
    whole = requests[-1].raw.decode()
    for said in (PNG_TEXT, "disk full", "Not now.", "The person changed the arguments"):
        assert said in whole
    for ours in requests[len(turns(api_format)) :]:
        loopback.play(Script([turn("ok")]))
        judge_of(format_of(ours)).ask(loopback.url, ours.body, ours.path)
        theirs = loopback.last
        assert (theirs.path, told(theirs)) == (ours.path, told(ours))
        assert sealed(theirs) == sealed(ours)


def told(request: Request) -> str:
    """The body. Google's own client writes it otherwise, and the API takes it either way.

    Keys with underscores, levels in capitals, and the other alphabet of base64.
    """
    text = json.dumps(request.body, sort_keys=True, indent=1)
    if format_of(request) is ApiFormat.GEMINI:
        text = text.casefold().translate(str.maketrans("-", "+", "_/"))
    return text


def sealed(request: Request) -> dict[str, str]:
    """The headers that say who asks, and by which version of the API."""
    names = {"authorization", "x-api-key", "anthropic-version", "anthropic-beta", "x-goog-api-key"}
    headers = {name.lower(): value for name, value in request.headers.items()}
    return {name: headers[name] for name in names & headers.keys()}


@pytest.mark.parametrize("api_format", ApiFormat)
def test_a_judge_says_what_is_wrong(api_format: ApiFormat) -> None:
    said: dict[str, Any] = {"role": "user", "content": "a"}
    body: dict[str, Any] = {"model": "m", "stream": True}
    match api_format:
        case ApiFormat.OPENAI_RESPONSES:
            body["input"] = [said]
        case ApiFormat.GEMINI:
            said = {"role": "user", "parts": [{"text": "a"}]}
            body = {"contents": [said]}
        case _:
            body |= {"messages": [said]}
            body |= {"max_tokens": 9} if api_format is ApiFormat.ANTHROPIC else {}
    judge = judge_of(api_format)
    assert judge.misfits(body, "") == []
    assert judge.misfits(body | {"surprise": 1}, "") == ["surprise: unknown"]
    said["surprise"] = 1
    assert "surprise" in judge.misfits(body, "")[0]
    said["role"] = 7
    assert judge.misfits(body, "")
