from __future__ import annotations

import ast
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel

from desktop.base.errors import ConfigError
from desktop.base.paths import resources
from desktop.base.translatable import join_list, join_texts, translatable
from desktop.config.models import AppSettings, ServerConfig
from desktop.config.parser import read_server
from desktop.config.store import ConfigStore
from desktop.gui import shortcuts
from desktop.gui.servers.form_fields import by_field
from desktop.gui.servers.labels import short_error
from desktop.gui.servers.problems_view import ConfigErrorsView
from desktop.gui.translations import counted, in_a_row, issue_line, listed, named, spoken
from desktop.tools.executor import check_output
from desktop.tools.validation import validate
from desktop.tools.validation.rules import Comparison, Rules
from desktop.values.tool_types import ToolResult, ValidationIssue
from resources.packaging import texts
from resources.packaging.texts import take_up
from tests.gui.conftest import speaking

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from tests.conftest import ExpectedLogs

FILE = resources() / "translations" / "zh_CN.ts"


def told(schema: Any, value: Any) -> list[str]:
    return [issue_line(issue) for issue in validate(schema, value)]


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
    ({"format": "uri-template"}, "{", "看起来不像uri-template 格式"),
    ({"required": ["a"]}, {}, "a: “a”是必填的"),
    ({"propertyNames": {"maxLength": 1}}, {"ab": 1}, "ab: 它的名称最多 1 个字符，现有 2 个"),
    ({"properties": {"path": {}}}, {"pth": 1}, "pth: 不在 Schema 中；是否指“path”？"),
    ({"properties": {"path": {}}}, {"zzzz": 1}, "zzzz: 不在 Schema 中"),
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
    book = Rules()
    book.add("*", _failing, "周日")
    missing = await check_output({"type": "object"}, ToolResult(True))
    book.add("*", Comparison.parse("n > 0"))
    issues = [*book.check("a:b", {"n": 0}), *(missing or ()), *validate({"pattern": "(?R)"}, "x")]
    words = [issue_line(issue) for issue in issues]
    assert words[0].startswith("规则“周日”无法应用：IndexError")
    assert words[1] == "n: 必须大于 0（您的规则 n > 0）"
    assert words[2] == "没有结构化内容，虽然该工具声明了输出 Schema"
    assert words[3] == "该工具的 Schema 未能全部检查：正则表达式“(?R)”使用了不受支持的写法"


@pytest.mark.usefixtures("chinese")
def test_an_issue_of_somebody_else_keeps_its_own_words() -> None:
    assert issue_line(ValidationIssue(("a",), "rule", "is not for you", code="type")) == (
        "a: is not for you"
    )
    assert issue_line(ValidationIssue((), "rule", "no")) == "no"


def test_one_thing_is_said_in_the_singular_and_any_other_number_in_the_plural() -> None:
    said = [counted(count, "1 call", "{count} calls") for count in (0, 1, 2, 12_345)]

    assert said == ["0 calls", "1 call", "2 calls", "12,345 calls"]


def test_other_values_are_filled_in_beside_the_number() -> None:
    assert counted(1, "1 line in {file}", "{count} lines in {file}", file="a") == "1 line in a"
    assert counted(3, "1 line in {file}", "{count} lines in {file}", file="a") == "3 lines in a"


def refused(entry: dict[str, object]) -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        read_server("one", entry, AppSettings())
    return caught.value


def test_english_is_what_the_core_says(qapp: QApplication) -> None:
    error = refused({"command": "x", "args": "-y package"})

    assert spoken(str(error)) == str(error)


@pytest.mark.usefixtures("chinese")
def test_a_sentence_of_the_core_is_said_in_the_language_of_the_window() -> None:
    assert spoken(translatable("{server} {why}.", server="time", why="left")) == "time left。"
    assert spoken(str(refused({"command": "x", "args": "-y package"}))) == (
        '"args" 必须是列表，而不是字符串\n'
        '请把每个参数分开写，例如 "args": ["-y", "package"]；这里看起来有 2 个。'
    )


@pytest.mark.usefixtures("chinese")
def test_sentences_inside_of_a_sentence_are_said_too() -> None:
    why = translatable("exited with code {code}", code=3)
    said = join_texts(
        "\n", translatable("{server} {why}.", server="time", why=why), "traceback: boom"
    )

    assert spoken(said) == "time 已退出，代码 3。\ntraceback: boom"


