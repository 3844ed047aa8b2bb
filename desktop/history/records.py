"""The values of the history: a call on its way to it, a summary for lists, a whole record.

Also how a saved call went last. Decides nothing and is cheap to import.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct, field

from desktop.values.spilled import size_in_memory

if TYPE_CHECKING:
    from datetime import datetime

    from desktop.values.tool_types import JsonObject, JsonPath, ToolCall, ToolResult


CallKind: TypeAlias = Literal["tool", "resource", "prompt"]
"""What was called: a tool, or the server for a resource or a prompt that a person asked for."""


class FinishedCall(NamedTuple):
    """A call that ended, as it is handed to the writer.

    What was read is a call with the key `server:URI`, a prompt one with `server:name`.
    """

    call: ToolCall
    result: ToolResult
    schema: JsonObject
    known: frozenset[str] = frozenset()
    """Secrets that the server was given: it may have repeated them."""
    kind: CallKind = "tool"

    @property
    def weight(self) -> int:
        """Roughly the bytes it holds while it waits, by what costs nothing to ask."""
        result = self.result
        media = sum(size_in_memory(block.readable_data) for block in result.content)
        return 1000 + size_in_memory(result.readable_output) + media


Outcome: TypeAlias = Literal["passed", "failed", "unreachable", "timeout", "skipped"]
"""How a saved call went; `skipped` was not made, because another failed whose result it needs."""
SavedCallPlace: TypeAlias = tuple[str, str]
"""A file and the name of a call in it."""


class LastRun(Struct, frozen=True):
    """`at` in UTC. What the call answered is in the history, not here."""

    outcome: Outcome
    at: datetime
    seconds: float


DONE = "done"
"""The outcome of a call that succeeded; any other is its `ErrorCode`."""
FAILED = "failed"
"""In a query: every outcome but `DONE`."""


class Summary(Struct, frozen=True):
    """One call as a row: `at` is when it started, in UTC; `duration` in seconds.

    `arguments` is the beginning of their JSON, `message` that of the error. `approval_wait` has the
    seconds that it waited for an approval before `at`; `model` is the model or client that asked
    for it.
    """

    id: int
    key: str
    at: datetime
    duration: float
    origin: str
    outcome: str
    arguments: str
    message: str = ""
    kind: CallKind = "tool"
    call_id: str = ""
    model: str = ""
    approval_wait: float = 0.0
    has_media: bool = False
    """Whether pictures or sounds of its result are kept."""

    @property
    def server(self) -> str:
        return self.key.partition(":")[0]

    @property
    def is_done(self) -> bool:
        return self.outcome == DONE


class Record(Struct, frozen=True):
    """One call as a whole.

    `arguments` is None where they were too large to keep. `hidden` says where in them a secret was
    replaced. `cut` has the true size in bytes of each part that was not kept whole (`output`,
    `structured`, `arguments`, `content[2]`, ...).
    """

    summary: Summary
    call_id: str
    arguments: JsonObject | None
    result: ToolResult
    hidden: tuple[JsonPath, ...] = ()
    cut: JsonObject = field(default_factory=dict[str, Any])


class CallPage(Struct, frozen=True):
    """Some calls, the latest first; `total` is how many there are of this search in all."""

    calls: tuple[Summary, ...]
    total: int


class Kept(Struct, frozen=True):
    """What the history holds: calls, roughly their bytes, and when the oldest of them started."""

    calls: int
    bytes: int
    since: datetime | None


class Query(Struct, frozen=True):
    """What to list: calls that have each word of `text` and all else that is set.

    `since` is when they started at the earliest, in seconds since the epoch. `outcome` is `DONE`,
    `FAILED` (all that are not done), or the code of an error.
    """

    text: str = ""
    key: str = ""
    since: float = 0.0
    origin: str = ""
    server: str = ""
    outcome: str = ""
