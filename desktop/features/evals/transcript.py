"""What was said and called in one run of a case, and the file that keeps it, a line a run.

What is kept is enough to judge the run again by other expectations, without a model. Secrets of the
run's calls and servers are hidden in it. Texts are cut, so that a run of thousands stays readable.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct, field, to_builtins
from msgspec.structs import replace

from desktop.base.private_files import opener
from desktop.features.models.messages import (
    AssistantMessage,
    ToolAnswer,
    ToolMessage,
    ToolRequest,
    UserMessage,
)
from desktop.features.saved_calls.saved_call_files import CallFileError
from desktop.redaction.arguments import replace_values
from desktop.tools.wire_names import wire_name
from desktop.values.json_schema import list_of, object_of
from desktop.values.tool_types import ErrorCode, ToolError, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from desktop.features.models.messages import Message

MAX_TEXT = 20_000
"""Characters of a result, or of what was said on the way."""
MAX_ANSWER = 200_000
MAX_LINE = 8_000_000
VERSION = 1
_KIND = "mcp-desktop/evals"


class Said(Struct, frozen=True):
    """A text; `who` is `person` or `model`."""

    who: str
    text: str


class ModelCall(Struct, frozen=True):
    """A call that the model made; `error` is its code, empty where it went well."""

    tool: str
    arguments: Any
    output: str = ""
    error: str = ""
    asked: bool = False
    """Whether the server asked something back while it ran."""


Part: TypeAlias = "Said | ModelCall"


class RunTranscript(Struct, frozen=True):
    """One run of a case by one model on one column of servers.

    `end` is that of the last question; `problem` says why it is not known how the model does.
    `values` are those of the case's placeholders. `judged` has a judge's sentences with its answer.
    `cost` is None where the price is not known; tokens are those of both ways together.
    """

    case: str
    model: str
    column: str = ""
    digest: str = ""
    """Of what was asked: a run of another question says nothing of this one."""
    parts: tuple[Part, ...] = ()
    answer: str = ""
    end: str = "done"
    error: str = ""
    problem: str = ""
    turns: int = 0
    tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None
    values: tuple[Any, ...] = ()
    judged: dict[str, bool] = field(default_factory=dict[str, bool])

    @property
    def calls(self) -> list[ModelCall]:
        return [part for part in self.parts if isinstance(part, ModelCall)]

    def hiding(self, secrets: Sequence[str]) -> RunTranscript:
        """The same without these values."""
        known = [each for each in secrets if each]
        return from_json(replace_values(to_json(self), known)) if known else self

    def judge(self, says: str, *, is_true: bool | None) -> RunTranscript:
        """The same with what a judge said; None: it did not decide."""
        if is_true is None:
            return self
        return replace(self, judged={**self.judged, says: is_true})


def messages_of(run: RunTranscript) -> list[Message]:
    """The run as a conversation: what it kept of it, with nothing that a provider sent beside."""
    found: list[Message] = []
    for part in run.parts:
        if isinstance(part, Said):
            found.append(
                UserMessage(part.text)
                if part.who == "person"
                else AssistantMessage(part.text, model=run.model)
            )
            continue
        request, answer = _call_of(part, f"call-{len(found)}")
        match found:
            case [*_, AssistantMessage(requests=()) as said]:  # it said something and called
                found[-1] = replace(said, requests=(request,), stop="tools")
            case _:
                found.append(AssistantMessage("", (request,), stop="tools", model=run.model))
        found.append(ToolMessage((answer,)))
    return found


def _call_of(call: ModelCall, number: str) -> tuple[ToolRequest, ToolAnswer]:
    server, colon, tool = call.tool.partition(":")
    name, key = (wire_name(server, tool), call.tool) if colon else (call.tool, "")
    error = ToolError("", call.output, _code(call.error)) if call.error else None
    result = ToolResult(error is None, "" if error else call.output, error)
    is_usual = isinstance(call.arguments, str | dict)  # a model may write a list, or a number
    written = call.arguments if is_usual else json.dumps(call.arguments)
    return ToolRequest(number, name, written, key), ToolAnswer(number, name, result)


def _code(text: str) -> ErrorCode:
    """Of another version, perhaps."""
    return ErrorCode(text) if text in tuple(ErrorCode) else ErrorCode.TOOL_ERROR


def cut(text: str, most: int = MAX_TEXT) -> str:
    """A text that is not longer than `most`, and says where it was cut."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def to_json(run: RunTranscript) -> dict[str, Any]:
    """A line of the file."""
    return to_builtins(run, enc_hook=str.__str__)  # a `TranslatableText` as its English


def from_json(value: object) -> RunTranscript:
    """Raises `ValueError` where it is none."""
    members = dict(object_of(value))
    try:
        members["parts"] = tuple(_part(dict(object_of(each))) for each in list_of(members["parts"]))
        members["values"] = tuple(list_of(members["values"]))
        names: list[object] = [members["case"], members["model"]]
        run = RunTranscript(**members)
    except (KeyError, TypeError) as error:
        raise ValueError(f"this is no run of a case: {error}") from None
    if not all(isinstance(each, str) for each in (*names, members.get("answer", ""))):
        raise ValueError("this is no run of a case")
    return run


def _part(value: dict[str, Any]) -> Part:
    return Said(**value) if "who" in value else ModelCall(**value)


class TranscriptFile:
    """Runs in a file that only grows: each is on the disk as soon as it has ended."""

    def __init__(self, path: Path) -> None:
        """Reads and writes nothing yet."""
        self.path = path
        self._has_begun = False

    def add(self, run: RunTranscript) -> None:
        """Append a run. Raises `CallFileError` where it cannot be written."""
        is_new = not self._has_begun and not self.path.exists()
        lines = _line({"version": VERSION}) if is_new else ""
        if not self._has_begun and not is_new and not self._ends_with_line():
            lines = "\n"  # a run that was written when the power went: it is left alone
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "a", encoding="utf-8", opener=opener) as file:
                file.write(lines + _line({"run": to_json(run)}))
        except OSError as error:
            raise CallFileError(f"{self.path} cannot be written: {error.strerror}.") from error
        self._has_begun = True

    def read(self) -> Iterator[RunTranscript]:
        """All runs that are whole, the oldest first.

        Raises:
            CallFileError: it cannot be read, or is of another kind or version.
        """
        try:
            with self.path.open(encoding="utf-8", errors="replace") as file:
                head = _object(file.readline(MAX_LINE))
                if head.get("kind") != _KIND or head.get("version") != VERSION:
                    raise CallFileError(
                        f"{self.path} has no runs of cases of version {VERSION}.",
                        remedy="Name a file that test --transcripts has written.",
                    )
                while line := file.readline(MAX_LINE):
                    try:
                        yield from_json(_object(line)["run"])
                    except (KeyError, ValueError):
                        continue  # the line that was cut off when the power went
        except OSError as error:
            raise CallFileError(f"{self.path} cannot be read: {error.strerror}.") from error

    def _ends_with_line(self) -> bool:
        with self.path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - 1))
            return file.read(1) in (b"\n", b"")


def folder_of(data: Path) -> Path:
    """Where runs are kept of which nobody said where, in the folder of the app's data."""
    return data / "evals"


def new_file(data: Path) -> Path:
    """A name in that folder that says when, and that no other run has."""
    return folder_of(data) / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.jsonl"


def _line(members: dict[str, Any]) -> str:
    return json.dumps({"kind": _KIND, **members}, ensure_ascii=False, default=str) + "\n"


def _object(line: str) -> dict[str, Any]:
    try:
        return dict(object_of(json.loads(line)))
    except (ValueError, RecursionError):
        return {}
