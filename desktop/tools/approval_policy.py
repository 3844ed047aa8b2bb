"""Decides whether a call may be sent: by the stored approvals, else by asking the person.

Nothing a server says allows anything: its read-only hint counts only where the person said so, and
a tool that can do anything is asked about each time. Must not run a tool.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from desktop.base.errors import DesktopError
from desktop.base.translatable import join_texts, translatable
from desktop.tools.approvals import (
    OTHER_LAUNCH,
    ApprovalQuestion,
    diff_definitions,
    earlier_fingerprint,
    fingerprint,
    is_shell,
    unified_diff,
)
from desktop.values.tool_types import Decision

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from desktop.config.launch_details import Launch
    from desktop.tools.approvals import (
        Approval,
        ApprovalPrompter,
        ApprovalResponse,
        Approvals,
        FileChange,
        Rule,
    )
    from desktop.values.tool_types import JsonObject, Origin, ToolDefinition

Approving: TypeAlias = Literal["usual", "each", "allow"]
"""Stored decisions count; each call is asked about; none is, but of tools that can do anything."""
Verdict: TypeAlias = Literal["allow", "refuse", "ask"]
APPROVAL: Final = "mcp-desktop/approval"
"""The member of a tool's `_meta` that is "always" where each call is to be asked about."""
NEVER: Final = "The person does not allow this tool."
REFUSED: Final = "The person refused this call."
logger = logging.getLogger(__name__)


FindChange: TypeAlias = "Callable[[ToolDefinition, JsonObject], Awaitable[FileChange | None]]"


async def find_no_change(_: ToolDefinition, __: JsonObject) -> FileChange | None:
    """Where no file is looked at."""
    return None


