from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings

from desktop.gui.results.view_settings import ViewSettings

if TYPE_CHECKING:
    from pathlib import Path


def ini(path: Path) -> QSettings:
    return QSettings(str(path / "window.ini"), QSettings.Format.IniFormat)


def test_a_choice_is_remembered_over_runs(tmp_path: Path) -> None:
    first = ini(tmp_path)
    ViewSettings(first).choose("wraps", False)
    first.sync()
    again = ViewSettings(ini(tmp_path))
    assert (again["wraps"], again["monospaced"]) == (False, True)


def test_a_change_is_told_once() -> None:
    told: list[bool] = []
    reading = ViewSettings()
    reading.changed.connect(lambda: told.append(reading["numbers"]))
    reading.choose("numbers", True)
    reading.choose("numbers", True)
    assert told == [True]


def test_what_was_chosen_elsewhere_is_taken_over(tmp_path: Path) -> None:
    settings = ini(tmp_path)
    here, there = ViewSettings(settings), ViewSettings(settings)
    there.choose("numbers", True)
    assert not here["numbers"]
    here.read()
    assert here["numbers"]


def test_a_broken_file_reads_as_off(tmp_path: Path) -> None:
    settings = ini(tmp_path)
    settings.setValue("results/numbers", "perhaps")
    settings.setValue("results/look", "upside down")
    assert not ViewSettings(settings)["numbers"]
    assert ViewSettings(settings).look == "json"


def test_the_look_of_values_is_remembered_over_runs(tmp_path: Path) -> None:
    first = ini(tmp_path)
    ViewSettings(first).choose_look("table")
    first.sync()
    assert ViewSettings(ini(tmp_path)).look == "table"
