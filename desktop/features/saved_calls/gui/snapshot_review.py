"""The snapshots of saved calls in the window: a new one is accepted, one that nobody uses removed.

Both only by a person who was shown what it is about. Writes through `SavedCalls`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject

from desktop.base.visible_text import mark_hidden
from desktop.gui import bridge
from desktop.gui.history.compare_view import DiffView
from desktop.gui.theme import space
from desktop.gui.translations import counted
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.gui.widgets.text_editors import WrappedTextEditor
from desktop.gui.window_state import remember_size

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QWidget

    from desktop.features.saved_calls.saved_call_files import SavedEntry
    from desktop.features.saved_calls.saved_calls import SavedCalls
    from desktop.features.saved_calls.snapshots import SnapshotFinding
    from desktop.gui.theme import Theme
    from desktop.gui.widgets.banner import BannerArea

translate = QCoreApplication.translate
_BODY = space(150), space(75)
_KEY = "leftovers"
_MAX_LISTED = 500


def find_acceptable(calls: SavedCalls, entry: SavedEntry | None) -> SnapshotFinding | None:
    """What can be accepted of the last run of a call."""
    verdict = calls.verdicts.get(entry.place) if entry is not None else None
    if verdict is None or not any(each.kind == "snapshot" for each in verdict.differences):
        return None
    finding = verdict.snapshot
    return finding if finding is not None and finding.document is not None else None


def open_review(
    view: QWidget, theme: Theme, calls: SavedCalls, settings: QSettings, entry: SavedEntry | None
) -> QuestionDialog | None:
    """Show how the last result differs from its snapshot, and let the person accept it."""
    finding = find_acceptable(calls, entry)
    if entry is None or finding is None:
        return None
    body = DiffView(theme)
    body.setAccessibleName(translate("SnapshotReview", "What differs"))
    body.setMinimumSize(*_BODY)
    body.show_part(finding.part)
    question = (
        translate("SnapshotReview", "Take this result of “{name}” as its snapshot?")
        if finding.status == "missing"
        else translate("SnapshotReview", "Accept the new result of “{name}”?")
    )
    meaning = translate(
        "SnapshotReview", "Later results are compared with it. It is kept in {file}."
    )
    dialog = QuestionDialog(
        view.window(),
        question.format(name=mark_hidden(entry.call.name)),
        meaning.format(file=finding.path),
        translate("SnapshotReview", "Accept new result"),
        body,
    )
    dialog.setWindowTitle(translate("SnapshotReview", "Review snapshot"))
    remember_size(dialog, settings, "snapshot")
    doing = translate("SnapshotReview", "Writing the snapshot")
    dialog.accepted.connect(
        bridge.if_alive(view, lambda view: bridge.run(view, calls.accept(entry), doing))
    )
    dialog.open()
    return dialog


class LeftoverSnapshots(QObject):
    """Says above a view that some snapshots are used by no call any more, and removes them."""

    def __init__(
        self, view: QWidget, banners: BannerArea, calls: SavedCalls, settings: QSettings
    ) -> None:
        super().__init__(view)
        self._view, self._banners, self._calls, self._settings = view, banners, calls, settings
        self._told: tuple[tuple[Path, ...], str] = (), ""

    def tell(self) -> None:
        """Put up the banner; one that was dismissed comes again only with other snapshots."""
        found = self._calls.leftovers
        words = counted(
            len(found),
            translate("SnapshotReview", "1 snapshot is used by no saved call any more."),
            translate("SnapshotReview", "{count} snapshots are used by no saved call any more."),
        )
        if self._told == (found, words):
            return
        self._told = found, words
        self._banners.remove(_KEY)
        if found:
            banner = self._banners.show_banner(_KEY, "info", words)
            banner.add_action(translate("SnapshotReview", "Remove…"), self.ask)

    def ask(self) -> QuestionDialog:
        """List the files; they go once a person has said so."""
        found = self._calls.leftovers
        body = WrappedTextEditor()
        body.setReadOnly(True)
        body.setTabChangesFocus(True)
        body.setMinimumSize(*_BODY)
        body.setAccessibleName(translate("SnapshotReview", "Files that are deleted"))
        lines = [mark_hidden(str(path)) for path in found[:_MAX_LISTED]]
        if (more := len(found) - _MAX_LISTED) > 0:
            text = translate("SnapshotReview", "… and {count} more files")
            lines.append(text.format(count=f"{more:,}"))
        body.setPlainText("\n".join(lines))
        dialog = QuestionDialog(
            self._view.window(),
            counted(
                len(found),
                translate("SnapshotReview", "Delete 1 snapshot?"),
                translate("SnapshotReview", "Delete {count} snapshots?"),
            ),
            translate(
                "SnapshotReview",
                "Their saved calls were deleted or renamed, or expect no snapshot any more.",
            ),
            translate("SnapshotReview", "Delete"),
            body,
        )
        dialog.setWindowTitle(translate("SnapshotReview", "Remove snapshots"))
        remember_size(dialog, self._settings, "leftover snapshots")
        doing = translate("SnapshotReview", "Deleting snapshots")
        calls = self._calls
        dialog.accepted.connect(
            bridge.if_alive(
                self._view, lambda view: bridge.run(view, calls.remove_leftovers(found), doing)
            )
        )
        dialog.open()
        return dialog
