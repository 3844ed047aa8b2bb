"""What `test` is told, for it and for what records calls. Reads nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.cli.reports import ReportOptions

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.features.saved_calls.recorded_calls import Expected


class TestOptions(ReportOptions):
    """What `test` is told."""

    places: list[Path]
    timeout: float | None = None
    against: list[str] | None = None
    same: bool = False
    update_snapshots: bool = False
    remove_leftover_snapshots: bool = False
    record: Path | None = None
    origin: Path | None = None
    last: int = 0
    expect: Expected = "shape"
    elicit: str | None = None
