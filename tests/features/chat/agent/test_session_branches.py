"""An edited question and another answer begin a branch, and the old one stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.features.chat.agent.message_tree import ROOT
from desktop.features.chat.llm.completion import CompletionError
from tests.features.chat.agent.followed_session import CALCULATOR, assert_valid, closed, texts
from tests.features.chat.agent.scripted import Scripted, calls, says
from tests.tools.people import Person

if TYPE_CHECKING:
    from desktop.features.chat.agent.sessions import AgentSessions


async def test_an_edited_question_begins_a_branch_and_the_old_one_stays(
    sessions: AgentSessions,
) -> None:
    model = Scripted([says("One."), says("Two."), says("Three.")])
    session = await sessions.create(model, "m", Person())
    await session.ask("first")
    old = session.tree.head
    await session.ask("edited", after=ROOT)
    assert texts(session) == ["edited", "Two."]
    assert [message.text for message in model.requests[1].messages] == ["edited"]  # type: ignore[union-attr]
    session.go_to(old)
    assert texts(session) == ["first", "One."]
    await session.ask("and then?")

    again = await sessions.reopen(await closed(session), model, Person())
    assert texts(again) == ["first", "One.", "and then?", "Three."]
    again.go_to(again.tree.end(2))
    assert texts(again) == ["edited", "Two."]
    stored = await sessions.store.read(await closed(again))
    assert [node.number for node in stored.tree.path()] == [2, 3]


async def test_an_answer_can_be_tried_again(sessions: AgentSessions) -> None:
    model = Scripted([says("One."), says("Two.")])
    session = await sessions.create(model, "m", Person())
    await session.ask("first")
    await session.answer_again(0)
    assert texts(session) == ["first", "Two."]
    assert [message.text for message in model.requests[1].messages] == ["first"]  # type: ignore[union-attr]
    assert session.tree.versions(0).starts == (1, 2)


async def test_after_an_error_nothing_that_was_done_is_done_again(sessions: AgentSessions) -> None:
    broken = CompletionError("overloaded", "The provider is busy.")
    evaluate = calls(("calculator__evaluate", '{"expression": "6*7"}'))
    model = Scripted([evaluate, broken, says("It is 42.")])
    person = Person()
    session = await sessions.create(model, "m", person, builtins=CALCULATOR)
    assert (await session.ask("6*7?")).end == "failed"
    outcome = await session.answer_again(session.tree.resume_point())
    assert outcome.text == "It is 42."
    assert len(person.questions) == 1
    assert_valid(session)


async def test_a_line_that_is_lost_leaves_the_other_branches_where_they_were(
    sessions: AgentSessions,
) -> None:
    model = Scripted([says("One."), says("Two.")])
    session = await sessions.create(model, "m", Person())
    await session.ask("first")
    await session.ask("edited", after=ROOT)
    session.go_to(0)
    session.go_to(3)
    file = sessions.store.file(await closed(session))
    lines = file.read_text("utf-8").splitlines()
    damaged = ["{" if '"One."' in line else line for line in lines]
    file.write_text("\n".join(damaged), "utf-8")
    stored = await sessions.store.read(session.id)
    assert [node.number for node in stored.tree.path()] == [2, 3]
    assert (stored.dropped, stored.tree.versions(2).starts) == (1, (0, 3))
