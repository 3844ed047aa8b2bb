from __future__ import annotations

from desktop.gui.counted import counted


def test_one_thing_is_said_in_the_singular_and_any_other_number_in_the_plural() -> None:
    said = [counted(count, "1 call", "{count} calls") for count in (0, 1, 2, 12_345)]

    assert said == ["0 calls", "1 call", "2 calls", "12,345 calls"]


def test_other_values_are_filled_in_beside_the_number() -> None:
    assert counted(1, "1 line in {file}", "{count} lines in {file}", file="a") == "1 line in a"
    assert counted(3, "1 line in {file}", "{count} lines in {file}", file="a") == "3 lines in a"
