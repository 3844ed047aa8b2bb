"""Files that a team commits: read strictly, written stably, never half."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_call_files import (
    CallFileError,
    add_call,
    file_stem,
    find_files,
    parse_call,
    read_calls,
    remove_call,
    replace_call,
    to_text,
)

if TYPE_CHECKING:
    from pathlib import Path

ONE: dict[str, Any] = {"name": "one", "tool": "s:t", "arguments": {"x": "中"}, "team": "core"}
TWO: dict[str, Any] = {"name": "two", "tool": "s:t", "arguments": {}}


def written(path: Path, document: Any) -> Path:
    path.write_text(to_text(document), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "document", [ONE, [ONE], [ONE, TWO], {"calls": [ONE, TWO], "$schema": "x"}, {"calls": []}]
)
def test_a_file_keeps_its_shape_and_what_is_not_ours(tmp_path: Path, document: Any) -> None:
    file = read_calls(written(tmp_path / "a.json", document))
    assert file.document() == document


def test_a_changed_call_is_written_in_its_place(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", {"calls": [ONE, TWO], "$schema": "x"})
    replace_call(read_calls(path), 1, SavedCall(name="new", tool="s:other"))
    text = path.read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert "中" in text
    assert json.loads(text) == {
        "calls": [ONE, {"name": "new", "tool": "s:other", "arguments": {}}],
        "$schema": "x",
    }


def test_a_file_goes_with_its_last_call(tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", [ONE, TWO])
    remove_call(read_calls(path), 0)
    assert json.loads(path.read_text(encoding="utf-8")) == [TWO]
    remove_call(read_calls(path), 0)
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("adds two numbers", "adds-two-numbers"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "call-con"),
        ("nul.txt", "nul-txt"),
        ("???", "call"),
        ("加法 测试", "加法-测试"),
        (".hidden", "hidden"),
        ("x" * 500, "x" * 80),
    ],
)
def test_the_name_of_a_file_is_safe_and_still_tells_the_call(name: str, stem: str) -> None:
    assert file_stem(name) == stem


def test_two_calls_of_one_name_get_two_files(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "calls"
    names = [add_call(folder, SavedCall(name=name, tool="s:t")).path.name for name in "aAa"]
    assert names == ["a.json", "a-2.json", "a-3.json"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON: .*line 1, column 2"),
        ('{"name": NaN}', "NaN is no value of JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('"text"', "This is no saved call"),
        ("[3]", r"\[0\] is no saved call"),
        ('{"calls": 3}', "calls must be a list"),
        ("{}", "name is missing; tool is missing"),
        ('[{"name": "n", "tool": "t"}]', r"\[0\].tool: must be server:tool"),
        ('{"calls": [{"name": "n", "tool": "s:t", "expect": {"sconds": 1}}]}',
         r"calls\[0\].expect.sconds is no expectation; there are error, contains"),
        ('{"name": "n", "tool": "s:t", "expect": {"error": "no"}}', "expect.error: must be true"),
        ('{"name": "n", "tool": "s:t", "expect": {"equals": {"a b": 1}}}', "is no path at"),
        (json.dumps([ONE, ONE]), "two calls have the name 'one'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_file_and_key(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CallFileError, match=said) as raised:
        read_calls(path)
    assert str(path) in str(raised.value)


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    with pytest.raises(CallFileError, match="There is no file"):
        find_files(path)
    path.write_bytes(b'{"\xff"}')
    with pytest.raises(CallFileError, match="is not UTF-8"):
        read_calls(path)
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(CallFileError, match="is not a file"):
        read_calls(path)


def test_a_folder_gives_its_json_files_in_order_and_nothing_hidden(tmp_path: Path) -> None:
    for name in ("b.json", "a.json", "sub/c.JSON", ".git/x.json", ".y.json", "note.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "sub" / "loop").symlink_to(tmp_path)
    found = [path.relative_to(tmp_path).as_posix() for path in find_files(tmp_path)]
    assert found == ["a.json", "b.json", "sub/c.JSON"]


def test_a_folder_that_cannot_be_written_to_is_said(tmp_path: Path) -> None:
    (tmp_path / "calls").touch()
    with pytest.raises(CallFileError, match="cannot be written"):
        add_call(tmp_path / "calls", SavedCall(name="n", tool="s:t"))


def test_what_a_person_types_is_read_the_same_way() -> None:
    assert parse_call('{"name": "n", "tool": "s:t"}') == SavedCall(name="n", tool="s:t")
    with pytest.raises(CallFileError, match="tool is missing"):
        parse_call('{"name": "n"}')
    with pytest.raises(CallFileError, match="no JSON"):
        parse_call("{")


def test_half_a_surrogate_pair_is_written_as_an_escape() -> None:
    assert to_text({"a": "\ud83d"}) == '{\n  "a": "\\ud83d"\n}\n'
