"""The arguments as fields in a scroll area, with their issues, Tab order, search and fold.

Judges no value: issues are given to it, and edits go into the model. Only rows whose issues changed
are touched, because a form has hundreds of rows and a key press changes one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, cast

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QPushButton, QScrollArea, QVBoxLayout, QWidget
from shiboken6 import isValid

from desktop.gui import shortcuts
from desktop.gui.form.field import Field, FormContext
from desktop.gui.form.field_factory import make_field
from desktop.gui.form.field_row import FieldRow
from desktop.gui.form.issue_list import IssueList, ListedIssue
from desktop.gui.form.object_field import OPTIONAL_DIVIDER
from desktop.gui.layouts import in_column
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, issue_line
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.tab_order import restore_tab_order
from desktop.gui.widgets.text_editors import cursor_position, set_cursor_position
from desktop.gui.widgets.visibility import batch_layout

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from desktop.gui.form.model.field_spec import FieldSpec
    from desktop.gui.form.model.form_model import FormModel
    from desktop.gui.form.model.nodes import Node
    from desktop.gui.theme import Theme
    from desktop.values.tool_types import JsonPath, ValidationIssue

# Which rows of a form are visible: all, those that match a search, or those that are not folded.
#
# Hides and shows rows that others made. A row with a value or an issue is never folded away.


MIN_FOLDED_FIELDS: Final = 5
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


class MenuKeys(QObject):
    """Belongs to the view of the fields, which says where the keyboard is."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watched: QWidget | None = None
        self._row: FieldRow | None = None

    def follow(self, focused: QWidget | None, row: FieldRow | None) -> None:
        """The keyboard is in `focused`, which is part of `row`."""
        if self._watched is not None and isValid(self._watched):
            self._watched.removeEventFilter(self)
        if self._row is not None and self._row is not row and isValid(self._row):
            self._row.note_keyboard(is_inside=False)
        self._watched, self._row = (focused, row) if row is not None else (None, None)
        if self._row is not None:
            self._row.note_keyboard(is_inside=True)
        if self._watched is not None:
            self._watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self._row is None or not isValid(self._row) or not _asks_for_menu(event):
            return False
        return self._row.open_menu()


def _asks_for_menu(event: QEvent) -> bool:
    """Some platforms send an event of its own for these keys, others the key press alone."""
    if isinstance(event, QContextMenuEvent):
        return event.reason() == QContextMenuEvent.Reason.Keyboard
    is_press = event.type() == QEvent.Type.KeyPress
    return is_press and isinstance(event, QKeyEvent) and shortcuts.FIELD_MENU.matches(event)


class RowIssues:
    """The issues that each row shows now."""

    def __init__(self) -> None:
        self._issues_by_row: dict[FieldRow, tuple[tuple[ValidationIssue, ...], bool]] = {}
        self.unplaced: tuple[ValidationIssue, ...] = ()
        """Issues of paths that have no row."""

    def show(
        self,
        issues: Iterable[ValidationIssue],
        rows: Sequence[FieldRow],
        model: FormModel,
        *,
        is_revealed: bool,
    ) -> list[FieldRow]:
        """Show every issue at its row; returns the rows that have something to show."""
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
        return self._show_at(rows, at, is_revealed=is_revealed)

    def _show_at(
        self,
        rows: Sequence[FieldRow],
        at: dict[int, list[ValidationIssue]],
        *,
        is_revealed: bool,
    ) -> list[FieldRow]:
        before, self._issues_by_row = self._issues_by_row, {}
        for row in rows:
            found = tuple(at.get(id(row.node), ()))
            self._issues_by_row[row] = found, is_revealed or row.node.is_begun
        changed = [
            row for row, now in self._issues_by_row.items() if before.get(row, ((), now[1])) != now
        ]
        with batch_layout(changed):
            for row in changed:
                found, is_told = self._issues_by_row[row]
                row.show_issues(found, is_revealed=is_told)
        return [
            row
            for row, (found, is_told) in self._issues_by_row.items()
            if any(is_told or issue.severity == "warning" for issue in found)
        ]


def _within(issue: ValidationIssue, inside: JsonPath) -> ValidationIssue:
    """The issue as its row words it: with the rest of the path where it lies deeper."""
    if not inside:
        return issue
    return replace(issue, message=issue_line(replace(issue, path=inside)), code="")


