"""One call of a tool as its handler sees it, and what the handler gives back."""

from __future__ import annotations

from threading import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any


class ToolError(Exception):
    """The tool cannot do what was asked; the text is shown to the person and the model."""


class ArgumentError(Exception):
    """A server cannot start with the arguments it was given; the text says which are right."""


class Reply:
    """What a tool answers: a text to read and, with an output schema, the same as data.

    `blocks` are content blocks as the protocol has them (image, audio, resource); they follow the
    text, which is left out where it is empty.
    """

    __slots__ = ("blocks", "structured", "text")

    def __init__(
        self,
        text: str,
        structured: Mapping[str, Any] | None = None,
        blocks: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self.text = text
        self.structured = structured
        self.blocks = blocks

    def to_content(self) -> list[Mapping[str, Any]]:
        has_text = bool(self.text) or not self.blocks
        return [*([{"type": "text", "text": self.text}] if has_text else []), *self.blocks]


class Call:
    """The checked arguments of one call, its cancellation and its progress."""

    __slots__ = ("_cancelled", "_report", "arguments")

    def __init__(
        self,
        arguments: Mapping[str, Any],
        report: Callable[[float, float | None, str], None],
    ) -> None:
        self.arguments = arguments
        self._report = report
        self._cancelled = Event()

    @property
    def is_cancelled(self) -> bool:
        """A handler that takes longer than a moment asks this between its steps."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        self._cancelled.set()

    def wait_cancelled(self, seconds: float) -> bool:
        """Sleep that ends early, with True, when the client cancels."""
        return self._cancelled.wait(seconds)

    def report(self, progress: float, total: float | None = None, message: str = "") -> None:
        """Tell the client how far the call is; silent where the client did not ask."""
        self._report(progress, total, message)
