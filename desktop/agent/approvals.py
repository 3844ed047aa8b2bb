"""What a person decided about tools, in `approvals.json`: shared by all sessions and processes.

Each decision is bound to the definition it was made for. A file that cannot be read counts as no
decision, so that everything is asked about, and is kept aside before it is written anew. Must not
ask anybody.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from desktop.agent.fingerprint import fingerprint, kept
from desktop.atomic_file import keep_backup, read_file, write_file
from desktop.errors import ConfigError
from desktop.file_lock import locked
from desktop.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from desktop.tool_types import ToolDefinition

Rule: TypeAlias = Literal["ask", "always", "never"]
LOCK_LIMIT = 5.0
_RULES = ("ask", "always", "never")


@dataclass(frozen=True, slots=True)
class Approval:
    """One decision; `hash` and `definition` are of the tool as it was then."""

    rule: Rule
    hash: str = ""
    definition: dict[str, Any] | None = None


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

    async def decide(self, definition: ToolDefinition, rule: Rule) -> None:
        """Remember the rule for the tool as it is now.

        Raises:
            ConfigError: it cannot be written.
        """
        approval = Approval(rule, fingerprint(definition), kept(definition))

        def change(document: dict[str, Any]) -> None:
            _object(document, "tools")[definition.key] = {
                "rule": approval.rule,
                "hash": approval.hash,
                "definition": approval.definition,
            }

        await self._write(change)

    async def forget(self, key: str) -> None:
        """Take a decision back: the tool is asked about. Raises `ConfigError`."""
        await self._write(lambda document: _object(document, "tools").pop(key, None))

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
            with locked(lock, LOCK_LIMIT):
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
            tools[key] = Approval(entry["rule"], str(entry.get("hash", "")), _definition(entry))
    return _Content(tools, document.get("readOnly") == "allow")


def _definition(entry: dict[str, Any]) -> dict[str, Any] | None:
    value = entry.get("definition")
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _object(document: dict[str, Any], name: str) -> dict[str, Any]:
    if not isinstance(document.get(name), dict):
        document[name] = {}
    return cast("dict[str, Any]", document[name])
