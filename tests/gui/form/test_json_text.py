from __future__ import annotations

import pytest

from desktop.gui.form.json_text import (
    JsonTextError,
    is_exact,
    is_holdable,
    read_json,
    read_number,
    write_json,
)


@pytest.mark.parametrize(
    "value", [2**53 + 1, 10**400, 0.1, 1e300, "é\u00a0中", "\ud800", "a\rb", None, [], {}]
)
def test_a_value_comes_back_as_it_was(value: object) -> None:
    assert read_json(write_json(value)) == value


def test_a_number_beyond_floats_stays_exact() -> None:
    assert read_json("1e400") == 10**400
    assert read_number(" 12 ") == 12
    assert isinstance(read_number("1.0"), float)


@pytest.mark.parametrize("text", ["", "x", '"1"', "true", "NaN", "1e999999999", "0x10", "9" * 5000])
def test_what_is_no_number_is_none(text: str) -> None:
    assert read_number(text) is None


def test_lost_digits_are_noticed() -> None:
    assert is_exact("0.1", 0.1)
    assert not is_exact("0.12345678901234567890123", 0.12345678901234567890123)
    assert not is_exact("1e-400", 0.0)


def test_a_mistake_has_its_line_and_column() -> None:
    with pytest.raises(JsonTextError) as caught:
        read_json('{"a": 1,\n "b": ]}')
    assert (caught.value.line, caught.value.column) == (2, 7)


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', "Infinity", "[" * 100_000])
def test_what_cannot_be_kept_is_refused(text: str) -> None:
    with pytest.raises(JsonTextError):
        read_json(text)


def test_text_that_an_editor_would_change_is_known() -> None:
    assert is_holdable("a\nb\u00a0\u2028")
    assert not any(is_holdable(text) for text in ("\r\n", "\ud800", "\ufeff", "\0"))
