"""What servers ask waits in one queue with limits, and is answered once, withdrawn or declined."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.errors import UsageError
from desktop.base.tasks import spawn
from desktop.servers import requests as module
from desktop.servers.requests import (
    Accepted,
    Declined,
    Dismissed,
    ElicitationRequest,
    MisfitError,
    SamplingAnswer,
    SamplingMessage,
    SamplingRequest,
    ServerRequests,
    UrlElicitationRequest,
)
from desktop.tools.validation import find_misfits
from desktop.values.tool_types import Content

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.servers.requests import Answer, End, PendingRequest, Request

NAME = ElicitationRequest(
    "Who are you?",
    {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
)
POEM = SamplingRequest((SamplingMessage("user", (Content("text", "a poem"),)),), 100)


class Desk:
    """A queue with somebody who answers later, and all that it said."""

    def __init__(self) -> None:
        self.now = 0.0
        self.requests = ServerRequests(find_misfits, lambda: self.now)
        self.requests.answerer = lambda _: None
        self.notices: list[str] = []
        self.ends: list[End] = []
        self.requests.notice_posted.connect(lambda _, text: self.notices.append(text))
        self.requests.removed.connect(lambda _, end: self.ends.append(end))

    async def ask(self, request: Request, server: str = "s") -> asyncio.Task[Answer]:
        task = spawn(self.requests.ask(server, request), "ask")
        await asyncio.sleep(0)
        return task

    @property
    def last(self) -> PendingRequest:
        return self.requests.pending[-1]


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.requests.close()


async def test_a_request_waits_until_somebody_answers_it(desk: Desk) -> None:
    added: list[PendingRequest] = []
    desk.requests.added.connect(added.append)
    asking = await desk.ask(NAME)
    assert added == list(desk.requests.pending) == [desk.last]
    assert (desk.last.server, desk.last.request) == ("s", NAME)
    desk.requests.answer(desk.last.id, Accepted({"name": "Ada"}))
    assert await asking == Accepted({"name": "Ada"})
    assert (desk.requests.pending, desk.ends, desk.notices) == ((), ["answered"], [])


async def test_two_servers_that_ask_at_once_get_each_its_own_answer(desk: Desk) -> None:
    first, second = await desk.ask(NAME, "one"), await desk.ask(NAME, "two")
    one, two = desk.requests.pending
    assert (one.server, two.server) == ("one", "two")
    desk.requests.answer(two.id, Declined())
    desk.requests.answer(one.id, Accepted({"name": "Ada"}))
    assert await first == Accepted({"name": "Ada"})
    assert await second == Declined()


@pytest.mark.parametrize(
    ("content", "where"),
    [({}, ("name",)), ({"name": 1}, ("name",)), ({"name": "Ada", "password": "x"}, ("password",))],
)
async def test_content_that_does_not_fit_is_not_sent_and_the_request_still_waits(
    desk: Desk, content: dict[str, Any], where: tuple[str, ...]
) -> None:
    asking = await desk.ask(NAME)
    with pytest.raises(MisfitError) as caught:
        desk.requests.answer(desk.last.id, Accepted(content))
    assert caught.value.issues[0].path == where
    assert not asking.done()
    desk.requests.answer(desk.last.id, Dismissed())
    assert await asking == Dismissed()


async def test_a_request_that_is_withdrawn_is_gone_and_cannot_be_answered(desk: Desk) -> None:
    asking = await desk.ask(NAME)
    gone = desk.last
    asking.cancel()
    await asyncio.wait({asking})
    assert (desk.requests.pending, desk.ends) == ((), ["withdrawn"])
    with pytest.raises(UsageError, match="This request is no longer open"):
        desk.requests.answer(gone.id, Accepted({"name": "Ada"}))


async def test_a_request_that_nobody_answers_is_dismissed_in_the_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_WAIT", 0.01)
    assert await (await desk.ask(NAME)) == Dismissed()
    assert desk.ends == ["expired"]


async def test_while_nobody_is_there_everything_is_declined_at_once(desk: Desk) -> None:
    desk.requests.answerer = None
    answers = [await desk.requests.ask("s", request) for request in (NAME, POEM) * 3]
    assert answers == [Declined("nobody is here to answer")] * 6
    assert desk.notices == ["A request from s was declined: nobody is here to answer."]


async def test_an_answerer_that_answers_at_once_leaves_nothing_waiting(desk: Desk) -> None:
    answers: list[Answer] = [Accepted({"name": "Ada"}), Accepted({"name": 1})]
    desk.requests.answerer = lambda _: answers.pop(0)
    assert await desk.requests.ask("s", NAME) == Accepted({"name": "Ada"})
    assert desk.notices == []
    assert isinstance(await desk.requests.ask("s", NAME), Declined)
    assert "does not fit (name: " in desk.notices[0]


@pytest.mark.parametrize("request_", [NAME, POEM], ids=["elicitations", "samplings"])
async def test_a_flood_of_one_server_is_bounded_said_once_and_leaves_room_for_others(
    desk: Desk, request_: Request
) -> None:
    flood = [await desk.ask(request_) for _ in range(1_000)]
    other = await desk.ask(NAME, "other")
    waiting = [task for task in flood if not task.done()]
    assert len(waiting) == module.MAX_PER_SERVER
    words = [notice.partition(": ")[2] for notice in desk.notices]
    assert words[0] == "too many requests are already waiting for an answer."
    assert len(words) == len(set(words)) <= 2, "one for each limit"
    assert desk.last.server == "other"
    for pending in desk.requests.pending:
        desk.requests.answer(pending.id, Declined())
    assert await other == Declined()


async def test_a_refusal_is_said_again_after_a_minute_without_one(desk: Desk) -> None:
    desk.requests.answerer = None
    for now in (0.0, 59.0, 118.0, 178.0):
        desk.now = now
        await desk.requests.ask("s", NAME)
    assert len(desk.notices) == 2


async def test_all_servers_together_do_not_wait_for_more_than_a_person_can_see(desk: Desk) -> None:
    for number in range(module.MAX_PENDING + 5):
        await desk.ask(NAME, f"server {number}")
    assert len(desk.requests.pending) == module.MAX_PENDING
    assert len(desk.notices) == 5


async def test_a_server_may_ask_a_model_so_often_in_a_minute_and_again_in_the_next(
    desk: Desk,
) -> None:
    hello = SamplingAnswer((Content("text", "hello"),), "m")
    desk.requests.answerer = lambda _: hello
    answers = [await desk.requests.ask("s", POEM) for _ in range(module.MAX_SAMPLINGS + 1)]
    assert answers[:-1] == [hello] * module.MAX_SAMPLINGS
    assert isinstance(answers[-1], Declined)
    assert "20 model answers in a minute" in desk.notices[0]
    assert await desk.requests.ask("other", POEM) == hello
    desk.now = 60.0
    assert await desk.requests.ask("s", POEM) == hello


@pytest.mark.parametrize(
    ("block", "is_declined"),
    [
        (Content("text", "x" * 10_000_000), True),
        (Content("image", data=bytes(10_000_000), mime="image/png"), True),
        (Content("text", "x" * 1_000_000), False),
    ],
)
async def test_a_prompt_of_ten_megabytes_is_declined(
    desk: Desk, block: Content, is_declined: bool
) -> None:
    asking = await desk.ask(SamplingRequest((SamplingMessage("user", (block,)),), 100))
    assert asking.done() is is_declined
    assert [f"more than {module.MAX_PROMPT} characters" in text for text in desk.notices] == [
        True
    ] * is_declined


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (
            ElicitationRequest("m", {"properties": {"a": {"type": "object"}}}),
            "is an object, which a form cannot contain",
        ),
        (ElicitationRequest("x" * 1_000_000, NAME.schema), "more than 200000 characters"),
        (UrlElicitationRequest("m", "javascript:alert(1)"), "the address is not a web address"),
        (UrlElicitationRequest("m", "file:///etc/passwd"), "the address is not a web address"),
    ],
)
async def test_what_a_server_may_not_ask_is_declined_with_the_reason(
    desk: Desk, request_: Request, words: str
) -> None:
    answer = await desk.requests.ask("s", request_)
    assert isinstance(answer, Declined)
    assert words in answer.reason
    (notice,) = desk.notices
    assert notice.startswith("A request from s was declined: ")
    assert words in notice


async def test_what_is_done_at_an_address_is_accepted_when_its_own_server_says_so(
    desk: Desk,
) -> None:
    asking = await desk.ask(UrlElicitationRequest("m", "https://a.example/", "7"))
    desk.requests.complete("other", "7")
    desk.requests.complete("s", "8")
    assert not asking.done()
    desk.requests.complete("s", "7")
    assert await asking == Accepted()


async def test_closing_dismisses_what_waits_and_declines_what_comes(desk: Desk) -> None:
    asking = await desk.ask(NAME)
    desk.requests.close()
    assert await asking == Dismissed()
    assert isinstance(await desk.requests.ask("s", NAME), Declined)
