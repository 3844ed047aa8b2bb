"""A server that asks for a form or a model's answer as a task gets a task, and the answer later."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from desktop.base.tasks import spawn
from desktop.servers.requests import Accepted, Declined, SamplingAnswer
from desktop.servers.transport.client_tasks import CAPABILITY, MAX_TASKS
from desktop.values.tool_types import Content
from tests.live_servers import until
from tests.patience import LIMIT
from tests.servers.test_client_features import FORM, POEM, Server, asking

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

TASK: dict[str, Any] = {"task": {"ttl": 60_000}}


@asynccontextmanager
async def asked_as_task(method: str, params: Any) -> AsyncGenerator[tuple[Server, str]]:
    async with asking() as server:
        (begun,) = await server.ask(method, params | TASK)
        assert begun["task"]["status"] == "working"
        assert begun["task"]["ttl"] == 60_000
        yield server, begun["task"]["taskId"]


async def of_task(server: Server, method: str, task: str) -> Any:
    (answer,) = await server.ask(f"tasks/{method}", {"taskId": task})
    return answer


async def ended(server: Server, task: str) -> Any:
    """The state of a task once it is over."""
    async with asyncio.timeout(LIMIT):
        while True:
            state = await of_task(server, "get", task)
            if state["status"] != "working":
                return state


async def test_tasks_are_offered_to_a_server_of_the_generation_that_has_them() -> None:
    async with asking() as server:
        assert (await server.call("declared"))["tasks"] == CAPABILITY
    async with asking("modern") as server:
        assert "tasks" not in await server.call("declared")


async def test_a_form_is_answered_later_and_its_result_is_fetched() -> None:
    async with asked_as_task("elicitation/create", FORM) as (server, task):
        pending = await server.first()
        assert (await of_task(server, "get", task))["status"] == "working"
        server.requests.answer(pending.id, Accepted({"name": "Ada"}))
        assert (await ended(server, task))["status"] == "completed"
        result = await of_task(server, "result", task)
        assert (result["action"], result["content"]) == ("accept", {"name": "Ada"})
        assert result["_meta"]["io.modelcontextprotocol/related-task"] == {"taskId": task}
        (listed,) = await server.ask("tasks/list", {})
        assert [each["status"] for each in listed["tasks"]] == ["completed"]


async def test_who_asks_for_the_result_of_a_model_waits_for_it() -> None:
    async with asked_as_task("sampling/createMessage", POEM) as (server, task):
        pending = await server.first()
        waiting = spawn(of_task(server, "result", task), "result")
        await until_asked(server)
        server.requests.answer(
            pending.id, SamplingAnswer((Content(kind="text", text="Roses"),), "a-model")
        )
        result = await asyncio.wait_for(waiting, LIMIT)
        assert (result["content"]["text"], result["model"]) == ("Roses", "a-model")


async def until_asked(server: Server) -> None:
    """Until the server has answered a call that was made after what is under way."""
    assert (await server.call("declared"))["tasks"]


async def test_a_refusal_is_the_result_of_a_task_that_failed() -> None:
    async with asked_as_task("sampling/createMessage", POEM) as (server, task):
        pending = await server.first()
        server.requests.answer(pending.id, Declined("no"))
        assert (await ended(server, task))["status"] == "failed"
        assert (await of_task(server, "result", task))["code"] == -1


async def test_a_task_that_is_cancelled_takes_the_question_back() -> None:
    async with asked_as_task("elicitation/create", FORM) as (server, task):
        await server.first()
        assert (await of_task(server, "cancel", task))["status"] == "cancelled"
        await until(server.requests.removed, lambda: not server.requests.pending)
        assert (await of_task(server, "cancel", task))["code"] == -32602
        assert "cancelled" in (await of_task(server, "result", task))["message"]


async def test_a_task_that_is_not_there_and_one_too_many_are_refused_in_words() -> None:
    async with asking() as server:
        assert "no such task" in (await of_task(server, "get", "nope"))["message"]
        server.requests.answerer = lambda _: Declined()
        begun = await server.ask("elicitation/create", FORM | TASK, count=MAX_TASKS + 1)
        assert [("task" in each) for each in begun] == [True] * MAX_TASKS + [False]


async def test_a_request_without_a_task_is_answered_as_ever() -> None:
    async with asking() as server:
        server.answer(Accepted({"name": "Ada"}))
        (answer,) = await server.ask("elicitation/create", FORM)
        assert answer == {"action": "accept", "content": {"name": "Ada"}}
