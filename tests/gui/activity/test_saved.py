"""What stands in the INI file may be anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.gui.activity.saved import saved_number

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings


@pytest.mark.parametrize(
    ("value", "number"), [(None, 0), ("2", 2), (3, 3), ("x", 0), (["1", "2"], 0)]
)
def test_a_number_or_nothing(settings: QSettings, value: object, number: int) -> None:
    if value is not None:
        settings.setValue("n", value)
    assert saved_number(settings, "n") == number