class ApprovalPolicy:
    """The `Approver` of one session. `tell` is given a sentence where a decision was not kept."""

    def __init__(
        self,
        approvals: Approvals,
        prompter: ApprovalPrompter,
        tell: Callable[[str], None],
        launch_of: Callable[[str], Launch | None],
        find_change: FindChange = find_no_change,
        own: ToolDefinition | None = None,
    ) -> None:
        """Make it.

        Args:
            approvals: the stored decisions.
            prompter: asks the person.
            tell: see above.
            launch_of: what a server's name stands for; None where it is unknown.
            find_change: finds what a call would make of a file.
            own: a tool of the session itself that only gives what was allowed before.
        """
        self._approvals, self._prompter, self._tell = approvals, prompter, tell
        self._launch_of, self._find_change, self._own = launch_of, find_change, own
        self._open: defaultdict[str, set[asyncio.Timeout]] = defaultdict(set)
        self.approving: Approving = "usual"
        """How far the person wants to be asked in this session."""

    def verdict(self, definition: ToolDefinition) -> Verdict:
        """What would become of a call now, without asking anybody."""
        if definition is self._own:
            return "allow"
        decided = self._approvals.of(definition.key)
        if decided is not None and decided.rule == "never":
            return "refuse"
        if always_asks(definition) or (decided is not None and decided.rule == "ask"):
            return "ask"
        if self.approving == "each":
            return "ask"
        if decided is not None:
            return "allow" if self._is_same(decided, definition) else "ask"
        if self.approving == "allow":
            return "allow"
        is_harmless = definition.annotations.read_only is True
        return "allow" if is_harmless and self._approvals.allows_read_only else "ask"

    async def approve(
        self, definition: ToolDefinition, arguments: JsonObject, *, call_id: str, origin: Origin
    ) -> Decision:
        """Ask where nothing is decided; several questions may be open at a time.

        "Always" or "never" for one of them answers the others about the same tool, too.
        """
        while True:
            match self.verdict(definition):
                case "allow":
                    await self._bind(definition)
                    return Decision(True, arguments)
                case "refuse":
                    return Decision(False, arguments, NEVER)
                case "ask":
                    question = await self._question(definition, arguments, call_id)
                    answer = await self._ask(question)
            if answer is not None:
                return _decision(question, answer)

    async def _ask(self, question: ApprovalQuestion) -> ApprovalResponse | None:
        """None where the answer to another question decided about the tool meanwhile."""
        others = self._open[question.definition.key]
        is_open = asyncio.timeout(None)
        try:
            async with is_open:
                others.add(is_open)
                answer = await self._prompter.ask(question)
        except TimeoutError:
            if not is_open.expired():
                raise
            return None
        finally:
            others.discard(is_open)
        if await self._keep(question, answer):
            for other in others:
                other.reschedule(asyncio.get_running_loop().time())
        return answer

    async def _question(
        self, definition: ToolDefinition, arguments: JsonObject, call_id: str
    ) -> ApprovalQuestion:
        can_always = (
            not always_asks(definition)
            and fingerprint(definition) != ""
            and self._launch_of(definition.server) is not None
        )
        changes = self._changes(definition)
        change = await self._find_change(definition, arguments)
        return ApprovalQuestion(call_id, definition, arguments, changes, can_always, change)

    def _changes(self, definition: ToolDefinition) -> str:
        """What is not as it was when the person allowed the tool; empty where it never was."""
        decided = self._approvals.of(definition.key)
        if decided is None or decided.rule != "always" or self._is_same(decided, definition):
            return ""
        changes = ""
        if decided.hash != fingerprint(definition):
            changes = diff_definitions(decided.definition, definition)
        launch = self._launch_of(definition.server)
        if decided.launch is None or (launch is not None and launch.matches(decided.launch)):
            return changes
        now = launch.describe() if launch is not None else {}
        others = unified_diff(decided.started, now) if decided.started else ""
        return join_texts("\n\n", OTHER_LAUNCH, others, changes)

    def _is_same(self, decided: Approval, definition: ToolDefinition) -> bool:
        """Whether the tool and its server are what was decided about."""
        if decided.launch is None:
            return decided.hash in {fingerprint(definition), earlier_fingerprint(definition)} - {""}
        launch = self._launch_of(definition.server)
        is_same = decided.hash == fingerprint(definition) != ""
        return is_same and launch is not None and launch.matches(decided.launch)

    async def _bind(self, definition: ToolDefinition) -> None:
        """Bind a decision of an earlier version to all that it holds for now."""
        decided = self._approvals.of(definition.key)
        launch = self._launch_of(definition.server)
        if decided is None or launch is None or not decided.is_of_an_earlier_version:
            return
        try:
            await self._approvals.decide(definition, decided.rule, launch)
        except DesktopError as error:
            logger.warning("the decision on %s is not bound: %s", definition.key, error)

    async def _keep(self, question: ApprovalQuestion, answer: ApprovalResponse) -> bool:
        """Whether the answer decides about more than this call."""
        rule: Rule
        match answer.choice:
            case "always" if question.can_always:
                rule = "always"
            case "never":
                rule = "never"
            case _:
                return False
        try:
            launch = self._launch_of(question.definition.server)
            await self._approvals.decide(question.definition, rule, launch)
        except DesktopError as error:
            logger.warning("the decision on %s is not kept: %s", question.definition.key, error)
            self._tell(
                translatable("Your decision counts for this call only: {error}", error=str(error))
            )
            return False
        return True


def always_asks(definition: ToolDefinition) -> bool:
    """Whether no decision can stand for the next call: it says so in `_meta`, or is a shell."""
    if definition.metadata.raw.get(APPROVAL) == "always":
        return True
    return is_shell(definition.key)


def _decision(question: ApprovalQuestion, answer: ApprovalResponse) -> Decision:
    sent = question.arguments if answer.arguments is None else answer.arguments
    if answer.choice in {"once", "always"}:
        return Decision(True, sent, answer.reason)
    default = NEVER if answer.choice == "never" else REFUSED
    return Decision(False, question.arguments, answer.reason or default)
