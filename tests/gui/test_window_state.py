from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QByteArray, QSettings

from desktop.gui.window_state import WindowState, saved_number

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import ExpectedLogs


@pytest.mark.parametrize(
    ("value", "number"), [(None, 0), ("2", 2), (3, 3), ("x", 0), (["1", "2"], 0)]
)
def test_a_number_or_nothing(settings: QSettings, value: object, number: int) -> None:
    if value is not None:
        settings.setValue("n", value)
    assert saved_number(settings, "n") == number


def test_what_was_saved_is_there_in_the_next_run(tmp_path: Path) -> None:
    state = WindowState(tmp_path / "window.ini")
    state.geometry, state.page = QByteArray(b"place"), "tools"
    state.scheme, state.language = "dark", "zh_CN"
    state.save()

    again = WindowState(tmp_path / "window.ini")

    assert again.geometry == QByteArray(b"place")
    assert (again.page, again.scheme, again.language) == ("tools", "dark", "zh_CN")


def test_a_first_run_has_the_defaults(tmp_path: Path) -> None:
    state = WindowState(tmp_path / "new" / "window.ini")

    assert state.geometry.isEmpty()
    assert (state.page, state.scheme, state.language) == ("", "system", "system")


def test_a_broken_file_reads_as_the_defaults(tmp_path: Path, expected_logs: ExpectedLogs) -> None:
    expected_logs.expect(r"window\.ini is damaged")
    (tmp_path / "window.ini").write_bytes(b"\x00\xff[look]\ntheme=pink\nlanguage=\x01")
    state = WindowState(tmp_path / "window.ini")

    assert (state.scheme, state.language) == ("system", "system")
    assert state.geometry.isEmpty()


def test_a_folder_that_cannot_be_written_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    state = WindowState(tmp_path / "file" / "window.ini")
    state.page = "tools"

    state.save()

    assert state.page == "tools"
