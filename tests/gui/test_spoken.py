from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from desktop.config.models import AppSettings
from desktop.config.parser import read_server
from desktop.errors import ConfigError
from desktop.gui.chat.entries import NoticeEntry
from desktop.gui.chat.words import notice_words
from desktop.gui.servers.field_errors import by_field
from desktop.gui.servers.words import short_error
from desktop.gui.spoken import spoken
from desktop.gui.translations import Translations
from desktop.llm.completion import CompletionError
from desktop.llm.formats import process_json_schema
from desktop.llm.services.errors import http_error
from desktop.paths import resources
from desktop.translatable import join_texts, translatable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

pytest_plugins = ("tests.gui.theme_fixture",)


@pytest.fixture
def chinese(qapp: QApplication, tmp_path: Path) -> Iterator[None]:
    """The window speaks Chinese."""
    file = resources() / "translations" / "zh_CN.ts"
    made = tmp_path / "zh_CN.qm"
    tool = Path(sys.executable).parent / "pyside6-lrelease"
    subprocess.run([tool, file, "-qm", made], check=True, capture_output=True, timeout=30)
    translations = Translations(qapp, "zh_CN", tmp_path)
    yield
    translations.use("en")


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
        '"args" 必须是列表，而不是一段文本\n'
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
def test_what_a_server_says_stays_as_it_is() -> None:
    assert spoken("closed the connection") == "closed the connection"


@pytest.mark.usefixtures("chinese")
def test_values_that_a_model_refuses_are_said_at_their_fields() -> None:
    error = refused({"command": "x", "timeout": 0, "env": {"A=B": "c"}})

    found, rest = by_field(error, frozenset({"timeout", "env"}))

    assert found == {
        "timeout": "至少为 1",
        "env": "含有没有名称的变量，或名称中带有 = 的变量",
    }
    assert rest == ""


@pytest.mark.usefixtures("chinese")
def test_the_changes_of_a_format_are_said() -> None:
    changes = process_json_schema({"type": "object", "$comment": "x"}).changes

    assert [spoken(change.sentence) for change in changes] == [
        "'$comment' 对模型没有用处。",
        "添加了空的“properties”：OpenAI 要求它。",
    ]


@pytest.mark.usefixtures("chinese")
def test_the_short_form_of_an_error_ends_before_what_the_server_wrote() -> None:
    error = translatable(
        "{message} It wrote last:\n{tail}",
        message=translatable("{server} {why}.", server="time", why="left"),
        tail="boom",
    )

    assert short_error(spoken(error)) == "time left。"
    assert short_error(error) == "time left."


@pytest.mark.usefixtures("chinese")
def test_why_a_model_did_not_answer_is_said_with_what_to_do() -> None:
    fault = http_error("X", 429, {"error": {"message": "slow down"}})
    notice = NoticeEntry(
        "failed", str(CompletionError(fault.kind, fault.message, remedy=fault.remedy))
    )

    assert notice_words(notice).words == (
        "X 暂时不再接受请求：slow down\n请稍等，或选择另一个模型。"
    )
