"""What a session is, beside its messages: what its file begins with and a list shows."""

from __future__ import annotations

import math
import re
import shlex
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, get_args

from msgspec import Struct, field
from msgspec.structs import asdict

from desktop.base.command_line import split_words
from desktop.base.errors import UsageError
from desktop.base.later_patterns import compile_later
from desktop.config.providers import Effort
from desktop.features.chat.llm.tool_choice import ToolChoice
from desktop.tools.approval_policy import Approving

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_TITLE_LENGTH = 60
"""Characters of the first question that become the title."""
_MODES = ("off", "auto", "manual")


class Builtin(Struct, frozen=True):
    """A built-in server of a session: its name in the catalog, and what it is started with."""

    name: str
    arguments: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str, platform: str = "linux") -> Builtin:
        """`sqlite 'my books.db'`, quoted as in a shell: so it stands in files on each system.

        Args:
            text: as `str` gives it.
            platform: as `sys.platform`, for what a person typed there.

        Raises:
            UsageError: it names nothing.
        """
        try:
            name, *arguments = split_words(text, platform)
        except ValueError as error:
            raise UsageError(
                f"{text[:80]!r} names no built-in server: {error or 'it is empty'}."
            ) from None
        return cls(name, tuple(arguments))

    def __str__(self) -> str:
        return shlex.join((self.name, *self.arguments))


class SessionTerms(Struct, frozen=True):
    """How a conversation is answered; 0 and None stand for what is usual.

    `turns` and `seconds` bound one question.
    """

    effort: Effort | None = None
    approving: Approving = "usual"
    turns: int = 0
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """What differs from the usual."""
        return {
            name: value for name, value in asdict(self).items() if value != getattr(USUAL, name)
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> SessionTerms:
        """Raises `TypeError` or `ValueError` where it is none."""
        effort, approving = value.get("effort"), value.get("approving", "usual")
        if effort not in (None, *get_args(Effort)) or approving not in get_args(Approving):
            raise ValueError("there are no such terms")
        turns, seconds = int(value.get("turns", 0)), float(value.get("seconds", 0))
        if turns < 0 or not 0 <= seconds < math.inf:
            raise ValueError("there are no such limits")
        return cls(effort, approving, turns, seconds)


USUAL: Final = SessionTerms()


class ChatSettings(Struct, frozen=True):
    """What a conversation is begun or gone on with.

    `builtins` and `system` count at its beginning alone.
    """

    provider: str = ""
    model: str = ""
    builtins: tuple[Builtin, ...] = ()
    choice: ToolChoice = field(default_factory=ToolChoice)
    system: str = ""
    terms: SessionTerms = USUAL

    def to_json(self) -> dict[str, Any]:
        return {
            "provider": self.provider,
            "model": self.model,
            "system": self.system,
            "builtins": [str(builtin) for builtin in self.builtins],
            "tools": {"mode": self.choice.mode, "servers": list(self.choice.servers)},
            **({"terms": terms} if (terms := self.terms.to_json()) else {}),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> ChatSettings:
        """Raises `KeyError`, `TypeError`, `ValueError` or `UsageError` where it is none."""
        tools = value["tools"]
        if tools["mode"] not in _MODES:
            raise ValueError("there is no such choice of tools")
        return cls(
            provider=str(value["provider"]),
            model=str(value["model"]),
            builtins=tuple(Builtin.read(str(builtin)) for builtin in value["builtins"]),
            choice=ToolChoice(tools["mode"], tuple(map(str, tools["servers"]))),
            system=str(value["system"]),
            terms=SessionTerms.from_json(value.get("terms", {})),
        )


class SessionInfo(Struct, frozen=True):
    """`created` in UTC; `title` is empty until there is one."""

    id: str
    created: datetime
    provider: str = ""
    model: str = ""
    system: str = ""
    builtins: tuple[Builtin, ...] = ()
    choice: ToolChoice = field(default_factory=ToolChoice)
    title: str = ""
    terms: SessionTerms = USUAL

    @property
    def settings(self) -> ChatSettings:
        """What it goes on with."""
        return ChatSettings(
            self.provider, self.model, self.builtins, self.choice, self.system, self.terms
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "created": self.created.isoformat(),
            "title": self.title,
            **self.settings.to_json(),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> SessionInfo:
        """Raises `KeyError`, `TypeError`, `ValueError` or `UsageError` where it is none."""
        found = ChatSettings.from_json(value)
        return cls(
            id=str(value["id"]),
            created=datetime.fromisoformat(value["created"]),
            provider=found.provider,
            model=found.model,
            system=found.system,
            builtins=found.builtins,
            choice=found.choice,
            title=str(value["title"]),
            terms=found.terms,
        )


_READ = 4_000  # characters of a text that a title is looked for in
_FENCED = compile_later(r"^ {0,3}(```|~~~).*?(^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
_MARKS = compile_later(
    r"^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,3}[.)])[ \t]+|(?<!\w)[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}(?!\w)"
)
_LINK = compile_later(r"!?\[([^\]\n]{0,200})\]\([^)\n]{0,500}\)")
_GREETING = compile_later(
    r"(?:(?:hello|hi|hey|good (?:morning|afternoon|evening)|thanks?(?: you)?)(?: there| all)?"
    r"|(?:can|could|would|will) you(?: please)?|please|您好|你好|请问|请您?|麻烦您?|能否|能不能)"
    r"(?![A-Za-z])[\s,.!:;，。！：；]*",
    re.IGNORECASE,
)
_SENTENCE_END = compile_later(r"(?<=[.!?])\s+|(?<=[。！？])")


def title_of(text: str) -> str:
    """A title from what a text is about: its first sentence without greetings and marks.

    Empty where nothing is said yet ("Hi!").
    """
    prose = _FENCED.sub("", text[:_READ])
    for line in (prose if prose.strip() else text[:_READ]).splitlines():
        words = " ".join(_MARKS.sub("", _LINK.sub(r"\1", line)).split())
        begin = ""
        while words and (greeting := _GREETING.match(words)):
            words = words[greeting.end() :]
            begin = words[:1].upper()
        if any(letter.isalnum() for letter in words):
            sentence = _SENTENCE_END.split(words, maxsplit=1)[0].rstrip(".。:： ")
            return make_title((begin or sentence[:1]) + sentence[1:])
    return ""


def make_title(text: str) -> str:
    """One short line, cut between words where it can be."""
    line = " ".join(text.split())
    if len(line) <= MAX_TITLE_LENGTH:
        return line
    cut = line[: MAX_TITLE_LENGTH - 1]
    begin, _, rest = cut.rpartition(" ")
    return f"{(begin if len(rest) < MAX_TITLE_LENGTH // 3 else cut).rstrip()}…"
