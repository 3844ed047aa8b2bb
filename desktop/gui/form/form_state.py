"""All that a person has in a form, to be put into another one or back into the same. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.gui.form.json_text import JsonTextError, read_json
from desktop.gui.form.nodes import JsonNode

if TYPE_CHECKING:
    from desktop.gui.form.model import FormModel
    from desktop.gui.form.nodes import Path


@dataclass(frozen=True, slots=True)
class FormState:
    """The value, and beside it what has none yet.

    `text` is the JSON view's where that is shown; `unread` the texts of fields that are not JSON.
    """

    value: dict[str, Any]
    text: str | None = None
    unread: tuple[tuple[Path, str], ...] = ()
    is_open: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nobody would miss it."""
        return not (self.value or self.unread or _is_unread(self.text))


def unread_texts(model: FormModel) -> tuple[tuple[Path, str], ...]:
    """The text of every field that stands for nothing yet."""
    return tuple(
        (path, node.text)
        for path, node in model.walk()
        if isinstance(node, JsonNode) and node.problem
    )


def put_back(model: FormModel, state: FormState) -> None:
    """Give `model` the value and the texts, these where it has a place for them."""
    model.set_value(state.value)
    places = {path: node for path, node in model.walk() if isinstance(node, JsonNode)}
    for path, text in state.unread:
        if path in places:
            places[path].type_text(text)


def _is_unread(text: str | None) -> bool:
    try:
        return text is not None and bool(text.strip()) and read_json(text) != {}
    except JsonTextError:
        return True
