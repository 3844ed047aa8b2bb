"""The right side of the catalogue: one server, what it would run in full, and the form it asks for.

Shows an entry and the plan of its installation as the form is filled in; must not write anything.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop.base.visible_text import mark_hidden, mark_hidden_text
from desktop.config.models import Sandbox
from desktop.features.catalogue.bundle import fits_here
from desktop.features.catalogue.gui import labels
from desktop.features.catalogue.install import (
    answers_from,
    form_value,
    input_schema,
    reason_not_installable,
    suggest_name,
)
from desktop.gui.form.schema_form import SchemaForm
from desktop.gui.import_export.labels import warning_label
from desktop.gui.layouts import STRETCH, TOP, InnerColumn, InnerRow, in_column
from desktop.gui.requests.form_view import marked_schema
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.elided_choice import ElidedChoice
from desktop.gui.widgets.field_rows import FieldRows
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.sandbox_offer import SandboxOffer
from desktop.gui.widgets.server_faces import ServerFaces, set_face
from desktop.gui.widgets.text_editors import LaunchText
from desktop.gui.widgets.wheel_filter import require_focus_for_wheel

if TYPE_CHECKING:
    from desktop.config.imports.server_json import Way
    from desktop.features.catalogue.bundle import FetchedBundle
    from desktop.features.catalogue.catalogue import Catalogue, Update
    from desktop.features.catalogue.gui.found_list import FoundRow
    from desktop.features.catalogue.install import Installation
    from desktop.gui.theme import Theme

_FACE = space(8)
_COMMAND_HEIGHT = space(18)
_DOWNLOAD_HEIGHT = space(30)
"""All of an address and a hash, which are to be read."""


class EntryView(QScrollArea):
    """One entry; `changed` follows every edit that changes what would be written."""

    changed = Signal()
    add_requested = Signal()
    """Ctrl+Enter in the form."""

    def __init__(self, theme: Theme, catalogue: Catalogue) -> None:
        super().__init__()
        self._theme, self._catalogue = theme, catalogue
        self._row: FoundRow | None = None
        self.fetched: FetchedBundle | None = None
        """The bundle of the chosen way, once it was downloaded; nothing of it is unpacked."""
        self._face = QLabel()
        self.title, self.origin = plain_label("", "heading"), plain_label("", "muted", "small")
        self.description = plain_label("")
        self.links = plain_label("", "mono", "muted", "small")
        self.status, self.update_note = plain_label("", "warning"), plain_label("", "accent")
        self.ways = ElidedChoice()
        self.reason = plain_label("", "warning")
        self._runs, self._asks = plain_label("", "heading"), plain_label("", "heading")
        self.command = LaunchText(theme)
        self.severe = plain_label("", "danger")
        """What gives away the whole computer: first, and not in small letters."""
        self.warnings = plain_label("", "warning", "small")
        self.trust = plain_label("", "muted", "small")
        self.sandbox = SandboxOffer()
        self.name = QLineEdit()
        self._way_label, self._name_label = QLabel(), QLabel()
        self.form: SchemaForm | None = None
        self._form_place = QVBoxLayout()
        self._lay_out()
        self.ways.currentIndexChanged.connect(self._show_way)
        self.name.textChanged.connect(self._note_edit)
        self.sandbox.box.toggled.connect(self._note_edit)
        self._set_texts()

    @property
    def row(self) -> FoundRow | None:
        return self._row

    @property
    def update_of(self) -> Update | None:
        """The update that is shown, if it can be taken."""
        update = self._row.update if self._row is not None else None
        return update if update is not None and update.is_offered else None

    @property
    def way(self) -> Way | None:
        """The chosen way, where it can be used here; of a bundle that is here, what it says."""
        if self.fetched is not None:
            return self.fetched.way
        way = self._chosen_way()
        return way if way is not None and not reason_not_installable(way) else None

    def show_row(self, row: FoundRow | None) -> None:
        """Show a server from its top, with an empty form or the values that it has here."""
        self.discard_fetched()
        self._row = row
        if row is None:
            self._replace_form(None)
            return
        entry = row.entry
        key = labels.face_key(entry)
        ServerFaces.of(self._theme).learn(key, entry.icons)
        set_face(self._theme, self._face, key, size=_FACE)
        names = {*self._catalogue.store.servers, *self._catalogue.store.problems}
        name = row.update.server if row.update else suggest_name(entry, names)
        self.name.setText(name)
        self.name.setPlaceholderText(name)  # what an empty field means
        self.name.setEnabled(row.update is None)
        self._fill_ways(row)
        self._set_texts()
        self.verticalScrollBar().setValue(0)

    def show_fetched(self, fetched: FetchedBundle, update: Update | None) -> None:
        """Show what a bundle that is here now runs and asks for.

        Args:
            fetched: the bundle of the way that is shown.
            update: that is shown, with what the bundle changes; None where it is none.
        """
        self.fetched = fetched
        if self._row is not None and update is not None:
            self._row = replace(self._row, update=update)
        self._replace_form(fetched.way)
        self._set_texts()
        self._note_edit()

    def discard_fetched(self) -> None:
        """Forget the bundle, and remove its packed file."""
        if self.fetched is not None:
            self.fetched.discard()
            self.fetched = None

    def plan(self, *, to_keyring: bool) -> Installation | None:
        """What would be written; None where that is not known. Raises `ConfigError`."""
        if self._row is None or (way := self.way) is None or way.is_packed:
            return None
        update = self.update_of
        return self._catalogue.plan(
            self._row.entry,
            way,
            answers_from(self.form.value() if self.form is not None else {}),
            name=self.name.text().strip(),
            server=update.server if update is not None else "",
            to_keyring=to_keyring,
            sandbox=None if self.sandbox.is_wanted else Sandbox(preset="off"),
        )

    def show_plan(self, plan: Installation | None) -> None:
        """Show all that would be run, and what stands out in it."""
        details = plan.details if plan is not None else ()
        text = "\n".join(f"{detail.place}: {detail.value}" for detail in details)
        is_packed = (way := self.way) is not None and way.is_packed
        if way is not None and is_packed:
            text = labels.download_label(way)
        self.command.setFixedHeight(_DOWNLOAD_HEIGHT if is_packed else _COMMAND_HEIGHT)
        if text != self.command.toPlainText():
            self.command.setPlainText(text)
        is_new = plan is not None and self.update_of is None
        store = self._catalogue.store
        proposed = {plan.config.name: store.sandbox_for(plan.config)} if plan and is_new else {}
        self.sandbox.show_proposals(proposed)
        warnings = plan.warnings if plan is not None else ()
        for label, is_severe in ((self.severe, True), (self.warnings, False)):
            told = [warning_label(found) for found in warnings if found.is_severe == is_severe]
            label.setText("\n".join(f"! {words}" for words in told))
            label.setVisible(bool(told))

    def go_to_first_problem(self) -> None:
        """Show what is missing in the form, and put the keyboard there."""
        if self.form is None:
            return
        self.form.reveal_issues()
        if (field := self.form.first_invalid()) is not None:
            field.setFocus(Qt.FocusReason.OtherFocusReason)
            self.ensureWidgetVisible(field)

    def focus_first(self) -> None:
        """Put the keyboard into the first thing to fill in."""
        if self.form is not None:
            self.form.fields.focus_first()
        else:
            self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_texts(self) -> None:
        self._way_label.setText(self.tr("How to use it"))
        self._name_label.setText(self.tr("Name here"))
        self.ways.setAccessibleName(self.tr("How to use it"))
        self.name.setAccessibleName(self.tr("Name here"))
        self.command.setAccessibleName(self.tr("What this server runs or connects to"))
        self._asks.setText(self.tr("What it asks for"))
        way = self._chosen_way()
        is_remote = way is not None and way.is_remote
        words = self.tr("It would reach") if is_remote else self.tr("It would run")
        is_packed = way is not None and way.is_packed and self.fetched is None
        self._runs.setText(self.tr("It would download") if is_packed else words)
        if self._row is not None:
            self._show_texts(self._row)

    def _show_texts(self, row: FoundRow) -> None:
        entry, update = row.entry, row.update
        self.title.setText(mark_hidden(entry.label))
        self.setAccessibleName(mark_hidden(entry.label))
        self.origin.setText(f"{labels.origin_label(entry)}\n{mark_hidden(entry.name)}")
        self.description.setText(mark_hidden_text(entry.description))
        trust = self.tr(
            "A registry checks who owns “{publisher}”, not what the server does. Without a "
            "sandbox it runs with all your permissions."
        )
        self.trust.setText(trust.format(publisher=mark_hidden(entry.publisher)))
        links = [mark_hidden(link) for link in (entry.repository, entry.website) if link]
        self.links.setText("\n".join(links))
        self.links.setVisible(bool(links))
        words = labels.status_label(entry)
        style(self.status, "danger" if entry.status == "deleted" else "warning")
        self.status.setText(words)
        self.status.setVisible(bool(words))
        self.update_note.setText("\n".join(self._update_lines(update)) if update else "")
        self.update_note.setVisible(update is not None)

    def _update_lines(self, update: Update) -> list[str]:
        lines = [labels.update_label(update)]
        if update.problem:
            return [*lines, spoken(update.problem)]
        for change in update.differences:
            nothing = self.tr("nothing")
            text = self.tr("{place}: now {before}, then {after}")
            before, after = change.ours or nothing, change.theirs or nothing
            lines.append(
                text.format(
                    place=mark_hidden(change.place),
                    before=mark_hidden(before),
                    after=mark_hidden(after),
                )
            )
        requires = self.tr("It newly requires {name}.")
        wanted = [requires.format(name=mark_hidden(asked.key)) for asked in update.wanted]
        return [*lines, *wanted]

    def _fill_ways(self, row: FoundRow) -> None:
        update = row.update
        ways = row.entry.ways if update is None or update.way is None else (update.way,)
        was_blocked = self.ways.blockSignals(True)
        self.ways.clear()
        for way in ways:
            self.ways.addItem(labels.way_label(way), way)
        usable = (at for at, way in enumerate(ways) if not reason_not_installable(way))
        best = min(usable, key=lambda at: not fits_here(ways[at]), default=0 if ways else -1)
        self.ways.setCurrentIndex(best)
        self.ways.blockSignals(was_blocked)
        self._show_way()

    def _show_way(self) -> None:
        self.discard_fetched()
        way = self._chosen_way()
        words = self.tr("It names neither a package nor an address.")
        if way is not None:
            reason = spoken(reason_not_installable(way))
            words = self.tr("Not installable here. {reason}").format(reason=reason)
            words = words if reason else ""
        self.reason.setText(mark_hidden_text(words))
        self.reason.setVisible(bool(words))
        self._replace_form(self.way)
        for part in (self._runs, self.command, self.trust, self._name_label, self.name):
            part.setVisible(not words)
        self._way_label.setVisible(way is not None)
        self.ways.setVisible(way is not None)
        self._set_texts()
        self._note_edit()

    def _chosen_way(self) -> Way | None:
        way: Way | None = self.ways.currentData()
        return way

    def _replace_form(self, way: Way | None) -> None:
        if self.form is not None:
            self._form_place.removeWidget(self.form)
            self.form.hide()
            self.form.deleteLater()
            self.form = None
        has_form = way is not None and not way.is_packed and bool(way.inputs)
        self._asks.setVisible(has_form)
        if way is None or not has_form:
            return
        form = SchemaForm(marked_schema(input_schema(way)), self._theme)
        if (update := self.update_of) is not None:
            form.set_value(form_value(way, update.answers))
        form.changed.connect(self._note_edit)
        form.resized.connect(self._fit_form)
        form.run_requested.connect(self.add_requested)
        self._form_place.addWidget(form)
        self.form = form
        self._fit_form()

    def _fit_form(self) -> None:
        """As high as its fields: what scrolls is all of the right side."""
        if self.form is not None:
            self.form.setFixedHeight(self.form.content_height())

    def _note_edit(self, *_: Any) -> None:
        self.changed.emit()

    def _lay_out(self) -> None:
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        require_focus_for_wheel(self.ways)
        self.command.setFixedHeight(_COMMAND_HEIGHT)
        self.ways.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        for label in (self.links, self.description, self.origin, self.reason):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        words = InnerColumn(self.title, self.origin, spacing=0)
        head = InnerRow((self._face, TOP), (words, 1), spacing=3)
        rows = FieldRows()
        rows.add(self._way_label, self.ways)
        rows.add(self._name_label, self.name)
        content = QWidget()
        style(content)
        in_column(
            content,
            head,
            self.description,
            self.links,
            self.status,
            self.update_note,
            rows,
            self.reason,
            self._runs,
            self.command,
            self.sandbox,
            self.severe,
            self.warnings,
            self.trust,
            self._asks,
            self._form_place,
            STRETCH,
            margins=(3, 0, 3, 2),
        )
        self.setWidget(content)