@pytest.mark.usefixtures("chinese")
def test_a_server_in_the_place_of_a_built_in_one_is_said(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    path = tmp_path / "mcp.json"
    path.write_text('{"mcpServers": {"calculator": {"command": "x"}}}', "utf-8")
    builtin = ServerConfig(name="calculator", source="builtin", builtin="calculator")
    store = ConfigStore(path, {}, (builtin,))
    store.load()
    view = ConfigErrorsView(theme)
    qtbot.addWidget(view)
    view.show_problems(store)
    words = "\n".join(label.text() for label in view.findChildren(QLabel))
    assert "您添加的服务器“calculator”取代了同名的内置服务器" in words
    assert "要同时使用两者，请给自己的服务器改名。" in words


@pytest.mark.usefixtures("chinese")
def test_what_a_server_says_stays_as_it_is() -> None:
    assert spoken("closed the connection") == "closed the connection"


@pytest.mark.usefixtures("chinese")
def test_values_that_a_model_refuses_are_said_at_their_fields() -> None:
    error = refused({"command": "x", "timeout": 0, "env": {"A=B": "c"}})

    found, rest = by_field(error, frozenset({"timeout", "env"}))

    assert found == {
        "timeout": "至少为 1",
        "env": "含有名称为空或名称中带有 = 的变量",
    }
    assert rest == ""


@pytest.mark.usefixtures("chinese")
def test_the_short_form_of_an_error_ends_before_what_the_server_wrote() -> None:
    error = translatable(
        "{message} Last output:\n{tail}",
        message=translatable("{server} {why}.", server="time", why="left"),
        tail="boom",
    )

    assert short_error(spoken(error)) == "time left。"
    assert short_error(error) == "time left."


CORE = Path(__file__).parents[2] / "desktop"
SOURCES = CORE / "gui"
SPOKEN = SOURCES / "translations.py"
"""Translates texts of the core: they are found where they are made."""


def _texts(file: Path) -> dict[tuple[str, str], str]:
    """Translations by context and source; an unfinished one is empty."""
    found: dict[tuple[str, str], str] = {}
    for context in ElementTree.parse(file).iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            done = translation is not None and "type" not in translation.attrib
            key = context.findtext("name", ""), message.findtext("source", "")
            found[key] = (translation.text or "") if translation is not None and done else ""
    return found


def test_every_text_of_the_window_is_translated_and_taking_them_up_changes_nothing(
    tmp_path: Path,
) -> None:
    fresh = tmp_path / "zh_CN.ts"
    shutil.copy(FILE, fresh)

    assert take_up(fresh) == []
    assert fresh.read_bytes() == FILE.read_bytes(), "run `make texts`"


def test_a_file_of_translations_is_sorted_and_names_no_places() -> None:
    contexts = list(ElementTree.parse(FILE).iter("context"))
    names = [context.findtext("name", "") for context in contexts]
    sources = [[text.text or "" for text in context.iter("source")] for context in contexts]

    assert names == sorted(names)
    assert sources == [sorted(found) for found in sources]
    assert next(ElementTree.parse(FILE).iter("location"), None) is None


def test_a_new_text_is_taken_up_without_touching_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(CORE, tmp_path / "desktop", ignore=shutil.ignore_patterns("*.pyc"))
    fresh = tmp_path / "zh_CN.ts"
    shutil.copy(FILE, fresh)
    monkeypatch.setattr(texts, "ROOT", tmp_path)
    new = 'class Rail(QWidget):\n    def a(self): self.tr("Wholly new")\n'
    (tmp_path / "desktop" / "gui" / "new.py").write_text(new, encoding="utf-8")

    assert take_up(fresh) == ["Wholly new"]
    before, after = _texts(FILE), _texts(fresh)
    assert {key: text for key, text in after.items() if key not in before} == {
        ("Rail", "Wholly new"): ""
    }
    assert {key: after[key] for key in before} == before


def test_texts_that_cannot_be_read_leave_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "zh_CN.ts"
    shutil.copy(FILE, file)
    monkeypatch.setattr(texts, "LUPDATE", Path(shutil.which("false") or "false"))
    with pytest.raises(subprocess.CalledProcessError):
        take_up(file)
    assert file.read_bytes() == FILE.read_bytes()


def _translated(source: str, *, window: bool) -> Iterator[tuple[int, str | None]]:
    """Line and source text of each call that translates; None where it is no literal."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            at = ({"tr": 0, "translate": 1} if window else {"translatable": 0}).get(name)
            if at is not None:
                text = node.args[at] if len(node.args) > at else None
                literal = text.value if isinstance(text, ast.Constant) else None
                yield node.lineno, literal if isinstance(literal, str) else None


def test_every_text_is_where_lupdate_finds_it() -> None:
    """A literal of its own, outside an f-string; or one that QT_TRANSLATE_NOOP named."""
    known = {source for _, source in _texts(FILE)}
    hidden: list[str] = []
    for file in sorted({*CORE.rglob("*.py")} - {SPOKEN}):
        source = file.read_text(encoding="utf-8")
        if not any(call in source for call in ("tr(", "translate(", "translatable(")):
            continue
        named = "QT_TRANSLATE_NOOP(" in source
        hidden += [
            f"{file}:{line}"
            for line, text in _translated(source, window="gui" in file.relative_to(CORE).parts)
            if (text not in known if text is not None else not named)
        ]
    assert hidden == []


def test_placeholders_survive_the_translation() -> None:
    for (_, source), text in _texts(FILE).items():
        assert source.count("{") == text.count("{")
        assert source.count("%") == text.count("%")


def test_the_chinese_texts_use_no_word_that_the_glossary_rules_out() -> None:
    rows = (CORE.parent / "docs" / "glossary.md").read_text("utf-8").splitlines()
    refused = {
        word.strip()
        for row in rows
        if row.startswith("| ")
        for word in row.split("|")[4].split(",")
        if any("\u4e00" <= sign <= "\u9fff" for sign in word)
    }
    assert {"架构", "令牌"} <= refused
    document = ElementTree.parse(CORE.parent / "resources" / "translations" / "zh_CN.ts")
    texts = [text for node in document.iter("translation") for text in node.itertext()]
    assert [text for text in texts for word in {*refused, "你"} if word in text] == []


SAID_IN_TWO_WAYS = {
    "Address": "of a server, and of an API",
    "Age": "of a call, and how long a process runs",
    "Failed": "of a call, and of its expectations",
    "Format": "the verb and the noun",
    "Key": "of an object, and of a provider",
    "New": "the verb and the adjective",
    "Not sent": "what will not be, and what was not",
    "Open in the browser": "the state and the verb",
    "Protocol": "its messages, and its version",
    "Recording…": "what is recorded, and the state",
    "Show": "on the same page, and elsewhere",
    "Time": "of the day, and how long",
}
"""English texts with two Chinese ones, and why."""


def test_one_english_text_has_one_chinese_text() -> None:
    found: dict[str, set[str]] = {}
    for (_, source), text in _texts(FILE).items():
        found.setdefault(source, set()).add(text)

    assert {source for source, texts in found.items() if len(texts) > 1} == {*SAID_IN_TWO_WAYS}


def test_the_words_that_chinese_reads_otherwise_stand_nowhere() -> None:
    """目录 is a folder, 注册表 that of Windows, 协议 alone a contract, 关闭 what a window does."""
    folder, switched = re.compile("(?<!工作)目录"), re.compile("switched? o(n|ff)", re.IGNORECASE)
    texts = _texts(FILE)

    assert [text for text in texts.values() if folder.search(text) or text == "协议"] == []
    assert [
        text
        for (_, source), text in texts.items()
        if switched.search(source) and re.search("打开|关闭|开启", text)
    ] == []
    assert [text for text in texts.values() if re.search(r"[\u4e00-\u9fff] ?\(Ctrl", text)] == []


@pytest.mark.usefixtures("chinese")
def test_lists_are_joined_as_the_language_writes_them() -> None:
    assert listed(["a", "b", "c"], most=2) == "a、b、…"
    assert spoken(translatable("It has: {known}.", known=join_list(["a", "b"]))) == "它有：a、b。"
    assert translatable("It has: {known}.", known=join_list(["a", "b"])) == "It has: a, b."
    assert in_a_row(named("a", "b"), "c") == "a：bc"


@pytest.mark.usefixtures("chinese")
def test_keys_are_named_as_keyboards_show_them() -> None:
    named = {shortcut.label for shortcut in shortcuts.ALL}

    assert {"Enter", "Ctrl+Enter", "Space"} <= named
    assert [label for label in named if re.search("[\u4e00-\u9fff]", label.replace("、", ""))] == []


@pytest.mark.usefixtures("chinese")
def test_qts_own_buttons_are_translated_too(qtbot: QtBot) -> None:
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)

    assert "取消" in box.buttons()[0].text()


def test_without_compiled_files_the_window_stays_english_and_the_log_says_so(
    qapp: QApplication,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    expected_logs: ExpectedLogs,
) -> None:
    with speaking(qapp, "zh_CN", tmp_path) as translations:
        before = list(caplog.messages)
        expected_logs.expect(r"^WARNING .*no translation for zh_CN: .*zh_CN\.qm is missing$")
        translations.report_missing()
        text = qapp.translate("Rail", "Servers")

    assert text == "Servers"
    assert (before, len(caplog.messages)) == ([], 1)


def test_the_system_language_is_one_of_ours(qapp: QApplication, tmp_path: Path) -> None:
    is_chinese = QLocale.system().language() == QLocale.Language.Chinese
    with speaking(qapp, "system", tmp_path) as translations:
        assert translations.name == "en" or is_chinese
