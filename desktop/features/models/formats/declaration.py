"""The request formats, and one tool as one provider is shown it, with what was changed for that.

Sources of the limits: the docstrings of openai 3.52, anthropic 2.11 and google-genai 3.4, and the
servers' own error messages where those are stricter. Plain types; converts nothing.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct, field

from desktop.base.later_patterns import compile_later
from desktop.base.translatable import TranslatableText

if TYPE_CHECKING:
    from desktop.config.providers import Kind
    from desktop.values.tool_types import JsonObject, JsonPath


class ApiFormat(StrEnum):
    """A request format of a provider; the values are those of `mcp-desktop tools --format`."""

    OPENAI = "openai"
    OPENAI_RESPONSES = "openai-responses"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"

    @classmethod
    def _missing_(cls, value: object) -> ApiFormat | None:
        """By the name of the company, too."""
        return {"google": cls.GEMINI, "claude": cls.ANTHROPIC}.get(str(value).lower())


def request_format(kind: Kind, *, speaks_responses: bool) -> ApiFormat:
    """The format of a provider of this kind; `speaks_responses` tells OpenAI's two apart."""
    match kind:
        case "anthropic":
            return ApiFormat.ANTHROPIC
        case "gemini":
            return ApiFormat.GEMINI
        case "openai":
            return ApiFormat.OPENAI_RESPONSES if speaks_responses else ApiFormat.OPENAI


MAX_TOOLS: Final = {ApiFormat.OPENAI: 128, ApiFormat.OPENAI_RESPONSES: 128, ApiFormat.GEMINI: 512}
"""Tools per request, above which the whole request is refused. Anthropic documents no limit."""

WIRE_NAME: Final = compile_later(r"[A-Za-z_][A-Za-z0-9_-]{0,62}")
"""To match whole. Gemini wants a letter or `_` first, and has refused 64 characters."""

PROVIDERS: Final = {
    ApiFormat.OPENAI: "OpenAI",
    ApiFormat.OPENAI_RESPONSES: "OpenAI",
    ApiFormat.ANTHROPIC: "Anthropic",
    ApiFormat.GEMINI: "Gemini",
}


class Verdict(StrEnum):
    """Whether a provider gets a tool as its server meant it.

    `OK`: it means the same (titles may be gone, references replaced). `REPAIRED`: it would have
    been refused or misread, so something was renamed, added or loosened. `REJECTED`: it is not
    sent.
    """

    OK = "ok"
    REPAIRED = "repaired"
    REJECTED = "rejected"


class Declaration(Struct, frozen=True):
    """`body` is the exact JSON of this tool in a request, empty where it is rejected.

    It is shared between requests and must not be changed. `reason` says why it is rejected.
    `renamed_properties` maps each new name to the server's own; `tokens` is an estimate.
    """

    key: str
    wire_name: str
    api_format: ApiFormat
    verdict: Verdict
    body: JsonObject = field(default_factory=dict[str, object])
    changes: tuple[Change, ...] = ()
    reason: str = ""
    renamed_properties: dict[str, str] = field(default_factory=dict[str, str])
    tokens: int = 0


ChangeKind: TypeAlias = Literal["renamed", "dropped", "loosened", "added", "moved"]

MAX_CHANGES: Final = 200
"""Changes listed per tool; nobody reads more."""
_MAX_SENTENCE: Final = 300


class Change(Struct, frozen=True):
    """One difference between what a provider gets and what the server declared.

    `kind`: "renamed"; "dropped" for what says nothing about values (titles, comments); "loosened"
    for a rule that is gone or weaker (never stronger); "added" for what the provider insists on;
    "moved" for the same thing said in another way. `path` is a JSON Pointer (RFC 6901) into the
    server's schema, through its references; "" is the schema itself.
    """

    kind: ChangeKind
    path: str
    sentence: TranslatableText


class Report(Struct):
    """Collects the changes of one tool; `loosened` counts all, also those not kept."""

    changes: dict[Change, None] = field(default_factory=dict[Change, None])
    loosened: int = 0

    def add(self, kind: ChangeKind, path: JsonPath, sentence: TranslatableText) -> None:
        if kind == "loosened":
            self.loosened += 1
        if len(self.changes) < MAX_CHANGES:
            self.changes[Change(kind, json_pointer(path), _shorten(sentence))] = None


def _shorten(sentence: TranslatableText) -> TranslatableText:
    """The same sentence with shorter values, as a schema may hold long ones."""
    if len(sentence) <= _MAX_SENTENCE:
        return sentence
    room = _MAX_SENTENCE // 2
    values = {
        name: f"{value[: room - 1]}…" if isinstance(value, str) and len(value) > room else value
        for name, value in sentence.values.items()
    }
    return TranslatableText(sentence.pattern, values)


def json_pointer(path: JsonPath) -> str:
    """The JSON Pointer of a path."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)
