"""The page on configuration has a line for each kind, with the bounds that hold."""

from __future__ import annotations

import re
from pathlib import Path

from desktop.config.models import KeepDays
from desktop.features.chat.agent.large_results import MAX_STORED_LENGTH
from desktop.features.storage import kinds
from desktop.features.storage.kinds import KINDS
from desktop.history.serialization import HistoryLimits

PAGE = Path(__file__).parents[3] / "docs" / "configuration.md"


def table() -> dict[str, list[str]]:
    """The cells after the name of each kind."""
    text = PAGE.read_text("utf-8")
    part = text[text.index("## Storage") : text.index("## Saved calls")]
    rows = re.findall(r"^\| `([\w-]+)` \|(.*)\|$", part, re.MULTILINE)
    return {key: [cell.strip() for cell in cells.split("|")] for key, cells in rows}


def test_each_kind_has_its_line_in_the_order_of_the_page() -> None:
    assert list(table()) == [kind.key for kind in KINDS]


def test_the_line_says_for_how_long_a_kind_is_kept_by_itself() -> None:
    said = table()
    for kind in KINDS:
        if kind.keep is not None:
            days = getattr(KeepDays(), kind.keep)
            assert said[kind.key][2] == (f"{days} days" if days else "for ever")


def test_the_bounds_in_the_lines_are_those_that_hold() -> None:
    said = {key: cells[1] for key, cells in table().items()}
    limits = HistoryLimits()
    calls = f"{limits.calls:,} calls or {limits.total // 1_000_000} MB; of one call {limits.text:,}"
    assert said["calls"].startswith(calls)
    assert f"{MAX_STORED_LENGTH:,} characters" in said["chats"]
    for kind in (kinds.SET_ASIDE, kinds.REMOVED_LOGS):
        assert said[kind.key].startswith(f"{kind.most_items} ")
        assert f" or {kind.most_bytes // 1_000_000:,} MB" in said[kind.key]
    assert said["recordings"].startswith(f"{kinds.MAX_RECORDING_BYTES // 1_000_000:,} MB")
