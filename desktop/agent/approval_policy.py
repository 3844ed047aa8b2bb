"""Decides whether a call of the model is sent: by what a person decided before, or by asking.

Nothing a server says allows anything: its read-only hint counts only where the person said so, and
a tool that has changed since it was allowed is asked about again. Must not run a tool.
"""

from __future__ import annotations

import asyncio
import logging
import re
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from desktop.agent.fingerprint import difference, fingerprint
from desktop.agent.kept_results import READ_RESULT
from desktop.agent.question import ApprovalQuestion
from desktop.errors import DesktopError
from desktop.tool_types import Decision

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.agent.approvals import Approvals, Rule
    from desktop.agent.question import ApprovalPrompter, ApprovalResponse
    from desktop.tool_types import JsonObject, Origin, ToolDefinition

Verdict: TypeAlias = Literal["allow", "refuse", "ask"]
APPROVAL: Final = "mcp-desktop/approval"
"""The member of a tool's `_meta` that is "always" where each call is to be asked about."""
NEVER: Final = "The person does not allow this tool."
REFUSED: Final = "The person refused this call."
_WORD: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+")
_SHELLS: Final = frozenset(("shell", "bash", "zsh", "sh", "cmd", "powershell", "pwsh", "terminal"))

logger = logging.getLogger(__name__)


class ApprovalPolicy:
    """The `Approver` of one session. `tell` is given a sentence where a decision was not kept."""

    def __init__(
        self, approvals: Approvals, asker: ApprovalPrompter, tell: Callable[[str], None]
    ) -> None:
        self._approvals, self._asker, self._tell = approvals, asker, tell
        self._asking: dict[str, asyncio.Lock] = {}

    def verdict(self, definition: ToolDefinition) -> Verdict:
        """What would become of a call now, without asking anybody."""
        if definition is READ_RESULT:  # the model was to be given all of it anyway
            return "allow"
        decided = self._approvals.of(definition.key)
        if decided is not None and decided.rule == "never":
            return "refuse"
        if always_asks(definition) or (decided is not None and decided.rule == "ask"):
            return "ask"
        if decided is not None:
            return "allow" if decided.hash == fingerprint(definition) != "" else "ask"
        is_harmless = definition.annotations.read_only is True
        return "allow" if is_harmless and self._approvals.allows_read_only else "ask"

    async def approve(
        self, definition: ToolDefinition, arguments: JsonObject, *, call_id: str, origin: Origin
    ) -> Decision:
        """Ask where nothing is decided; questions about one tool come one after the other.

        So "always" for the first of them answers the others, too.
        """
        lock = self._asking.setdefault(definition.key, asyncio.Lock())
        async with lock:
            match self.verdict(definition):
                case "allow":
                    return Decision(True, arguments)
                case "refuse":
                    return Decision(False, arguments, NEVER)
                case "ask":
                    question = self._question(definition, arguments, call_id)
                    answer = await self._asker.ask(question)
                    await self._keep(question, answer)
                    return _decision(question, answer)

    def _question(
        self, definition: ToolDefinition, arguments: JsonObject, call_id: str
    ) -> ApprovalQuestion:
        decided = self._approvals.of(definition.key)
        is_other = (
            decided is not None
            and decided.rule == "always"
            and decided.hash != fingerprint(definition)
        )
        changes = difference(decided.definition, definition) if decided and is_other else ""
        can_always = not always_asks(definition) and fingerprint(definition) != ""
        return ApprovalQuestion(call_id, definition, arguments, changes, can_always)

    async def _keep(self, question: ApprovalQuestion, answer: ApprovalResponse) -> None:
        rule: Rule
        match answer.choice:
            case "always" if question.can_always:
                rule = "always"
            case "never":
                rule = "never"
            case _:
                return
        try:
            await self._approvals.decide(question.definition, rule)
        except DesktopError as error:
            logger.warning("the decision on %s is not kept: %s", question.definition.key, error)
            self._tell(f"Your decision counts for this call only: {error}")


def always_asks(definition: ToolDefinition) -> bool:
    """Whether no decision can stand for the next call: it says so in `_meta`, or is a shell."""
    if definition.metadata.raw.get(APPROVAL) == "always":
        return True
    return is_shell(definition.key)


def is_shell(key: str) -> bool:
    """Whether the words of `server:tool` say that it runs any command."""
    return bool({word.lower() for word in _WORD.findall(key)} & _SHELLS)


def _decision(question: ApprovalQuestion, answer: ApprovalResponse) -> Decision:
    sent = question.arguments if answer.arguments is None else answer.arguments
    if answer.choice in {"once", "always"}:
        return Decision(True, sent, answer.reason)
    default = NEVER if answer.choice == "never" else REFUSED
    return Decision(False, question.arguments, answer.reason or default)
