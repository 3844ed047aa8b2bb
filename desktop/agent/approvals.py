"""Approvals of tool calls: the stored decisions, and the policy that applies them.

`approvals.json` is shared by all sessions and processes. A decision holds only for the definition
and for the command or address it was made for: a server can change a tool after it was allowed
("rug pull"), and a name can come to stand for another server, so a changed tool is asked about
again, with the difference. It is forgotten when its server is removed. A file that cannot be read
counts as no decision. Nothing a server says allows anything: its read-only hint counts only where
the person said so. Must not run a tool.
"""

from __future__ import annotations

import asyncio
import difflib
import hashlib
import json
import logging
import re
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from desktop.agent.events import ApprovalAsked, ApprovalGiven, ApprovalQuestion
from desktop.agent.large_results import READ_RESULT
from desktop.atomic_file import keep_backup, read_file, write_file
from desktop.errors import ConfigError, DesktopError
from desktop.file_lock import FileLock, locked
from desktop.signals import Signal
from desktop.tool_types import Decision
from desktop.translatable import join_texts, translatable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from desktop.agent.events import AgentEvent, ApprovalPrompter, ApprovalResponse
    from desktop.agent.limits import PausableTimeout
    from desktop.config.launch_details import Launch
    from desktop.tool_types import JsonObject, Origin, ToolDefinition


class NotifyingPrompter:
    """An `ApprovalPrompter` around the session's own. `clock` is that of the ask that runs."""

    def __init__(self, prompter: ApprovalPrompter, tell: Callable[[AgentEvent], None]) -> None:
        self.clock: PausableTimeout | None = None
        self._prompter, self._tell = prompter, tell

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse:
        answer: ApprovalResponse | None = None
        self._tell(ApprovalAsked(question))
        try:
            with self.clock.paused() if self.clock is not None else nullcontext():
                answer = await self._prompter.ask(question)
            return answer
        finally:
            self._tell(ApprovalGiven(question, answer))


MAX_DEFINITION_LENGTH: Final = 64_000
"""Characters of a definition that are kept to compare with; of a larger one only the hash is."""
MAX_DIFFERENCE_LINES: Final = 200
"""Lines of a difference that are shown."""
OTHER_LAUNCH: Final = translatable(
    "Since you allowed this tool, its server's command or address has changed."
)
"""Leads the difference where the tool may be the same, but the server is another one."""
TOO_LARGE: Final = "The tool has changed; it is too large to show what."


def definition_json(definition: ToolDefinition) -> dict[str, Any]:
    """What the decision of a person rests on, as JSON: all that the server declared.

    What a tool does not declare is left out, so that its hash is the one of earlier versions, which
    did not look at that.
    """
    more: dict[str, Any] = {
        "outputSchema": definition.output_schema,
        "icons": list(definition.icons),
        "execution": definition.execution,
        "_meta": definition.metadata.raw,
    }
    return _as_before(definition) | {name: value for name, value in more.items() if value}


def _as_before(definition: ToolDefinition) -> dict[str, Any]:
    """The part that versions without `Approval.launch` knew."""
    return {
        "name": definition.name,
        "title": definition.title,
        "description": definition.description,
        "inputSchema": definition.input_schema,
        "annotations": asdict(definition.annotations),
    }


def fingerprint(definition: ToolDefinition) -> str:
    """A hash that changes with any part of the definition; "" where it cannot be made."""
    return _hash(definition_json(definition))


def _hash(described: dict[str, Any]) -> str:
    try:
        text = json.dumps(described, sort_keys=True, separators=(",", ":"))
    except (RecursionError, TypeError, ValueError):
        return ""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def comparable_copy(definition: ToolDefinition) -> dict[str, Any] | None:
    """The copy to compare a later definition with; None where it is too large for that."""
    try:
        copy = definition_json(definition)
        return copy if len(json.dumps(copy)) <= MAX_DEFINITION_LENGTH else None
    except (RecursionError, TypeError, ValueError):
        return None


def diff_definitions(before: Mapping[str, Any] | None, now: ToolDefinition) -> str:
    """What has changed, as the lines of a unified diff; a sentence where it cannot be shown."""
    after = comparable_copy(now)
    if before is None or after is None:
        return TOO_LARGE
    return _diff(before, after)


