"""What is on disk reads as if it were in memory, and leaves nothing there."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop.values import spilled
from desktop.values.spilled import (
    SpilledBytes,
    SpilledJson,
    SpilledText,
    SpillFile,
    json_size,
    weight_of_json,
)

if TYPE_CHECKING:
    from pathlib import Path

LETTERS = "a\nß\r漢😀\ud83d\udc00\0"
texts = st.text(st.sampled_from(LETTERS), max_size=60)
places = st.integers(-70, 70) | st.none()


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spilled, "_CHUNK", 7)
    monkeypatch.setattr(spilled, "_PIECE", 100)
    monkeypatch.setattr(spilled, "_ITEMS", 4)


@pytest.fixture
def file(tmp_path: Path) -> SpillFile:
    return SpillFile(tmp_path)


on_one_file = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@on_one_file
@given(pieces=st.lists(texts, max_size=4), start=places, end=places)
def test_a_text_is_read_as_a_str_is(
    file: SpillFile, pieces: list[str], start: int | None, end: int | None
) -> None:
    whole, kept = "".join(pieces), SpilledText(file, pieces)
    assert (len(kept), kept.value, kept[start:end]) == (len(whole), whole, whole[start:end])
    assert kept.count("\n", 0, len(whole)) == whole.count("\n")
    if start is not None and end is not None:
        for words in ("\n", "漢"):
            assert kept.count(words, start, end) == whole.count(words, start, end)
            assert kept.rfind(words, start, end) == whole.rfind(words, start, end)


@pytest.mark.parametrize("before", range(15))
def test_what_lies_across_two_chunks_is_found(file: SpillFile, before: int) -> None:
    text = "." * before + "漢ßa" + "." * 20
    assert SpilledText(file, [text]).rfind("漢ßa") == before


@on_one_file
@given(st.binary(max_size=60), places, places)
def test_bytes_are_read_in_parts(
    file: SpillFile, content: bytes, start: int | None, end: int | None
) -> None:
    kept = SpilledBytes(file, content)
    assert (len(kept), kept.value, kept[start:end]) == (len(content), content, content[start:end])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
    max_leaves=60,
)


@on_one_file
@given(json_values)
def test_a_value_comes_back_as_it_was(file: SpillFile, value: Any) -> None:
    assert SpilledJson(file, value).value == value


def test_a_value_is_written_in_pieces(file: SpillFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreter is free for the loop between them."""
    lengths: list[int] = []
    write = spilled._write  # pyright: ignore[reportPrivateUsage] how much at once is not seen outside

    def noted(value: Any) -> str:
        lengths.append(len(text := write(value)))
        return text

    monkeypatch.setattr(spilled, "_write", noted)
    value = {"text": "x" * 5_000, "rows": [{"id": n} for n in range(2_000)]}
    assert SpilledJson(file, value).value == value
    assert max(lengths) < 1_000


def test_several_values_share_a_file(file: SpillFile) -> None:
    one, two, three = (
        SpilledText(file, ["ä" * 20]),
        SpilledBytes(file, b"123"),
        SpilledText(file, "b"),
    )
    assert (one.value, two.value, three.value) == ("ä" * 20, b"123", "b")
    assert (one.size_on_disk, two.size_on_disk, three.size_on_disk) == (40, 3, 1)


def test_the_file_has_no_name_and_ends_with_its_last_value(tmp_path: Path) -> None:
    file = SpillFile(tmp_path)
    kept, close = SpilledText(file, ["text"]), file.close
    assert list(tmp_path.iterdir()) == []
    del file
    gc.collect()
    assert kept.value == "text"
    assert getattr(close, "alive", None) is True
    del kept
    assert getattr(close, "alive", None) is False


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_nothing_is_left_of_a_process_that_was_killed(tmp_path: Path) -> None:
    script = (
        "import os, pathlib, signal, sys\n"
        "from desktop.values.spilled import SpilledText, SpillFile\n"
        "kept = SpilledText(SpillFile(pathlib.Path(sys.argv[1])), ['x' * 1_000_000])\n"
        "assert len(kept.value) == 1_000_000\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    ended = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False, timeout=60)
    assert (ended.returncode, list(tmp_path.iterdir())) == (-9, [])


def test_weighing_stops_where_it_is_too_much() -> None:
    assert weight_of_json({"a": ["x" * 1_000]}, 10_000) == 1_048
    assert 100 < weight_of_json(list(range(10_000)), 100) < 200


@pytest.mark.parametrize(
    "value",
    [{"a": [1, 2, {"b": "text"}]}, ["x" * 100] * 50, {"key": "v" * 5000}, list(range(1000)), None],
)
def test_the_size_is_near_that_of_the_text(value: Any) -> None:
    assert len(json.dumps(value)) / 3 < json_size(value, 10**9) < 3 * len(json.dumps(value)) + 10


def test_counting_stops_beyond_the_limit() -> None:
    one, many = ["x" * 100], ["x" * 100] * 10
    assert json_size(many, 10_000) > 9 * json_size(one, 10_000)
    assert 200 < json_size(many, 100) < 400


def test_depth_is_no_danger() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert json_size(deep, 10_000_000) > 100_000
