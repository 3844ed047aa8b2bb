"""Approvals of tool calls: what a person is asked and answers, and the decisions that are kept.

`approvals.json` is shared by all sessions and processes. A decision holds only for the definition
and for the command or address it was made for: a server can change a tool after it was allowed
("rug pull"), and a name can come to stand for another server, so a changed tool is asked about
again, with the difference. It is forgotten when its server is removed. A file that cannot be read
counts as no decision. `ApprovalPolicy` applies them. Must not run a tool.
"""

from __future__ import annotations

import asyncio
import difflib
import hashlib
import json
import logging
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias, cast

from msgspec import Struct, field
from msgspec.structs import asdict

from desktop.base.damaged_files import OwnFile
from desktop.base.errors import ConfigError
from desktop.base.file_lock import FileLock, locked
from desktop.base.later_patterns import compile_later
from desktop.base.signals import Signal
from desktop.base.tasks import TaskGroup
from desktop.base.translatable import translatable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from desktop.base.damaged_files import Damages
    from desktop.config.launch_details import Launch
    from desktop.values.tool_types import JsonObject, ToolDefinition


Choice: TypeAlias = Literal["once", "always", "never", "deny"]
"""Allow this call; this tool from now on; refuse this tool from now on; refuse this call."""


class FileChange(Struct, frozen=True):
    """What a file becomes: lines of a unified diff, all of them new where there is no file yet."""

    path: str
    difference: str
    is_new: bool = False


class ApprovalQuestion(Struct, frozen=True):
    """May this call be sent? `arguments` fit the tool's schema; all texts are the server's: data.

    `difference` is not empty where the tool was allowed for always and is another one by now: lines
    of a unified diff. Where `can_always` is False the answer "always" counts as "once". `change` is
    there where the call writes a file of the built-in filesystem.
    """

    call_id: str
    definition: ToolDefinition
    arguments: JsonObject
    difference: str = ""
    can_always: bool = True
    change: FileChange | None = None


class ApprovalResponse(Struct, frozen=True):
    """`arguments`, where a person corrected them, are sent instead; None leaves them.

    `reason` is what the model is told beside a refusal; it may be empty.
    """

    choice: Choice
    arguments: JsonObject | None = None
    reason: str = ""


class ApprovalPrompter(Protocol):
    """Asks a person. Several questions may be open at a time: queue them or show them together.

    Being cancelled means that nobody waits for the answer any more: the question goes.
    """

    async def ask(self, question: ApprovalQuestion) -> ApprovalResponse: ...


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


def earlier_fingerprint(definition: ToolDefinition) -> str:
    """The hash that versions without `Approval.launch` made."""
    return _hash(_as_before(definition))


def _hash(described: dict[str, Any]) -> str:
    try:
        text = json.dumps(described, sort_keys=True, separators=(",", ":"))
    except (RecursionError, TypeError, ValueError):
        return ""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


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
    return unified_diff(before, after)


def unified_diff(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """What differs, line by line, up to a limit."""
    lines = list(difflib.unified_diff(_lines(before), _lines(after), "before", "now", n=1))
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


logger = logging.getLogger(__name__)
Rule: TypeAlias = Literal["ask", "always", "never"]
LOCK_TIMEOUT = 5.0
"""Seconds to wait for another run of the app that writes them."""
_RULES = ("ask", "always", "never")


class Approval(Struct, frozen=True):
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


class _Content(Struct, frozen=True):
    tools: dict[str, Approval]
    read_only: bool = False


class Approvals:
    """The decisions as they are on the disk now."""

    def __init__(self, path: Path, damages: Damages | None = None) -> None:
        """Reads nothing yet; the file need not be there.

        Args:
            path: where it is.
            damages: tells a person of a damaged one.
        """
        self._path = path
        self._file = OwnFile(
            path, "tools", dict, translatable("Every tool is asked about."), damages
        )
        self._stamp: tuple[int, int, int] | None = None
        self._content = _Content({})
        self.problem = ""
        """Why the file could not be read; empty where it could."""
        self._tasks = TaskGroup("approvals")
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

    def forget_removed(self, server: str) -> None:
        """As `forget_server`, without waiting for it; a failure is in the log."""
        self._tasks.spawn(self._forget_removed(server), f"forget the approvals of {server}")

    async def close(self) -> None:
        """Wait until what is being forgotten is forgotten."""
        await self._tasks.close()

    async def _forget_removed(self, server: str) -> None:
        try:
            await self.forget_server(server)
        except ConfigError as error:
            logger.warning("the approvals of %s are not forgotten: %s", server, error)

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
            document, self.problem = self._read()
            self._content = _content(document)
        return self._content

    def _read(self) -> tuple[dict[str, Any], str]:
        """What is decided, and what is wrong with the file: then as much as can be read."""
        document, problem = self._file.read()
        return document or {"tools": {}}, problem

    async def _write(self, change: Callable[[dict[str, Any]], object]) -> None:
        await asyncio.to_thread(self._write_now, change)
        self.changed.send()

    def _write_now(self, change: Callable[[dict[str, Any]], object]) -> None:
        lock = self._path.with_name(f"{self._path.name}.lock")
        try:
            with locked(FileLock(lock), LOCK_TIMEOUT):
                document, _ = self._read()
                change(document)
                self._file.write(document)
        except OSError as error:
            raise ConfigError(
                translatable("{path} cannot be written: {error}", path=self._path, error=error)
            ) from error


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


_WORD: Final = compile_later(r"[A-Z]?[a-z0-9]+|[A-Z]+")
_SHELLS: Final = frozenset(("shell", "bash", "zsh", "sh", "cmd", "powershell", "pwsh", "terminal"))


def is_shell(key: str) -> bool:
    """Whether the words of `server:tool` say that it runs any command."""
    return bool({word.lower() for word in _WORD.findall(key)} & _SHELLS)
