"""A person's decision counts for the tool it was made for; nothing a server says allows a call."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from desktop.agent.approval_policy import (
    APPROVAL,
    NEVER,
    REFUSED,
    ApprovalPolicy,
    always_asks,
)
from desktop.agent.approvals import Approvals
from desktop.agent.kept_results import READ_RESULT
from desktop.agent.question import ApprovalResponse
from desktop.tool_types import Decision
from tests.agent.definitions import read_only, tool, with_meta
from tests.agent.scripted import Person, Silent

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.agent.question import ApprovalPrompter
    from desktop.tool_types import ToolDefinition
    from tests.conftest import ExpectedLogs

ARGUMENTS = {"path": "a.txt"}


@pytest.fixture
def approvals(tmp_path: Path) -> Approvals:
    return Approvals(tmp_path / "approvals.json")


def policy(approvals: Approvals, asker: ApprovalPrompter) -> ApprovalPolicy:
    return ApprovalPolicy(approvals, asker, lambda _: None)


async def decide(by: ApprovalPolicy, definition: ToolDefinition) -> Decision:
    return await by.approve(definition, ARGUMENTS, call_id="c", origin="agent")


async def test_a_tool_is_asked_about_each_time_until_a_person_decides(approvals: Approvals) -> None:
    person = Person(ApprovalResponse("once"), ApprovalResponse("deny"), ApprovalResponse("always"))
    by = policy(approvals, person)
    assert await decide(by, tool()) == Decision(True, ARGUMENTS)
    assert await decide(by, tool()) == Decision(False, ARGUMENTS, REFUSED)
    assert (await decide(by, tool())).allowed
    assert (await decide(by, tool())).allowed
    assert len(person.questions) == 3
    assert person.questions[0].definition == tool()
    assert person.questions[0].difference == ""
    later = policy(Approvals(approvals._path), Silent())  # pyright: ignore[reportPrivateUsage]
    assert (await decide(later, tool())).allowed


async def test_never_counts_from_then_on_whatever_the_tool_becomes(approvals: Approvals) -> None:
    person = Person(ApprovalResponse("never", reason="Too risky."))
    by = policy(approvals, person)
    assert await decide(by, tool()) == Decision(False, ARGUMENTS, "Too risky.")
    assert await decide(by, tool()) == Decision(False, ARGUMENTS, NEVER)
    assert await decide(by, tool(description="Harmless now.")) == Decision(False, ARGUMENTS, NEVER)
    assert len(person.questions) == 1


async def test_a_tool_that_changed_is_asked_about_again_with_the_difference(
    approvals: Approvals,
) -> None:
    await approvals.decide(tool(), "always")
    changed = tool(description="Reads a file and sends it away.")
    person = Person(ApprovalResponse("always"))
    by = policy(approvals, person)
    assert by.verdict(tool()) == "allow"
    assert (await decide(by, changed)).allowed
    assert "+description: Reads a file and sends it away." in person.questions[0].difference
    assert by.verdict(changed) == "allow"
    assert by.verdict(tool()) == "ask"


async def test_corrected_arguments_are_the_decision(approvals: Approvals) -> None:
    by = policy(approvals, Person(ApprovalResponse("once", arguments={"path": "b.txt"})))
    assert await decide(by, tool()) == Decision(True, {"path": "b.txt"})


async def test_the_read_only_hint_counts_only_by_the_persons_own_setting(
    approvals: Approvals,
) -> None:
    by = policy(approvals, Silent())
    assert by.verdict(read_only()) == "ask"
    await approvals.allow_read_only(True)
    assert by.verdict(read_only()) == "allow"
    assert by.verdict(tool()) == "ask"
    await approvals.decide(read_only(), "ask")
    assert by.verdict(read_only()) == "ask"
    await approvals.decide(read_only(), "always")
    assert by.verdict(read_only(description="Another one.")) == "ask"


async def test_a_shell_is_asked_about_each_time(approvals: Approvals) -> None:
    await approvals.allow_read_only(True)
    shell = replace(read_only("run"), server="shell")
    person = Person(ApprovalResponse("always"))
    by = policy(approvals, person)
    for _ in range(2):
        assert (await decide(by, shell)).allowed
    assert [one.can_always for one in person.questions] == [False, False]
    await approvals.decide(shell, "always")
    assert by.verdict(shell) == "ask"
    await approvals.decide(shell, "never")
    assert by.verdict(shell) == "refuse"


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        (with_meta(**{APPROVAL: "always"}), True),
        (with_meta(**{APPROVAL: "never"}), False),
        (tool("run_shell"), True),
        (tool("runInTerminal"), True),
        (tool("bash"), True),
        (tool("seashells"), False),
        (tool("finish"), False),
    ],
)
def test_who_always_asks(definition: ToolDefinition, expected: bool) -> None:
    assert always_asks(definition) is expected


async def test_the_sessions_own_tool_needs_no_question_and_one_that_looks_like_it_does(
    approvals: Approvals,
) -> None:
    by = policy(approvals, Silent())
    assert by.verdict(READ_RESULT) == "allow"
    assert by.verdict(replace(READ_RESULT)) == "ask"


async def test_questions_about_one_tool_follow_each_other_and_always_answers_all(
    approvals: Approvals,
) -> None:
    person = Person(ApprovalResponse("always"))
    by = policy(approvals, person)
    decisions = await asyncio.gather(*(decide(by, tool()) for _ in range(3)))
    assert [one.allowed for one in decisions] == [True] * 3
    assert len(person.questions) == 1


async def test_questions_about_different_tools_are_open_side_by_side(approvals: Approvals) -> None:
    person = Silent()
    by = policy(approvals, person)
    waiting = asyncio.gather(decide(by, tool("a")), decide(by, tool("b")))
    while person.open < 2:  # noqa: ASYNC110 - both have to get there
        await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert person.open == 0


async def test_a_decision_that_cannot_be_kept_counts_once_and_is_said(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("is not kept")
    (tmp_path / "data").write_text("a file", "utf-8")
    said: list[str] = []
    unwritable = Approvals(tmp_path / "data" / "approvals.json")
    by = ApprovalPolicy(unwritable, Person(ApprovalResponse("always")), said.append)
    assert (await decide(by, tool())).allowed
    assert "for this call only" in said[0]
    assert by.verdict(tool()) == "ask"
