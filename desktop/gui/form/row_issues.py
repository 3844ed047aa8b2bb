"""Brings findings to the fields they are about, and says which are about none.

Touches only fields whose findings changed: a form has hundreds, and a key press changes one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.gui.form.at_once import at_once
from desktop.gui.issue_words import line_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.gui.form.field_row import FieldRow
    from desktop.gui.form.model import FormModel
    from desktop.tool_types import ValidationIssue


class RowIssues:
    """What each row was last told."""

    def __init__(self) -> None:
        self._told: dict[FieldRow, tuple[tuple[ValidationIssue, ...], bool]] = {}
        self.unplaced: tuple[ValidationIssue, ...] = ()
        """Findings for paths that no row stands for."""

    def tell(
        self,
        issues: Iterable[ValidationIssue],
        rows: Sequence[FieldRow],
        model: FormModel,
        *,
        is_revealed: bool,
    ) -> list[FieldRow]:
        """Show every finding at the row it is about; the rows that have something to say."""
        known = {id(row.node) for row in rows}
        at: dict[int, list[ValidationIssue]] = {}
        unplaced: list[ValidationIssue] = []
        paths = {id(node): path for path, node in model.walk()}
        for issue in issues:
            node = model.find(issue.path)
            if id(node) in known:
                inside = issue.path[len(paths.get(id(node), issue.path)) :]
                at.setdefault(id(node), []).append(_within(issue, inside))
            else:
                unplaced.append(issue)
        self.unplaced = tuple(unplaced)
        return self._show(rows, at, is_revealed=is_revealed)

    def _show(
        self,
        rows: Sequence[FieldRow],
        at: dict[int, list[ValidationIssue]],
        *,
        is_revealed: bool,
    ) -> list[FieldRow]:
        before, self._told = self._told, {}
        for row in rows:
            found = tuple(at.get(id(row.node), ()))
            self._told[row] = found, is_revealed or row.node.is_touched
        changed = [
            row for row, said in self._told.items() if before.get(row, ((), said[1])) != said
        ]
        with at_once(changed):
            for row in changed:
                found, is_told = self._told[row]
                row.show_issues(found, is_revealed=is_told)
        return [
            row
            for row, (found, is_told) in self._told.items()
            if any(is_told or issue.severity == "warning" for issue in found)
        ]


def _within(issue: ValidationIssue, inside: tuple[str | int, ...]) -> ValidationIssue:
    """The same finding as the field says it: with the rest of the way, where it is deeper."""
    if not inside:
        return issue
    return replace(issue, message=line_of(replace(issue, path=inside)), code="")
