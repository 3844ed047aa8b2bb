"""Saves what a server sent to a file or a folder that the person picks.

The name that a server proposes is cut to its last part and to harmless characters; the files of a
whole result are `NN-name` directly inside a new folder, so a server never decides on a path. Files
are written on another thread, completely or not at all.
"""

from __future__ import annotations

import asyncio
import json
import logging
import mimetypes
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox

from desktop.base.atomic_file import write_file
from desktop.base.errors import ConfigError
from desktop.base.later_patterns import compile_later
from desktop.gui import bridge
from desktop.gui.results.structured import content_text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from PySide6.QtWidgets import QWidget

    from desktop.values.tool_types import Content, ToolResult

T = TypeVar("T")

TURN_SECONDS = 0.006
"""Seconds of work between two turns of the loop."""


async def in_turns(steps: Iterable[T | None]) -> list[T]:
    """All that `steps` gives but None; each step is short, the loop runs in between."""
    # Not on another thread: making many Python objects sets off the garbage collector, which may
    # destroy widgets on that thread, and Qt crashes.
    taken: list[T] = []
    until = time.monotonic() + TURN_SECONDS
    for step in steps:
        if step is not None:
            taken.append(step)
        if time.monotonic() > until:
            await asyncio.sleep(0)
            until = time.monotonic() + TURN_SECONDS
    return taken


async def json_text(value: Any) -> str:
    """`value` as readable JSON, like `structured.pretty_json`; empty where it is too deep."""
    encoder = json.JSONEncoder(indent=2, ensure_ascii=False, default=str)
    try:
        return "".join(await in_turns(encoder.iterencode(value)))
    except (ValueError, RecursionError):
        return ""


MAX_FILES = 1_000


def save_all(
    result: ToolResult,
    folder: Path,
    name: str,
    naming: Callable[[str, str, str], str],
    structured: str = "",
) -> Path:
    """The new folder inside `folder`, with a file for each block and `structuredContent.json`.

    Args:
        result: what is saved.
        folder: what the person picked; it exists.
        name: of the new folder; a number is added where it is taken.
        naming: wanted name, MIME type and fallback to a harmless file name.
        structured: the structured content as JSON, empty where there is none.

    Raises:
        ConfigError: a file or the folder cannot be written.
    """
    made = _new_folder(folder, naming(name, "", "result"))
    for number, block in enumerate(result.content[:MAX_FILES], 1):
        wanted = naming(block.name or block.uri, _mime(block), block.kind)
        write_file(made / f"{number:02d}-{wanted}", _content(block))
    if not result.content and result.output:
        write_file(made / "01-text.txt", result.output.encode("utf-8", "replace"))
    if structured:
        write_file(made / "structuredContent.json", structured.encode("utf-8", "replace"))
    return made


def _mime(block: Content) -> str:
    return block.mime or ("text/plain" if content_text(block) else "")


def _content(block: Content) -> bytes:
    if block.kind == "link":
        return f"{block.uri}\n{block.text}".encode("utf-8", "replace")
    return block.data or block.text.encode("utf-8", "replace")


def _new_folder(folder: Path, name: str) -> Path:
    for number in range(1, 1_000):
        made = folder / (name if number == 1 else f"{name}-{number}")
        try:
            made.mkdir()
        except FileExistsError:
            continue
        except OSError as error:
            raise ConfigError(f"{made} cannot be made: {error.strerror}") from error
        return made
    raise ConfigError(f"{folder} has too many folders called {name}")


logger = logging.getLogger(__name__)
_UNWANTED = compile_later(r"[^\w.\- ]+")
_MAX_NAME_LENGTH = 80
# What Windows takes for a device, whatever follows the dot.
_DEVICES = compile_later(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


class SaveDialog(QFileDialog):
    """Asks where to, has it written, and goes; nobody waits for it."""

    def __init__(
        self, parent: QWidget, name: str, content: Callable[[], bytes | Awaitable[bytes]]
    ) -> None:
        super().__init__(parent, QCoreApplication.translate("Saving", "Save"))
        self._owner = parent
        self._content = content
        self.writing: asyncio.Task[bool] | None = None
        """Whether it is written; why not is said."""
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.selectFile(name)
        self.fileSelected.connect(self._write)
        self.finished.connect(self.deleteLater)

    def _write(self, file: str) -> None:
        words = QCoreApplication.translate("Saving", "Save")
        self.writing = bridge.run(
            self._owner, _write(self._owner, Path(file), self._content), words
        )


def save_as(
    parent: QWidget, name: str, content: Callable[[], bytes | Awaitable[bytes]]
) -> SaveDialog:
    """Open the dialog over `parent`; `content` is asked for once, when a file was picked."""
    dialog = SaveDialog(parent, name, content)
    dialog.open()
    return dialog


def proposed_name(wanted: str, mime: str, fallback: str) -> str:
    """A harmless file name from what a server called something, with the type's suffix."""
    last = re.split(r"[/\\]", wanted.split("?")[0].rstrip("/\\"))[-1]
    name = _UNWANTED.sub("_", last).strip(". ")[:_MAX_NAME_LENGTH] or fallback
    name = f"_{name}" if _DEVICES.match(name) else name
    suffix = mimetypes.guess_extension(mime.split(";")[0].strip()) if mime else None
    return name if Path(name).suffix or not suffix else name + suffix


async def _write(
    owner: QWidget, path: Path, content: Callable[[], bytes | Awaitable[bytes]]
) -> bool:
    try:
        made = content()
        await asyncio.to_thread(write_file, path, made if isinstance(made, bytes) else await made)
    except ConfigError as error:
        logger.warning("not saved: %s", error)
        show_save_error(owner, path.name, error)
        return False
    return True


def show_save_error(parent: QWidget, name: str, error: ConfigError) -> None:
    """Say why nothing was written, over `parent`."""
    text = QCoreApplication.translate("Saving", "{name} was not saved: {reason}").format(
        name=name, reason=error
    )
    box = QMessageBox(QMessageBox.Icon.Warning, "", text, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.finished.connect(box.deleteLater)
    box.open()


class SaveAllDialog(QFileDialog):
    """Asks for a folder and has all of a result written into a new one inside it."""

    def __init__(self, parent: QWidget, result: ToolResult, name: str) -> None:
        super().__init__(parent, QCoreApplication.translate("Saving", "Save everything"))
        self._owner = parent
        self._result = result
        self._name = name
        self.writing: asyncio.Task[None] | None = None
        self.setFileMode(QFileDialog.FileMode.Directory)
        self.setOption(QFileDialog.Option.ShowDirsOnly)
        self.fileSelected.connect(self._write)
        self.finished.connect(self.deleteLater)

    def _write(self, folder: str) -> None:
        work = _write_all(self._owner, self._result, Path(folder), self._name)
        words = QCoreApplication.translate("Saving", "Save everything")
        self.writing = bridge.run(self._owner, work, words)


async def _write_all(owner: QWidget, result: ToolResult, folder: Path, name: str) -> None:
    try:
        if (spilled := result.spilled) is not None:
            text = await asyncio.to_thread(lambda: spilled.text.value)
        else:
            text = "" if result.structured is None else await json_text(result.structured)
        await asyncio.to_thread(save_all, result, folder, name, proposed_name, text)
    except ConfigError as error:
        logger.warning("not saved: %s", error)
        show_save_error(owner, name, error)
