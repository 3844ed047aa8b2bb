"""The kinds of files in the data folder: what each is called, its bound, what deleting it means.

`docs/configuration.md` has a line for each; a test holds the two together. Must not touch a file.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from desktop.base.translatable import translatable
from desktop.diagnostics.crash_reports import MAX_REPORTS
from desktop.diagnostics.logs import FILE_BYTES, MAX_FILES
from desktop.features.chat.agent.large_results import MAX_STORED_LENGTH
from desktop.history.serialization import HistoryLimits
from desktop.servers.transport.stderr_log import MAX_FILE_LENGTH
from desktop.tools.result_spill import MAX_ON_DISK

KeepField: TypeAlias = Literal[
    "removed_server_logs", "files_set_aside", "crash_reports", "recordings", "chats"
]
"""A field of `KeepDays`."""
MAX_SET_ASIDE: Final = 50
MAX_SET_ASIDE_BYTES: Final = 1_000_000_000
MAX_REMOVED_LOGS: Final = 200
MAX_REMOVED_LOG_BYTES: Final = 100_000_000
MAX_RECORDING_BYTES: Final = 2_000_000_000
_MB: Final = 1_000_000


class Kind(Struct, frozen=True):
    """One kind. Texts are English and translatable; `place` is relative to the data folder."""

    key: str
    """Its name in the terminal and in JSON."""
    title: str
    bound: str
    place: str = "."
    loss: str = ""
    """What deleting takes away; empty: it is not deleted here."""
    keep: KeepField | None = None
    """The setting that says for how many days it is kept."""
    most_items: int = 0
    """What is kept here at most, the latest; 0: there is no such bound, or others hold it."""
    most_bytes: int = 0


def calls_bound(limits: HistoryLimits) -> str:
    """What the history keeps at most."""
    values = {"calls": limits.calls, "megabytes": limits.total // _MB}
    if limits.days:
        return translatable(
            "At most {calls:,} calls or {megabytes:,} MB of the last {days:,} days; "
            "the oldest go first",
            **values,
            days=limits.days,
        )
    return translatable(
        "At most {calls:,} calls or {megabytes:,} MB; the oldest go first", **values
    )


def _count_and_size(items: int, size: int) -> str:
    return translatable(
        "At most {count:,} files or {megabytes:,} MB; the oldest go first",
        count=items,
        megabytes=size // _MB,
    )


CALLS: Final = Kind(
    "calls",
    translatable("Calls"),
    calls_bound(HistoryLimits()),
    loss=translatable("All recorded calls and their results go, and how saved calls went last."),
)
SET_ASIDE: Final = Kind(
    "set-aside",
    translatable("Files set aside"),
    _count_and_size(MAX_SET_ASIDE, MAX_SET_ASIDE_BYTES),
    loss=translatable(
        "The originals of files that were damaged or of another version go, with what is in them."
    ),
    keep="files_set_aside",
    most_items=MAX_SET_ASIDE,
    most_bytes=MAX_SET_ASIDE_BYTES,
)
CHATS: Final = Kind(
    "chats",
    translatable("Chats"),
    translatable(
        "No bound; large results of one chat: {megabytes:,} MB", megabytes=MAX_STORED_LENGTH // _MB
    ),
    "sessions",
    loss=translatable("All chats that are not open go, with their large results."),
    keep="chats",
)
APP_LOG: Final = Kind(
    "app-log",
    translatable("Log of the app"),
    translatable(
        "At most {count} files of {megabytes:,} MB; the oldest lines go first",
        count=MAX_FILES + 1,
        megabytes=FILE_BYTES // _MB,
    ),
    "logs",
    loss=translatable("All lines so far go; the log goes on."),
)
SERVER_LOGS: Final = Kind(
    "server-logs",
    translatable("Logs of servers"),
    translatable(
        "At most 2 files of {megabytes:,} MB for each server; the oldest lines go first",
        megabytes=MAX_FILE_LENGTH // _MB,
    ),
    "logs/servers",
    loss=translatable("All lines so far go; the logs go on."),
)
REMOVED_LOGS: Final = Kind(
    "removed-server-logs",
    translatable("Logs of removed servers"),
    _count_and_size(MAX_REMOVED_LOGS, MAX_REMOVED_LOG_BYTES),
    "logs/servers",
    loss=translatable("The logs of servers that are not configured any more go."),
    keep="removed_server_logs",
    most_items=MAX_REMOVED_LOGS,
    most_bytes=MAX_REMOVED_LOG_BYTES,
)
CRASH_REPORTS: Final = Kind(
    "crash-reports",
    translatable("Crash reports"),
    translatable("At most {count} reports; the oldest go first", count=MAX_REPORTS),
    "crashes",
    loss=translatable("All reports of failed runs go."),
    keep="crash_reports",
)
RECORDINGS: Final = Kind(
    "recordings",
    translatable("Recordings and traces"),
    translatable(
        "At most {megabytes:,} MB in this folder; the oldest go first. Elsewhere: no bound",
        megabytes=MAX_RECORDING_BYTES // _MB,
    ),
    loss=translatable("All recordings and traces in the data folder go; those elsewhere stay."),
    keep="recordings",
    most_bytes=MAX_RECORDING_BYTES,
)
LARGE_RESULTS: Final = Kind(
    "large-results",
    translatable("Large results of this run"),
    translatable("At most {megabytes:,} MB; gone when the app ends", megabytes=MAX_ON_DISK // _MB),
)
SAVED_CALLS: Final = Kind(
    "saved-calls",
    translatable("Saved calls"),
    translatable("No bound: they are yours. Delete them where they are listed"),
    "calls",
)
EVALS: Final = Kind(
    "evals",
    translatable("Runs of cases"),
    translatable("No bound: they are yours. Each is a file in this folder"),
    "evals",
)
SANDBOXES: Final = Kind(
    "sandboxes",
    translatable("Homes of servers in a sandbox"),
    translatable("No bound: each server's own files and packages, in a folder of its name"),
    "sandbox",
)
BUNDLES: Final = Kind(
    "bundles",
    translatable("Bundles"),
    translatable("No bound; each goes with its server"),
    "bundles",
)
LEDGERS: Final = Kind(
    "ledgers",
    translatable("Lists of running processes"),
    translatable("One for each run; gone when it ends, or with the next start"),
    "processes",
)
STATE: Final = Kind(
    "state",
    translatable("Decisions and state"),
    translatable("A few small files: approvals, trusted servers, names of secrets, the window"),
)
OTHER: Final = Kind(
    "other", translatable("Other files"), translatable("Not of this app, or of another version")
)
KINDS: Final = (
    *(CALLS, SET_ASIDE, CHATS, APP_LOG, SERVER_LOGS, REMOVED_LOGS, CRASH_REPORTS, RECORDINGS),
    *(LARGE_RESULTS, SAVED_CALLS, EVALS, SANDBOXES, BUNDLES, LEDGERS, STATE, OTHER),
)
"""All, in the order in which they are shown."""
