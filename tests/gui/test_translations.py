from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from desktop.gui.rail import SERVERS, Rail
from desktop.gui.translations import Translations
from desktop.paths import resources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from desktop.gui.theme import Theme
    from tests.conftest import ExpectedLogs

pytest_plugins = ("tests.gui.theme_fixture",)

CORE = Path(__file__).parents[2] / "desktop"
SOURCES = CORE / "gui"
SPOKEN = SOURCES / "spoken.py"
"""Says sentences of the core: what it translates is found where they are made."""
FILE = resources() / "translations" / "zh_CN.ts"
TOOLS = Path(sys.executable).parent


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


@pytest.fixture
def compiled(tmp_path: Path) -> Path:
    subprocess.run(
        [TOOLS / "pyside6-lrelease", FILE, "-qm", tmp_path / "zh_CN.qm"],
        check=True,
        capture_output=True,
        timeout=30,
    )
    return tmp_path


def test_every_text_of_the_window_is_translated(tmp_path: Path) -> None:
    fresh = tmp_path / "zh_CN.ts"
    shutil.copy(FILE, fresh)
    # The core says what is for a person with `sentence`.
    finds = ["-tr-function-alias", "QT_TR_NOOP+=sentence", "-no-obsolete"]
    subprocess.run(
        [TOOLS / "pyside6-lupdate", *CORE.rglob("*.py"), *finds, "-ts", fresh],
        check=True,
        capture_output=True,
        timeout=60,
    )

    missing = [key for key, text in _texts(fresh).items() if not text]

    assert missing == []


def _translated(file: Path, *, window: bool) -> Iterator[tuple[int, str | None]]:
    """Line and source text of each call that translates; None where it is no literal."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            at = ({"tr": 0, "translate": 1} if window else {"sentence": 0}).get(name)
            if at is not None:
                text = node.args[at] if len(node.args) > at else None
                literal = text.value if isinstance(text, ast.Constant) else None
                yield node.lineno, literal if isinstance(literal, str) else None


@pytest.mark.parametrize(
    "file", sorted({*CORE.rglob("*.py")} - {SPOKEN}), ids=lambda file: file.name
)
def test_every_text_is_where_lupdate_finds_it(file: Path) -> None:
    """A literal of its own, outside an f-string; or one that QT_TRANSLATE_NOOP named."""
    known = {source for _, source in _texts(FILE)}
    named = "QT_TRANSLATE_NOOP(" in file.read_text(encoding="utf-8")

    hidden = [
        line
        for line, text in _translated(file, window=file.is_relative_to(SOURCES))
        if (text not in known if text is not None else not named)
    ]

    assert hidden == [], f"lines of {file.name}"


def test_placeholders_survive_the_translation() -> None:
    for (_, source), text in _texts(FILE).items():
        assert source.count("{") == text.count("{")
        assert source.count("%") == text.count("%")


def test_the_language_changes_while_the_window_is_open(
    qtbot: QtBot, qapp: QApplication, theme: Theme, compiled: Path
) -> None:
    rail = Rail(theme)
    qtbot.addWidget(rail)
    rail.add("servers", SERVERS, "servers")
    translations = Translations(qapp, "en", compiled)

    translations.use("zh_CN")
    qapp.sendPostedEvents()
    chinese = rail.button("servers").text()
    translations.use("en")
    qapp.sendPostedEvents()

    assert (chinese, rail.button("servers").text()) == ("服务器", "Servers")


def test_qts_own_buttons_are_translated_too(
    qtbot: QtBot, qapp: QApplication, compiled: Path
) -> None:
    translations = Translations(qapp, "zh_CN", compiled)
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    text = box.buttons()[0].text()
    translations.use("en")

    assert "取消" in text


def test_without_compiled_files_the_window_stays_english_and_the_log_says_so(
    qapp: QApplication,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    expected_logs: ExpectedLogs,
) -> None:
    expected_logs.expect(r"^WARNING .*no translation for zh_CN: .*zh_CN\.qm is missing$")
    translations = Translations(qapp, "en", tmp_path)
    translations.use("zh_CN")
    text = qapp.translate("Rail", "Servers")
    translations.use("en")

    assert text == "Servers"
    assert len(caplog.messages) == 1


def test_the_language_of_a_start_is_missed_once_there_is_a_log(
    qapp: QApplication,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    expected_logs: ExpectedLogs,
) -> None:
    translations = Translations(qapp, "zh_CN", tmp_path)
    before = list(caplog.messages)
    expected_logs.expect(r"no translation for zh_CN")
    translations.report_missing()
    translations.use("zh_CN")
    translations.use("en")
    translations.report_missing()

    assert before == []
    assert len(caplog.messages) == 1


def test_the_system_language_is_one_of_ours(qapp: QApplication, tmp_path: Path) -> None:
    translations = Translations(qapp, "system", tmp_path)
    is_chinese = QLocale.system().language() == QLocale.Language.Chinese
    name = translations.name
    translations.use("en")

    assert name == "en" or is_chinese
