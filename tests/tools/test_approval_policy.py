"""A person's decision counts for the tool it was made for; nothing a server says allows a call."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from desktop.base.tasks import spawn
from desktop.config.launch_details import Launch, launch_fingerprint
from desktop.config.models import ServerConfig
from desktop.tools.approval_policy import NEVER, REFUSED, ApprovalPolicy, always_asks
from desktop.tools.approvals import (
    OTHER_LAUNCH,
    Approval,
    ApprovalQuestion,
    ApprovalResponse,
    Approvals,
    fingerprint,
)
from desktop.values.tool_types import Decision
from tests.tools.definitions import read_only, tool, with_meta
from tests.tools.people import Person, Silent

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.tools.approvals import ApprovalPrompter
    from desktop.values.tool_types import ToolDefinition
    from tests.conftest import ExpectedLogs


ARGUMENTS = {"path": "a.txt"}


@pytest.fixture
def approvals(tmp_path: Path) -> Approvals:
    return Approvals(tmp_path / "approvals.json")


HERE = Launch(ServerConfig(name="files", command="here", env={"TOKEN": "s3cretValue"}))
ELSEWHERE = Launch(ServerConfig(name="files", command="elsewhere", env={"NODE_OPTIONS": "-r x"}))


def policy(
    approvals: Approvals, prompter: ApprovalPrompter, launch: Launch | None = HERE
) -> ApprovalPolicy:
    return ApprovalPolicy(approvals, prompter, lambda _: None, lambda _: launch)


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


async def test_what_another_command_offers_under_the_same_name_is_asked_about_again(
    approvals: Approvals,
) -> None:
    started = {"files": HERE}
    person = Person(ApprovalResponse("always"), ApprovalResponse("always"))
    by = ApprovalPolicy(approvals, person, lambda _: None, lambda server: started[server])
    assert (await decide(by, tool())).allowed
    assert by.verdict(tool()) == "allow"
    started["files"] = ELSEWHERE
    assert by.verdict(tool()) == "ask"
    assert (await decide(by, tool())).allowed
    shown = person.questions[1].difference
    assert shown.startswith(OTHER_LAUNCH)
    assert "-command: here" in shown
    assert "+command: elsewhere" in shown
    assert "+env.NODE_OPTIONS: -r x" in shown
    assert shown.splitlines()[-1][0] in "+-", "the tool itself is the same"
    assert by.verdict(tool()) == "allow"
    started["files"] = HERE
    changed = by._changes(tool(description="New."))  # pyright: ignore[reportPrivateUsage]
    assert changed.startswith(OTHER_LAUNCH)
    assert "+description: New." in changed


async def test_always_is_not_offered_where_it_is_not_known_what_is_started(
    approvals: Approvals,
) -> None:
    person = Person(ApprovalResponse("once"))
    by = policy(approvals, person, None)
    await decide(by, tool())
    assert not person.questions[0].can_always


async def test_a_decision_of_an_earlier_version_holds_and_is_bound_at_its_first_call(
    approvals: Approvals,
) -> None:
    declared = tool(output_schema={"type": "object"})
    await approvals.decide(tool(), "always")  # as that version did: without what is started
    by = policy(approvals, Silent())
    assert (await decide(by, declared)).allowed
    bound = approvals.of("files:read")
    assert bound is not None
    assert (bound.hash, bound.launch) == (fingerprint(declared), HERE.fingerprint)
    assert policy(approvals, Silent(), ELSEWHERE).verdict(declared) == "ask"
    assert by.verdict(tool(output_schema={"type": "array"})) == "ask"


@pytest.mark.parametrize("launch", [None, HERE])
async def test_what_cannot_be_told_from_another_is_asked_about_whatever_was_decided(
    approvals: Approvals, launch: Launch | None
) -> None:
    strange = tool(input_schema={"enum": {1, 2}})  # no JSON
    assert fingerprint(strange) == ""
    await approvals.decide(strange, "always", launch)
    assert policy(approvals, Silent()).verdict(strange) == "ask"


def test_a_decision_with_a_tagged_launch_is_of_this_version() -> None:
    assert not Approval("always", launch="v2:abc").is_of_an_earlier_version
    assert Approval("always", launch="abc").is_of_an_earlier_version
    assert Approval("always").is_of_an_earlier_version


async def test_a_decision_of_an_earlier_version_does_not_hold_for_a_changed_tool(
    approvals: Approvals,
) -> None:
    await approvals.decide(tool(), "always")
    assert policy(approvals, Silent()).verdict(tool(description="New.")) == "ask"


@pytest.mark.parametrize(("launch", "verdict"), [(HERE, "allow"), (ELSEWHERE, "ask")])
async def test_a_decision_that_did_not_know_the_variables_holds_for_its_command_and_is_bound_anew(
    approvals: Approvals, tmp_path: Path, launch: Launch, verdict: str
) -> None:
    # As version 0.9 wrote it: sha256 of command, arguments, folder and address alone.
    earlier = "ebb887149796fc24cd7e8130c3e07e6fee2503fdb81381d53aeaf2d8ae101d38"
    entry = {"rule": "always", "hash": fingerprint(tool()), "launch": earlier}
    document = {"version": 1, "tools": {"files:read": entry}}
    (tmp_path / "approvals.json").write_text(json.dumps(document), "utf-8")
    by = policy(approvals, Silent(), launch)
    assert by.verdict(tool()) == verdict
    if verdict == "allow":
        await decide(by, tool())
        bound = approvals.of("files:read")
        assert bound is not None
        assert bound.launch == HERE.fingerprint
        assert "s3cret" not in (tmp_path / "approvals.json").read_text("utf-8")


@pytest.mark.parametrize(
    "other",
    [
        {"command": "npx"},
        {"command": "uvx", "args": ("files", "/")},
        {"command": "uvx", "args": ("files",), "cwd": "/srv"},
        {"builtin": "filesystem"},
        {"url": "https://x.example/mcp", "transport": "http"},
        {"command": "uvx", "args": ("files",), "env": {"NODE_OPTIONS": "--require ./x.js"}},
        {"command": "uvx", "args": ("files",), "env": {"TOKEN": "${GITHUB_TOKEN}"}},
    ],
)
def test_what_a_name_stands_for_is_its_command_its_arguments_its_variables_and_its_address(
    other: dict[str, Any],
) -> None:
    before = ServerConfig(name="files", command="uvx", args=("files",))
    assert launch_fingerprint(before) != launch_fingerprint(ServerConfig(name="files", **other))


def test_a_new_token_or_another_name_is_not_another_server() -> None:
    before = ServerConfig(name="files", command="uvx", env={"TOKEN": "s3cret-one"})
    now = ServerConfig(name="mine", command="uvx", env={"TOKEN": "s3cret-two"}, timeout=5)
    assert launch_fingerprint(before) == launch_fingerprint(now)


async def test_a_removed_server_takes_its_decisions_with_it(approvals: Approvals) -> None:
    for definition in (tool(), tool("write"), tool(server="files2")):
        await approvals.decide(definition, "always")
    await approvals.forget_server("files")
    assert list(approvals.all()) == ["files2:read"]
    await approvals.forget_server("files2")
    assert list(approvals.all()) == []


async def test_a_person_may_want_to_be_asked_less_or_more_in_one_session(
    approvals: Approvals,
) -> None:
    by = policy(approvals, Silent())
    by.approving = "allow"
    assert by.verdict(tool()) == "allow"
    assert by.verdict(tool("run_shell")) == "ask"
    await approvals.decide(tool("other"), "always", HERE)
    assert by.verdict(tool("other", description="New.")) == "ask"
    by.approving = "each"
    assert by.verdict(tool("other")) == "ask"


async def test_no_difference_is_shown_of_a_tool_that_is_always_asked_about(
    approvals: Approvals,
) -> None:
    await approvals.decide(tool(), "ask")
    person = Person(ApprovalResponse("once"))
    await decide(policy(approvals, person), tool(description="New."))
    assert person.questions[0].difference == ""


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
    assert [question.can_always for question in person.questions] == [False, False]
    await approvals.decide(shell, "always")
    assert by.verdict(shell) == "ask"
    await approvals.decide(shell, "never")
    assert by.verdict(shell) == "refuse"


@pytest.mark.parametrize(
    ("definition", "expected"),
    [
        (with_meta(**{"mcp-desktop/approval": "always"}), True),
        (with_meta(**{"mcp-desktop/approval": "never"}), False),
        (tool("run_shell"), True),
        (tool("runInTerminal"), True),
        (tool("bash"), True),
        (tool("zsh"), True),
        (tool("run-sh"), True),
        (tool("CMD"), True),
        (tool("powershell"), True),
        (tool("pwsh"), True),
        (tool("open_terminal"), True),
        (tool("execute", server="shell"), True),
        (tool("seashells"), False),
        (tool("finish"), False),
    ],
)
def test_who_always_asks(definition: ToolDefinition, expected: bool) -> None:
    assert always_asks(definition) is expected


async def test_the_sessions_own_tool_needs_no_question_and_one_that_looks_like_it_does(
    approvals: Approvals,
) -> None:
    own = tool()
    by = ApprovalPolicy(approvals, Silent(), lambda _: None, lambda _: HERE, own=own)
    assert by.verdict(own) == "allow"
    assert by.verdict(replace(own)) == "ask"


class Desk:
    """Shows all questions together, as the window does; a test answers them."""

    def __init__(self) -> None:
        self.open: dict[str, asyncio.Future[ApprovalResponse]] = {}

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        answer = self.open[question.call_id] = asyncio.get_running_loop().create_future()
        try:
            return await answer
        finally:
            del self.open[question.call_id]

    async def shows(self, count: int) -> None:
        while len(self.open) != count:  # noqa: ASYNC110 - all have to get there
            await asyncio.sleep(0)


async def _asked(by: ApprovalPolicy, call_id: str, definition: ToolDefinition) -> Decision:
    return await by.approve(definition, {}, call_id=call_id, origin="agent")


@pytest.mark.parametrize(("choice", "allowed"), [("always", True), ("never", False)])
async def test_a_decision_about_a_tool_answers_the_other_questions_about_it(
    approvals: Approvals, choice: Any, allowed: bool
) -> None:
    desk = Desk()
    by = policy(approvals, desk)
    calls = [spawn(_asked(by, name, tool()), name) for name in "abc"]
    other = spawn(_asked(by, "d", tool("other")), "d")
    await desk.shows(4)
    desk.open["b"].set_result(ApprovalResponse(choice))
    decisions = await asyncio.gather(*calls)
    assert [decision.allowed for decision in decisions] == [allowed] * 3
    assert list(desk.open) == ["d"]
    desk.open["d"].set_result(ApprovalResponse("once"))
    assert (await other).allowed


async def test_an_answer_for_one_call_leaves_the_other_questions_open(
    approvals: Approvals,
) -> None:
    desk = Desk()
    by = policy(approvals, desk)
    calls = [spawn(_asked(by, name, tool()), name) for name in "ab"]
    await desk.shows(2)
    desk.open["a"].set_result(ApprovalResponse("once"))
    assert (await calls[0]).allowed
    assert list(desk.open) == ["b"]
    desk.open["b"].set_result(ApprovalResponse("deny"))
    assert not (await calls[1]).allowed


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


async def test_a_decision_that_cannot_be_kept_counts_once_is_said_and_answers_no_other(
    tmp_path: Path, expected_logs: ExpectedLogs
) -> None:
    expected_logs.expect("is not kept")
    (tmp_path / "data").write_text("a file", "utf-8")
    said: list[str] = []
    unwritable = Approvals(tmp_path / "data" / "approvals.json")
    desk = Desk()
    by = ApprovalPolicy(unwritable, desk, said.append, lambda _: HERE)
    calls = [spawn(_asked(by, name, tool()), name) for name in "ab"]
    await desk.shows(2)
    desk.open["a"].set_result(ApprovalResponse("always"))
    assert (await calls[0]).allowed
    assert "for this call only" in said[0]
    assert by.verdict(tool()) == "ask"
    await asyncio.sleep(0)
    assert list(desk.open) == ["b"]
    desk.open["b"].set_result(ApprovalResponse("once"))
    assert (await calls[1]).allowed
