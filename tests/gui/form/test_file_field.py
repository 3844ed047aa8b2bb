from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from desktop.gui.form import field_factory
from desktop.gui.form.field_factory import (
    MAX_SHOWN_LENGTH,
    FileContentError,
    FileField,
    decoded_size,
    read_base64,
    size_of,
)
from desktop.gui.form.model.field_spec import ABSENT, FieldSpec
from desktop.gui.form.model.nodes import ScalarNode
from tests.patience import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from desktop.gui.form.field import FormContext


@pytest.mark.parametrize("content", [b"", b"a", b"ab", b"abc", bytes(range(256))])
def test_a_file_becomes_base64_and_its_size_is_known(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "f"
    file.write_bytes(content)
    text = read_base64(str(file))
    assert base64.b64decode(text) == content
    assert decoded_size(text) == len(content)


def test_what_cannot_be_read_or_sent_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(field_factory, "MAX_FILE_BYTES", 3)
    (tmp_path / "big").write_bytes(b"1234")
    with pytest.raises(FileContentError, match="larger than 3 B"):
        read_base64(str(tmp_path / "big"))
    for name in ("missing", "."):
        with pytest.raises(FileContentError, match="cannot be read"):
            read_base64(str(tmp_path / name))


def test_sizes_are_short() -> None:
    assert [size_of(n) for n in (0, 999, 1500, 20_000_000)] == ["0 B", "999 B", "1.5 kB", "20.0 MB"]


LEFT = Qt.MouseButton.LeftButton
SPEC = FieldSpec("file", "string", {"contentEncoding": "base64"})


def show(qtbot: QtBot, context: FormContext, value: object = ABSENT) -> FileField:
    field = FileField(ScalarNode(SPEC, value), context)
    qtbot.addWidget(field)
    field.show()
    return field


async def taken(field: FileField, path: Path) -> None:
    field.take(str(path))
    assert field.reading is not None
    async with asyncio.timeout(LIMIT):
        await field.reading


async def test_a_picked_file_is_shown_by_name_and_size(
    qtbot: QtBot, context: FormContext, tmp_path: Path
) -> None:
    file = tmp_path / "report.pdf"
    file.write_bytes(bytes(3000))
    field = show(qtbot, context)
    QTest.mouseClick(field.pick_button, LEFT)
    picker = field.findChildren(QFileDialog)[0]
    picker.close()
    await taken(field, file)
    assert field.summary.text() == "report.pdf · 3.0 kB"
    assert base64.b64decode(field.node.value()) == bytes(3000)
    assert field.editor.text() == ""
    QTest.mouseClick(field.remove_button, LEFT)
    assert field.node.is_absent
    assert field.editor.isVisible()


async def test_a_file_that_is_too_large_is_refused_and_the_value_stays(
    qtbot: QtBot, context: FormContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(field_factory, "MAX_FILE_BYTES", 3)
    (tmp_path / "big").write_bytes(b"1234")
    field = show(qtbot, context, "QUJD")
    await taken(field, tmp_path / "big")
    assert "larger than" in field.problem.text()
    assert field.problem.isVisible()
    assert field.node.value() == "QUJD"


def test_a_short_text_can_be_typed_and_a_long_one_is_never_in_the_line(
    qtbot: QtBot, context: FormContext
) -> None:
    field = show(qtbot, context)
    QTest.keyClicks(field.target(), "QUJD")
    assert field.node.value() == "QUJD"
    long = show(qtbot, context, "QUJD" * MAX_SHOWN_LENGTH)
    assert long.editor.text() == ""
    assert "1.2 kB" in long.summary.text()
    assert long.node.value() == "QUJD" * MAX_SHOWN_LENGTH
    assert not long.node.is_touched