def _diff(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    lines = list(difflib.unified_diff(_lines(before), _lines(after), "before", "now", "", "", 1))
    shown = lines[:MAX_DIFFERENCE_LINES]
    if len(lines) > MAX_DIFFERENCE_LINES:
        shown.append(f"… {len(lines) - MAX_DIFFERENCE_LINES} more lines")
    return "\n".join(line.rstrip("\n") for line in shown)


def _lines(value: Mapping[str, Any]) -> list[str]:
    """As a person reads it: texts by their own lines, all else as JSON."""
    found: list[str] = []
    for name, member in value.items():
        if isinstance(member, str):
            found += [f"{name}: {line}" for line in member.splitlines() or [""]]
        else:
            text = json.dumps(cast("object", member), indent=1, sort_keys=True, ensure_ascii=False)
            found += [f"{name}: {line}" for line in text.splitlines()]
    return found


Rule: TypeAlias = Literal["ask", "always", "never"]
LOCK_TIMEOUT = 5.0
_RULES = ("ask", "always", "never")


@dataclass(frozen=True, slots=True)
class Approval:
    """One decision; `hash` and `definition` are of the tool as it was then.

    `launch` is the fingerprint of its server then, `started` what it was started with, without
    secrets. A decision of an earlier version has no `launch`, or one without a tag, and nothing in
    `started`: it is bound anew at the next call that it allows.
    """

    rule: Rule
    hash: str = ""
    definition: dict[str, Any] | None = None
    launch: str | None = None
    started: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def is_of_an_earlier_version(self) -> bool:
        return self.launch is None or ":" not in self.launch


@dataclass(frozen=True, slots=True)
class _Content:
    tools: dict[str, Approval]
    read_only: bool = False


class Approvals:
    """The decisions as they are on the disk now."""

    def __init__(self, path: Path) -> None:
        """Reads nothing yet; the file need not be there."""
        self._path = path
        self._stamp: tuple[int, int, int] | None = None
        self._content = _Content({})
        self.problem = ""
        """Why the file could not be read; empty where it could."""
        self.changed: Signal[[]] = Signal()

    def of(self, key: str) -> Approval | None:
        """What was decided about the tool `server:tool`, if anything."""
        return self._now().tools.get(key)

    def all(self) -> dict[str, Approval]:
        """All decisions by key."""
        return dict(self._now().tools)

    @property
    def allows_read_only(self) -> bool:
        """Whether tools that call themselves read-only are allowed: off until a person says so."""
        return self._now().read_only

    async def decide(
        self, definition: ToolDefinition, rule: Rule, launch: Launch | None = None
    ) -> None:
        """Remember the rule for the tool as it is now, of a server as it is started now.

        Raises:
            ConfigError: it cannot be written.
        """
        entry: dict[str, Any] = {
            "rule": rule,
            "hash": fingerprint(definition),
            "definition": comparable_copy(definition),
        }
        if launch is not None:
            entry["launch"], entry["started"] = launch.fingerprint, launch.describe()

        def change(document: dict[str, Any]) -> None:
            _object(document, "tools")[definition.key] = entry

        await self._write(change)

    async def forget(self, key: str) -> None:
        """Take a decision back: the tool is asked about. Raises `ConfigError`."""
        await self._write(lambda document: _object(document, "tools").pop(key, None))

    async def forget_server(self, server: str) -> None:
        """Take back every decision about the tools of a server. Raises `ConfigError`."""
        if not any(_server_of(key) == server for key in self._now().tools):
            return

        def change(document: dict[str, Any]) -> None:
            tools = _object(document, "tools")
            for key in [key for key in tools if _server_of(key) == server]:
                del tools[key]

        await self._write(change)

    async def forget_all(self) -> None:
        """Take all decisions about tools back. Raises `ConfigError`."""
        await self._write(lambda document: document.update(tools={}))

    async def set_rule(self, key: str, rule: Rule) -> None:
        """Change a decision; it stays bound to the definition it was made for.

        Raises:
            ConfigError: it cannot be written.
        """

        def change(document: dict[str, Any]) -> None:
            _object(_object(document, "tools"), key)["rule"] = rule

        await self._write(change)

    async def allow_read_only(self, allowed: bool) -> None:
        """Whether tools that call themselves read-only need no question. Raises `ConfigError`."""

        def change(document: dict[str, Any]) -> None:
            document["readOnly"] = "allow" if allowed else "ask"

        await self._write(change)

    def _now(self) -> _Content:
        """Reads the file again only where it is another one by now."""
        try:
            status = self._path.stat()
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        except OSError:
            stamp = None
        if stamp != self._stamp:
            self._stamp = stamp
            document, self.problem = _read(self._path)
            self._content = _content(document)
        return self._content

    async def _write(self, change: Callable[[dict[str, Any]], object]) -> None:
        await asyncio.to_thread(self._write_now, change)
        self.changed.send()

    def _write_now(self, change: Callable[[dict[str, Any]], object]) -> None:
        lock = self._path.with_name(f"{self._path.name}.lock")
        try:
            with locked(FileLock(lock), LOCK_TIMEOUT):
                document, problem = _read(self._path)
                if problem and (content := read_file(self._path)) is not None:
                    keep_backup(self._path, content)
                change(document)
                text = json.dumps(document, indent=1)
                write_file(self._path, text.encode())
        except OSError as error:
            raise ConfigError(f"{self._path} cannot be written: {error}") from error


def _read(path: Path) -> tuple[dict[str, Any], str]:
    """The document, and what is wrong with it: then it is an empty one."""
    empty: dict[str, Any] = {"version": 1, "tools": {}}
    try:
        content = read_file(path)
        value: Any = json.loads(content) if content is not None else empty
    except (ConfigError, RecursionError, ValueError) as error:
        return empty, f"{path} cannot be read ({error}); every tool is asked about."
    if not isinstance(value, dict):
        return empty, f"{path} is no JSON object; every tool is asked about."
    document = cast("dict[str, Any]", value)
    if not isinstance(document.get("tools", {}), dict):
        return empty, f"“tools” in {path} is no JSON object; every tool is asked about."
    return document, ""


def _content(document: dict[str, Any]) -> _Content:
    tools: dict[str, Approval] = {}
    for key, value in _object(document, "tools").items():
        if not isinstance(value, dict):
            continue
        entry = cast("dict[str, Any]", value)
        if entry.get("rule") in _RULES:
            launch = str(entry["launch"]) if "launch" in entry else None
            hash_then = str(entry.get("hash", ""))
            started = {key: str(value) for key, value in _object(entry, "started").items()}
            tools[key] = Approval(entry["rule"], hash_then, _definition(entry), launch, started)
    return _Content(tools, document.get("readOnly") == "allow")


def _server_of(key: str) -> str:
    return key.partition(":")[0]


def _definition(entry: dict[str, Any]) -> dict[str, Any] | None:
    value = entry.get("definition")
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _object(document: dict[str, Any], name: str) -> dict[str, Any]:
    if not isinstance(document.get(name), dict):
        document[name] = {}
    return cast("dict[str, Any]", document[name])


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
        self,
        approvals: Approvals,
        prompter: ApprovalPrompter,
        tell: Callable[[str], None],
        launch_of: Callable[[str], Launch | None],
    ) -> None:
        """Args: launch_of: what a server's name stands for; None where it is unknown."""
        self._approvals, self._prompter, self._tell = approvals, prompter, tell
        self._launch_of = launch_of
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
            return "allow" if self._is_same(decided, definition) else "ask"
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
                    await self._bind(definition)
                    return Decision(True, arguments)
                case "refuse":
                    return Decision(False, arguments, NEVER)
                case "ask":
                    question = self._question(definition, arguments, call_id)
                    answer = await self._prompter.ask(question)
                    await self._keep(question, answer)
                    return _decision(question, answer)

    def _question(
        self, definition: ToolDefinition, arguments: JsonObject, call_id: str
    ) -> ApprovalQuestion:
        can_always = (
            not always_asks(definition)
            and fingerprint(definition) != ""
            and self._launch_of(definition.server) is not None
        )
        changes = self._changes(definition)
        return ApprovalQuestion(call_id, definition, arguments, changes, can_always)

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
        others = _diff(decided.started, now) if decided.started else ""
        return join_texts("\n\n", OTHER_LAUNCH, others, changes)

    def _is_same(self, decided: Approval, definition: ToolDefinition) -> bool:
        """Whether the tool and its server are what was decided about."""
        if decided.launch is None:
            return decided.hash in {fingerprint(definition), _hash(_as_before(definition))} - {""}
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
            launch = self._launch_of(question.definition.server)
            await self._approvals.decide(question.definition, rule, launch)
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
