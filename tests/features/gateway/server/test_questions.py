"""Which client is asked what a server asks, and which is not."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import mcp_types as types
import pytest

from desktop.base.tasks import spawn
from desktop.features.gateway.server.questions import Questions
from desktop.servers.requests import (
    Accepted,
    Declined,
    ElicitationRequest,
    SamplingRequest,
    ServerRequests,
    UrlElicitationRequest,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

FORM = ElicitationRequest("Who?", {"properties": {"name": {"type": "string"}}})
URL = UrlElicitationRequest("Go there", "https://example.test/")
CAN_ALL = types.ClientCapabilities(
    elicitation=types.ElicitationCapability(
        form=types.FormElicitationCapability(), url=types.UrlElicitationCapability()
    )
)


@dataclass
class Client:
    """A request of one client, and what it was asked in it."""

    client: str
    capabilities: types.ClientCapabilities | None = field(default_factory=lambda: CAN_ALL)
    asked: list[Any] = field(default_factory=list[Any])
    is_silent: bool = False

    async def ask(self, request: Any) -> Any:
        self.asked.append(request)
        if self.is_silent:
            await asyncio.Event().wait()
        return types.ElicitResult(action="accept", content={"name": self.client})


@pytest.fixture
def requests() -> Iterator[ServerRequests]:
    made = ServerRequests()
    yield made
    made.close()


@pytest.fixture
def questions(requests: ServerRequests) -> Questions:
    made = Questions(requests)
    requests.answerer = made.answer
    return made


async def test_the_client_that_calls_the_server_is_asked(
    requests: ServerRequests, questions: Questions
) -> None:
    one, two = Client("one"), Client("two")
    with questions.during("a", one), questions.during("b", two):
        assert await requests.ask("a", FORM) == Accepted({"name": "one"})
        assert await requests.ask("b", FORM) == Accepted({"name": "two"})
    assert await requests.ask("a", FORM) == Declined("no client is calling the server")
    assert (len(one.asked), len(two.asked)) == (1, 1)


async def test_neither_of_two_clients_is_asked_for_the_other(
    requests: ServerRequests, questions: Questions
) -> None:
    one, again, two = Client("one"), Client("one"), Client("two")
    with questions.during("a", one):
        with questions.during("a", two):
            answer = await requests.ask("a", FORM)
            assert answer == Declined("several clients are calling the server")
        with questions.during("a", again):  # two calls of one client
            assert await requests.ask("a", FORM) == Accepted({"name": "one"})
    assert two.asked == []


async def test_a_client_is_asked_only_what_it_said_it_can(
    requests: ServerRequests, questions: Questions
) -> None:
    forms = types.ClientCapabilities(elicitation=types.ElicitationCapability())
    sampling = SamplingRequest((), 10)
    for capabilities, request, is_asked in (
        (None, FORM, False),
        (types.ClientCapabilities(), FORM, False),
        (forms, FORM, True),
        (forms, URL, False),
        (CAN_ALL, URL, True),
        (CAN_ALL, sampling, False),
    ):
        client = Client("one", capabilities)
        with questions.during("a", client):
            await requests.ask("a", request)
        assert bool(client.asked) == is_asked, (capabilities, request)


async def test_a_question_that_is_taken_back_is_taken_back_at_the_client(
    requests: ServerRequests, questions: Questions
) -> None:
    client = Client("one", is_silent=True)
    with questions.during("a", client):
        asking = spawn(requests.ask("a", FORM), "ask")
        for _ in range(5):
            await asyncio.sleep(0)
        assert len(client.asked) == 1
        asking.cancel()
        await asyncio.wait({asking})
    questions.close()
