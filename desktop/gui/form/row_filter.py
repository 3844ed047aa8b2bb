"""Which rows of a form are visible: all, those that match a search, or those that are not folded.

Hides and shows rows that others made. A row with a value or an issue is never folded away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.gui.form.field_row import FieldRow
from desktop.gui.widgets.visibility import batch_layout

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from desktop.gui.form.model.field_spec import FieldSpec
    from desktop.gui.form.model.nodes import Node

MIN_FOLDED_FIELDS: Final = 8
"""More optional fields than this are folded where there are required ones."""
_MAX_DEPTH: Final = 3


class RowFilter:
    """The rows of one form as drawn now; nothing moves until `apply`."""

    def __init__(self, *, folds: bool = True) -> None:
        """Args: folds: whether optional fields are folded where there are many."""
        self._folds = folds
        self._parents: dict[FieldRow, FieldRow | None] = {}
        self._hidden: set[FieldRow] = set()
        self._words: tuple[str, ...] = ()
        self.is_open = False
        """Whether the optional fields are unfolded."""
        self.is_foldable = False

    def set_rows(self, rows: Iterable[FieldRow]) -> None:
        """Filter these rows from now on.

        New ones follow the search and the fold, but for those inside another field: a person who
        adds an item while searching wants to see it.
        """
        before = self._parents
        self._parents = {row: _around(row) for row in rows}
        self._hidden.intersection_update(self._parents)
        new = [row for row, parent in self._parents.items() if parent is None and row not in before]
        if new:
            self._apply(new)

    def search_rows(self, query: str) -> int:
        """Show what has all these words, with what is around and inside it; how many match."""
        self._words = tuple(query.casefold().split())
        self.apply()
        return len(self._matching()) if self._words else len(self._parents)

    def unfold(self, is_open: bool) -> None:
        self.is_open = is_open
        self.apply()

    def decide_folding(self, root: Node) -> None:
        """Optional fields can be folded where there are many, and required ones beside them."""
        top = [node for _, node in root.children()]
        optional = [node for node in top if not node.spec.required]
        self.is_foldable = self._folds and MIN_FOLDED_FIELDS < len(optional) < len(top)

    def is_folded(self, node: Node) -> bool:
        """Whether a top-level field is hidden as long as it has neither a value nor an issue."""
        is_folding = self.is_foldable and not self.is_open and not self._words
        return is_folding and not node.spec.required and node.is_absent

    @property
    def hidden_count(self) -> int:
        return sum(self._parents[row] is None for row in self._hidden)

    def reveal(self, rows: Iterable[FieldRow]) -> None:
        """Show these, folded or not, because they have an issue."""
        hidden = [each for row in rows for each in self._upwards(row) if each in self._hidden]
        with batch_layout(hidden):
            for row in hidden:
                self._show(row, is_shown=True)

    def apply(self) -> None:
        """Hide and show every row by the search, or else by the fold."""
        self._apply(self._parents)

    def _apply(self, rows: Collection[FieldRow]) -> None:
        shown = set(self._found() if self._words else self._unfolded())
        with batch_layout(rows):
            for row in rows:
                self._show(row, is_shown=row in shown or row.node.spec.in_list)

    def _unfolded(self) -> Iterator[FieldRow]:
        for row, parent in self._parents.items():
            if parent is not None or not self.is_folded(row.node):
                yield row

    def _found(self) -> Iterator[FieldRow]:
        matching = self._matching()
        for row in matching:
            yield from self._upwards(row)
        for row in self._parents:
            if any(above in matching for above in self._upwards(row)):
                yield row

    def _matching(self) -> set[FieldRow]:
        """A field with others drawn inside is asked for its own texts only: they have theirs."""
        outer = set(self._parents.values())
        return {
            row
            for row in self._parents
            if _has(row.node.spec, self._words, 0 if row in outer else _MAX_DEPTH)
        }

    def _upwards(self, row: FieldRow) -> Iterator[FieldRow]:
        here: FieldRow | None = row
        while here is not None:
            yield here
            here = self._parents.get(here)

    def _show(self, row: FieldRow, *, is_shown: bool) -> None:
        if is_shown and row in self._hidden:
            self._hidden.remove(row)
            row.show()
        elif not is_shown and row not in self._hidden:
            self._hidden.add(row)
            row.hide()


def _around(row: FieldRow) -> FieldRow | None:
    """The row that this one is drawn in."""
    parent = row.parentWidget()
    while parent is not None and not isinstance(parent, FieldRow):
        parent = parent.parentWidget()
    return parent


def _has(spec: FieldSpec, words: tuple[str, ...], depth: int) -> bool:
    """Whether every word is in the field's own texts, or in those of fields not drawn yet."""
    text = "\n".join(_texts(spec.name, spec.schema, depth)).casefold()
    return all(word in text for word in words)


def _texts(name: str, schema: object, depth: int) -> Iterator[str]:
    yield name
    if not isinstance(schema, Mapping):
        return
    members = cast("Mapping[str, Any]", schema)
    yield from (str(members[key]) for key in ("title", "description") if key in members)
    if depth <= 0:
        return
    yield from _texts("", members.get("items"), depth - 1)
    properties = members.get("properties")
    if isinstance(properties, Mapping):
        for inner, each in cast("Mapping[str, Any]", properties).items():
            yield from _texts(inner, each, depth - 1)
