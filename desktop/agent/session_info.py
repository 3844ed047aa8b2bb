"""What a session is, beside its messages: what its file begins with and a list shows."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from desktop.errors import UsageError
from desktop.llm.tool_choice import ToolChoice

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_TITLE_LENGTH = 60
"""Characters of the first question that become the title."""
_MODES = ("off", "auto", "manual")


@dataclass(frozen=True, slots=True)
class Builtin:
    """A built-in server of a session: its name in the catalog, and what it is started with."""

    name: str
    arguments: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> Builtin:
        """`filesystem --read-only 'my folder'`, quoted as in a shell. Raises `UsageError`."""
        try:
            name, *arguments = shlex.split(text)
        except ValueError as error:
            raise UsageError(
                f"{text[:80]!r} names no built-in server: {error or 'it is empty'}."
            ) from None
        return cls(name, tuple(arguments))

    def __str__(self) -> str:
        return shlex.join((self.name, *self.arguments))


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """`created` in UTC; `title` is empty until there is one."""

    id: str
    created: datetime
    provider: str = ""
    model: str = ""
    system: str = ""
    builtins: tuple[Builtin, ...] = ()
    choice: ToolChoice = field(default_factory=ToolChoice)
    title: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "created": self.created.isoformat(),
            "title": self.title,
            "provider": self.provider,
            "model": self.model,
            "system": self.system,
            "builtins": [str(builtin) for builtin in self.builtins],
            "tools": {"mode": self.choice.mode, "servers": list(self.choice.servers)},
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> SessionInfo:
        """Raises `KeyError`, `TypeError`, `ValueError` or `UsageError` where it is none."""
        tools = value["tools"]
        if tools["mode"] not in _MODES:
            raise ValueError("there is no such choice of tools")
        return cls(
            id=str(value["id"]),
            created=datetime.fromisoformat(value["created"]),
            provider=str(value["provider"]),
            model=str(value["model"]),
            system=str(value["system"]),
            builtins=tuple(Builtin.read(str(builtin)) for builtin in value["builtins"]),
            choice=ToolChoice(tools["mode"], tuple(map(str, tools["servers"]))),
            title=str(value["title"]),
        )


def make_title(text: str) -> str:
    """A title made of a person's first words."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_TITLE_LENGTH else f"{line[: MAX_TITLE_LENGTH - 1].rstrip()}…"