def _editor_first(widget: QWidget) -> QWidget | None:
    """The editor of a row comes before the buttons beside its name."""
    return widget.field if isinstance(widget, FieldRow) else None


class _Body(QWidget):
    """What is scrolled; says when its rows may need another height."""

    rearranged = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.rearranged.emit()
        return super().event(event)


class FieldsView(QWidget):
    """The fields of one model; `edited` follows every edit."""

    edited = Signal()
    rearranged = Signal()
    """Fields came or went."""
    resized = Signal()
    """What `content_height` says may have changed."""
    reveal_requested = Signal(object)
    """A person clicked a `ListedIssue` that no field stands for."""

    def __init__(
        self,
        model: FormModel,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        folds: bool = True,
    ) -> None:
        """Args: folds: whether optional fields are folded where there are many."""
        super().__init__(parent)
        self.model = model
        self._theme = theme
        self._filter = RowFilter(folds=folds)
        self._context = FormContext(
            theme,
            self.edited.emit,
            self._rearrange,
            self._renew,
            make_field,
            self._filter.is_folded,
        )
        self._field: Field | None = None
        self._rows: tuple[FieldRow, ...] = ()
        self._issues = RowIssues()
        self._menu_keys = MenuKeys(self)
        self.fold_button: QPushButton | None = None
        self.nothing_found = plain_label("", "muted")
        self.area = QScrollArea(self)
        self._body = _Body()
        self._body.rearranged.connect(self.resized)
        self._column = QVBoxLayout(self._body)
        self._lay_out()
        QApplication.instance().focusChanged.connect(self._note_focus)  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue, reportUnknownMemberType] there is an application
        self.redraw()

    @cached_property
    def messages(self) -> IssueList:
        """Above the fields; made when something is wrong that has no field, which is rare."""
        made = IssueList(self._theme, self)
        made.reveal_requested.connect(self.reveal_requested)
        self._parts.insertWidget(0, made)
        return made

    def content_height(self) -> int:
        """Pixels that all fields and the list above them take without scrolling."""
        is_listed = "messages" in vars(self) and not self.messages.isHidden()
        above = self.messages.height() + space(2) if is_listed else 0
        width = max(self.area.viewport().width(), self._body.minimumSizeHint().width())
        needs_width = self._body.hasHeightForWidth()
        fields = self._body.heightForWidth(width) if needs_width else -1
        return above + max(fields, self._body.minimumSizeHint().height()) + space(1)

    @property
    def field_count(self) -> int:
        """Of the model, not only of those drawn already."""
        return sum(1 for _ in self.model.walk()) - 1

    @property
    def is_open(self) -> bool:
        """Whether the optional fields were unfolded."""
        return self._filter.is_open

    def redraw(self) -> None:
        """Draw the model anew; the keyboard stays at the same path."""
        focused = QApplication.focusWidget()
        at, caret = self._path_of(focused), cursor_position(focused)
        if self._field is not None:
            self._field.hide()
            self._field.setParent(None)
            self._field.deleteLater()
        self._filter.decide_folding(self.model.root)
        self._field = self._make_root()
        self._column.insertWidget(0, self._field)
        if self.isVisible():
            self._field.show()  # at once: a hidden widget cannot take the focus
        self._rearrange()
        if at is not None and (row := self.row_at(at)) is not None:
            row.field.target().setFocus()
            set_cursor_position(row.field.target(), caret)

    def unfold(self, is_open: bool) -> None:
        """Show or fold away the optional fields without a value."""
        self._complete()
        self._filter.unfold(is_open)
        self._name_fold()

    def search_rows(self, query: str) -> int:
        """Show only what matches, all for an empty query; how many fields do."""
        self._complete()
        found = self._filter.search_rows(query)
        if (line := self._body.findChild(QWidget, OPTIONAL_DIVIDER)) is not None:
            line.setVisible(not query.strip())
        self.nothing_found.setText(self.tr("No matching fields."))
        self.nothing_found.setVisible(bool(query.strip()) and not found)
        self._name_fold()
        return found

    def show_issues(self, issues: Sequence[ValidationIssue], *, is_revealed: bool) -> None:
        """Show each issue at its field, and those that have no field above all of them."""
        if is_revealed:
            self._complete()
        speaking = self._issues.show(issues, self._rows, self.model, is_revealed=is_revealed)
        self._filter.reveal(speaking)
        self._name_fold()
        is_begun = is_revealed or any(node.is_touched for _, node in self.model.walk())
        unplaced = [
            ListedIssue(issue)
            for issue in self._issues.unplaced
            if is_begun or issue.severity == "warning"
        ]
        if unplaced or "messages" in vars(self):
            self.messages.show_issues(unplaced)

    def row_at(self, path: JsonPath) -> FieldRow | None:
        """The row of the field at `path`, or of the nearest around it."""
        self._complete()
        node = self.model.find(path)
        return next((row for row in self._rows if row.node is node), None)

    def go_to(self, row: FieldRow) -> None:
        """Put the keyboard into a field, wherever it is."""
        self._filter.reveal([row])
        self._name_fold()
        target = row.field.target()
        target.setFocus(Qt.FocusReason.OtherFocusReason)
        self.area.ensureWidgetVisible(row, 0, space(4))
        self.area.ensureWidgetVisible(target, 0, space(4))

    def focus_first(self) -> bool:
        """Put the keyboard into the first required field, else into the first; none: False."""
        rows = [row for row in self._rows if row.isVisibleTo(self)]
        needed = [row for row in rows if row.node.spec.required]
        for row in (needed or rows)[:1]:
            target = row.field.target()
            self.area.ensureWidgetVisible(target, 0, space(4))
            target.setFocus(Qt.FocusReason.TabFocusReason)
        return bool(rows)

    def _make_root(self) -> Field:
        field = make_field(self.model.root, self._context, is_root=True)
        field.edited.connect(self.edited)
        return field

    def _complete(self) -> None:
        """Have all rows: a long form is drawn a part at a time."""
        if self._field is not None:
            self._field.complete()

    def _rearrange(self) -> None:
        self._rows = tuple(self._body.findChildren(FieldRow))
        self._filter.set_rows(self._rows)
        self._offer_fold()
        restore_tab_order(self._body, _editor_first)
        self.rearranged.emit()

    def _renew(self, node: Node, value: Any) -> None:
        self.model.renew(node, value)
        self.redraw()
        self.edited.emit()

    def _offer_fold(self) -> None:
        """Put the button that folds at the line above the optional fields, where there are many."""
        line = self._body.findChild(QWidget, OPTIONAL_DIVIDER)
        column = line.layout() if line is not None else None
        if line is None or column is None or not self._filter.is_foldable:
            self.fold_button = None
            return
        if (there := line.findChild(QPushButton)) is not None:
            self.fold_button = there
            self._name_fold()
            return
        button = QPushButton()
        style(button, "link")
        button.clicked.connect(lambda: self.unfold(not self._filter.is_open))
        column.addWidget(button)
        column.setAlignment(button, Qt.AlignmentFlag.AlignLeft)
        self.fold_button = button
        self._name_fold()

    def _name_fold(self) -> None:
        if self.fold_button is None:
            return
        folded = 0 if self._filter.is_open else self._filter.hidden_count
        words = counted(
            folded,
            self.tr("Show 1 more optional field"),
            self.tr("Show {count} more optional fields"),
        )
        if self._filter.is_open:
            words = self.tr("Hide empty optional fields")
        self.fold_button.setText(words)
        set_icon(
            self._theme, self.fold_button, "chevron-down" if folded else "chevron-up", "accent"
        )
        self.fold_button.setVisible(self._filter.is_open or folded > 0)

    def _path_of(self, widget: QWidget | None) -> JsonPath | None:
        row = self._row_of(widget)
        if row is None:
            return None
        return next((path for path, node in self.model.walk() if node is row.node), None)

    def _row_of(self, widget: QWidget | None) -> FieldRow | None:
        """The row of ours that a widget is in."""
        if widget is None or not self._body.isAncestorOf(widget):
            return None
        here: QWidget | None = widget
        while here is not None and not isinstance(here, FieldRow):
            here = here.parentWidget()
        return here

    def _note_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        if isValid(self):
            self._menu_keys.follow(now, self._row_of(now))

    def _lay_out(self) -> None:
        style(self._body)
        self._column.setContentsMargins(0, 0, 0, space(2))
        self._column.addWidget(self.nothing_found)
        self._column.addStretch(1)
        self.nothing_found.hide()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.area.setWidget(self._body)
        self._parts = in_column(self, (self.area, 1))
