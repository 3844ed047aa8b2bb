"""A finding is read in the language of the window, and in its own words where that fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QApplication

from desktop.gui.issue_words import line_of, words_of
from desktop.gui.translations import Translations
from desktop.paths import resources
from desktop.tool_types import ToolResult, ValidationIssue
from desktop.tools.comparison import Comparison
from desktop.tools.executor import check_output
from desktop.tools.rules import RuleBook
from desktop.tools.validation import validate

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = resources() / "translations" / "zh_CN.ts"


@pytest.fixture
def chinese(tmp_path: Path) -> Iterator[None]:
    subprocess.run(
        [Path(sys.executable).parent / "pyside6-lrelease", FILE, "-qm", tmp_path / "zh_CN.qm"],
        check=True,
        capture_output=True,
        timeout=30,
    )
    application = QApplication.instance()
    assert application is not None
    translations = Translations(application, "zh_CN", tmp_path)
    yield
    translations.use("en")


def told(schema: Any, value: Any) -> list[str]:
    return [line_of(issue) for issue in validate(schema, value)]


def _failing(_: object) -> list[ValidationIssue]:
    raise IndexError("no Sunday")


MANY: list[tuple[Any, Any, str]] = [
    ({"type": ["string", "null"]}, 5, "必须是文本 或 null，现在是整数"),
    ({"enum": ["a", "b"]}, "c", "必须是其中之一：a、b"),
    ({"enum": [7] * 13}, "c", f"必须是其中之一：{'、'.join('7' * 12)} 等（另有 1 个）"),
    ({"minimum": 3}, 1, "不得小于 3"),
    ({"minLength": 3}, "a", "至少要有 3 个字符，现有 1 个"),
    ({"format": "date"}, "x", "必须是日期，例如 2026-01-31"),
    ({"format": "duration"}, "x", "看起来不像时长，例如 PT1H30M"),
    ({"format": "uri-template"}, "{", "看起来不像uri-template"),
    ({"required": ["a"]}, {}, "a: “a”是必填的"),
    ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, "ab: 它的名称最多 1 个字符，现有 2 个"),
    ({"properties": {"path": {}}}, {"pth": 1}, "pth: 不在模式中；是否指“path”？"),
    ({"properties": {"path": {}}}, {"zzzz": 1}, "zzzz: 不在模式中"),
    ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, "b: “b”是必填的（当给出了“a”时）"),
    (
        {"if": {"properties": {"k": {"const": "x"}}}, "else": False},
        {"k": "y"},
        "此处不允许（除非“k”为 x）",
    ),
    (
        {"type": "string", "default": 0},
        0,
        "必须是文本，现在是整数；这是该工具自己的默认值，因此不阻止调用",
    ),
]  # fmt: skip


@pytest.mark.usefixtures("chinese")
def test_every_kind_of_finding_is_told_in_chinese() -> None:
    for schema, value, words in MANY:
        assert told(schema, value) == [words]


def test_in_english_a_finding_has_its_own_words() -> None:
    for schema, value, _ in MANY:
        assert told(schema, value) == [str(issue) for issue in validate(schema, value)]


@pytest.mark.usefixtures("chinese")
async def test_what_is_said_about_the_tool_is_translated_too() -> None:
    book = RuleBook()
    book.add("*", _failing, "周日")
    missing = await check_output({"type": "object"}, ToolResult(True))
    book.add("*", Comparison.parse("n > 0"))
    issues = [*book.check("a:b", {"n": 0}), *(missing or ()), *validate({"pattern": r"\p{L}"}, "x")]
    words = [words_of(issue) for issue in issues]
    assert words[0].startswith("规则“周日”无法应用：IndexError")
    assert words[1] == "违反了你的规则 n > 0"
    assert words[2] == "没有结构化内容，虽然该工具声明了输出模式"
    assert words[3].startswith("该工具自己的模式有问题")


@pytest.mark.usefixtures("chinese")
@pytest.mark.parametrize("values", [{}, {"expected": 5, "given": None}, {"expected": ["string"]}])
def test_a_code_without_its_values_keeps_the_words_of_whoever_made_it(values: Any) -> None:
    issue = ValidationIssue(("a",), "rule", "is not for you", code="type", values=values)
    assert line_of(issue) == "a: is not for you"
    assert words_of(ValidationIssue((), "rule", "no", code="of nobody")) == "no"
