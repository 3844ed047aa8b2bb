"""The arguments as a whole, written as JSON. Keeps invalid text; tells what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from desktop.gui.form.json_editor import JsonEditor
from desktop.gui.form.json_text import JsonTextError, read_json, write_json
from desktop.tools.issue import ValidationIssue

if TYPE_CHECKING:
    from desktop.gui.theme import Theme


class ArgumentsJson(JsonEditor):
    """A JSON editor whose text has to be an object; no text at all is an empty one."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, lines=8)
        self.value: dict[str, Any] | None = {}
        """What the text stands for, None while it stands for nothing."""
        self.issue: ValidationIssue | None = None

    def set_value(self, value: dict[str, Any]) -> None:
        self.set_text(write_json(value))

    def _translate(self) -> None:
        super()._translate()
        self.editor.setAccessibleName(self.tr("Arguments as JSON"))

    def _check(self) -> None:
        super()._check()
        self.value, self.issue = _read(self.text)
        if self.issue is not None and not self.status.text():
            self.status.setText(self.issue.message)
            self.status.show()


def _read(text: str) -> tuple[dict[str, Any] | None, ValidationIssue | None]:
    try:
        value: Any = read_json(text if text.strip() else "{}")
    except JsonTextError as error:
        place = f"line {error.line}, column {error.column}"
        return None, ValidationIssue((), "format", f"The arguments are not JSON: {place}: {error}")
    if isinstance(value, dict):
        return cast("dict[str, Any]", value), None
    return None, ValidationIssue((), "type", "The arguments must be a JSON object: { … }")
