"""Moves the large parts of a result to a temporary file, before anybody is given the result.

So with what a tool answered, with a resource that was read, and with a prompt that was filled in.

A view reads back the part that it shows (`desktop.values.tool_types`), no more. Where there is no
room on the disk, a result stays in memory as it came: nothing is lost. What is written is what the
tool answered, secrets included: the file has no name, belongs to this user alone, and is gone with
the process at the latest. Must not keep a result.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import weakref
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec.structs import replace

from desktop.base.free_memory import return_free_memory
from desktop.values.spilled import SpilledBytes, SpilledJson, SpilledText, SpillFile, weight_of_json
from desktop.values.tool_types import ToolResult, wrapped_value

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.values.tool_types import Content

LARGE: Final = 8 * 1024 * 1024
"""Bytes (of text: characters) of a result from which its parts go to the disk."""
QUICK: Final = 256 * 1024
"""Bytes of structured content that are weighed on the loop; more take too long, and a thread."""
PART: Final = 64 * 1024
"""Bytes of a part that stays in memory in any case."""
MAX_ON_DISK: Final = 1024 * 1024 * 1024
"""Bytes of all results together; those beyond stay in memory."""
TRIM_AFTER: Final = 3.0
"""Seconds until the system has back what a large result leaves."""
LEFT_FREE: Final = 256 * 1024 * 1024
"""Bytes of the disk that are left to others."""
MAX_MESSAGE_LENGTH: Final = 100_000
"""Characters of the message of an error whose whole text is on disk."""

logger = logging.getLogger(__name__)


class ResultSpill:
    """Owns the limits; the files end with the results that are in them."""

    def __init__(self, folder: Path, *, large: int = LARGE, max_on_disk: int = MAX_ON_DISK) -> None:
        """Args: folder: on the disk that is used; private to the person."""
        self._folder, self._large, self._max_on_disk = folder, large, max_on_disk
        self._trim: asyncio.TimerHandle | None = None
        self._sizes: dict[int, int] = {}  # no lock: garbage may be collected while it is held

    @property
    def on_disk(self) -> int:
        """Bytes of the results that are there now."""
        return sum(list(self._sizes.values()))

    async def spill(self, result: ToolResult) -> ToolResult:
        """The same result with its large parts on disk; itself where it has none, or no room."""
        if not self._may_be_large(result):
            return result
        spilled = await asyncio.to_thread(self._spill, result)
        if spilled is not result:
            self._return_memory_later()
        return spilled

    def _return_memory_later(self) -> None:
        """By then nobody has what came. It is of few objects: no collection gives them back."""
        if self._trim is not None:
            self._trim.cancel()
        self._trim = asyncio.get_running_loop().call_later(TRIM_AFTER, return_free_memory)

    async def spill_content(self, content: tuple[Content, ...]) -> tuple[Content, ...]:
        """The same for blocks that are no tool's: of a resource, or of a prompt."""
        return (await self.spill(ToolResult(True, content=content))).content

    def _may_be_large(self, result: ToolResult) -> bool:
        """What costs next to nothing to ask, for the many small results."""
        if _size(result) > self._large:
            return True
        quick = min(QUICK, self._large)
        return result.structured is not None and _is_json_over(quick, result.structured)

    def _is_large(self, result: ToolResult) -> bool:
        return _size(result) > self._large or _is_json_over(self._large, result.structured)

    def _spill(self, result: ToolResult) -> ToolResult:
        if not self._is_large(result):
            return result
        try:
            free = shutil.disk_usage(self._folder).free - LEFT_FREE
            room = min(free, self._max_on_disk - self.on_disk)
            file = _BoundedFile(self._folder, room)
            spilled = _moved(file, result)
            file.flush()
        except OSError as error:
            logger.warning("a large result stays in memory: %s", error)
            return result
        except (ValueError, TypeError, RecursionError) as error:
            logger.warning("a large result stays in memory, it is not JSON: %s", error)
            return result
        self._count(file)
        return spilled

    def _count(self, file: SpillFile) -> None:
        self._sizes[id(file)] = file.size
        weakref.finalize(file, self._sizes.pop, id(file), None)


def _size(result: ToolResult) -> int:
    """Characters and bytes: the output of a tool has the texts of all its blocks."""
    texts = sum(len(block.text) for block in result.content)
    return max(len(result.output), texts) + sum(len(block.data) for block in result.content)


def _moved(file: SpillFile, result: ToolResult) -> ToolResult:
    texts: dict[int, SpilledText] = {}  # the output and its only block are the same object

    def text(given: str) -> str:
        if len(given) <= PART:
            return given
        if (written := texts.get(id(given))) is None:
            written = texts[id(given)] = SpilledText(file, (given,))
        return cast("str", written)

    def block(given: Content) -> Content:
        data = given.data
        if len(data) > PART:
            data = cast("bytes", SpilledBytes(file, data))
        return replace(given, text=text(given.text), data=data)

    structured, error = result.structured, result.error
    if structured is not None and _is_json_over(PART, structured):
        is_said = wrapped_value(structured) == result.output
        structured = SpilledJson(file, structured, is_said=is_said)
    if error is not None and len(error.message) > MAX_MESSAGE_LENGTH:
        error = replace(error, message=f"{error.message[:MAX_MESSAGE_LENGTH]}…")
    return replace(
        result,
        output=text(result.output),
        content=tuple(map(block, result.content)),
        structured=structured,
        error=error,
    )


def _is_json_over(most: int, value: Any) -> bool:
    return weight_of_json(value, most) > most


class _BoundedFile(SpillFile):
    """One that ends before the disk does."""

    def __init__(self, folder: Path, most: int) -> None:
        super().__init__(folder)
        self._most = most

    def write(self, content: bytes) -> None:
        if self.size + len(content) > self._most:
            raise OSError(f"more than {max(0, self._most):,} bytes would be on the disk")
        super().write(content)
