"""What nobody agreed to: what it would run or reach, beside what was agreed to, and the question.

The panel in the details of a server shows all of it and requests the review; the dialog asks, about
as many as wait for it. `ConfigWatch` follows the file while the window is open, and shows that
review by itself. Nothing is cut, and hidden characters are written as escapes.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QCoreApplication, QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPlainTextEdit,
    QPushButton,
)

from desktop.base.errors import ConfigError
from desktop.base.visible_text import mark_hidden
from desktop.config.imports.dangers import dangers_of
from desktop.gui import bridge
from desktop.gui.import_export.labels import warning_label
from desktop.gui.layouts import STRETCH, TOP, InnerColumn, InnerRow, in_row
from desktop.gui.theme import space, style
from desktop.gui.translations import counted
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.question_dialog import QuestionDialog
from desktop.gui.widgets.text_editors import LaunchText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from PySide6.QtWidgets import QWidget

    from desktop.config.launch_details import Launched
    from desktop.config.store import ConfigStore
    from desktop.config.trust import LaunchDifference, UntrustedLaunch
    from desktop.gui.theme import ColorName, Theme
    from desktop.gui.widgets.banner import BannerArea

    Line = tuple[ColorName, str]

Review: TypeAlias = "Sequence[tuple[UntrustedLaunch, Sequence[LaunchDifference]]]"
"""What is asked about at once."""
_PANEL_HEIGHT = space(45)
_SIZE = (space(170), space(110))
_INDENT = "    "
_SETTLE_MS = 300


class _LineColours(QSyntaxHighlighter):
    """Each line in the colour that its number has; a name stands out."""

    def __init__(self, view: QPlainTextEdit, theme: Theme) -> None:
        super().__init__(view.document())
        self._theme = theme
        self.colours: list[ColorName] = []
        self.names: set[int] = set()
        theme.changed.connect(self.rehighlight)

    def highlightBlock(self, text: str, /) -> None:
        if (number := self.currentBlock().blockNumber()) < len(self.colours):
            form = QTextCharFormat()
            form.setForeground(self._theme.color(self.colours[number]))
            if number in self.names:
                form.setFontWeight(QFont.Weight.Bold)
            self.setFormat(0, len(text), form)


translate = QCoreApplication.translate


class LaunchDifferenceView(LaunchText):
    """A line for each thing that would be used, those that changed as they were and as they are."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._colours = _LineColours(self, theme)
        self.setAccessibleName(self.tr("What this server runs or connects to"))

    def show_differences(self, review: Review, *, with_dangers: bool = False) -> None:
        """Show all of each; below it, where that is asked, what should be looked at.

        Several have their names above them, and what changed before what is new.
        """
        lines: list[Line] = []
        names: set[int] = set()
        for untrusted, differences in sorted(review, key=lambda each: each[0].is_new):
            if len(review) > 1:
                if lines:
                    lines.append(("text", ""))
                names.add(len(lines))
                lines.append(("text", self._name(untrusted)))
            for difference in differences:
                lines += self._lines(difference, is_new=untrusted.is_new)
            if with_dangers:
                lines += self._dangers(untrusted, is_apart=len(review) == 1)
        text = "\n".join(line for _, line in lines)
        if text != self.toPlainText():  # else the place it is scrolled to would be lost
            self._colours.colours, self._colours.names = [colour for colour, _ in lines], names
            self.setPlainText(text)

    def _name(self, untrusted: UntrustedLaunch) -> str:
        words = self.tr("{name} (new)") if untrusted.is_new else self.tr("{name} (changed)")
        return words.format(name=shown_name(untrusted))

    def _lines(self, difference: LaunchDifference, *, is_new: bool) -> Iterator[Line]:
        place, before, now = difference.place, difference.before, difference.now
        if is_new or not difference.is_changed:
            yield ("text" if is_new else "muted"), f"{place}: {now}"
            return
        yield "text", f"{place}:"
        if before is not None:
            yield "muted", _INDENT + self.tr("Before: {value}").format(value=before)
        if now is None:
            yield "warning", _INDENT + self.tr("Now: nothing")
        else:
            yield "warning", _INDENT + self.tr("Now: {value}").format(value=now)
        if before == now:
            yield "warning", _INDENT + self.tr("The change is in a secret, which is hidden here.")

    def _dangers(self, untrusted: UntrustedLaunch, *, is_apart: bool) -> Iterator[Line]:
        found = list(dangers_of(untrusted.config))
        if found and is_apart:
            yield "text", ""
        for danger in found:
            label = warning_label(danger)
            yield ("warning", f"! {label}") if danger.is_warning else ("muted", label)


class TrustPanel(QFrame):
    """In the details of a server: what would be started, and the way to the question."""

    review_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._untrusted: UntrustedLaunch | None = None
        self.heading = plain_label("", "heading", "warning")
        self.view, self.review = LaunchDifferenceView(theme), QPushButton()
        sign = QLabel()
        set_icon(theme, sign, "warning", "warning")
        style(self, "banner", "warning")
        self.view.fit(_PANEL_HEIGHT)
        self.review.clicked.connect(self.review_requested)
        buttons = InnerRow(STRETCH, self.review)
        column = InnerColumn(self.heading, self.view, buttons)
        in_row(self, (sign, TOP), (column, 1), margins=3, spacing=3)
        self._set_texts()

    def show_untrusted(
        self, untrusted: UntrustedLaunch | None, differences: Sequence[LaunchDifference]
    ) -> None:
        """Show a server, or hide where there is none."""
        self._untrusted = untrusted
        self.setVisible(untrusted is not None)
        if untrusted is not None:
            self.view.show_differences([(untrusted, differences)])
            self._set_texts()

    def _set_texts(self) -> None:
        self.review.setText(self.tr("Review and start…"))
        if self._untrusted is None or self._untrusted.is_new:
            words = self.tr("This server is new. It will not start until you approve it.")
        else:
            words = self.tr("This server has changed since you approved it. It was not started.")
        self.heading.setText(words)
        self.setAccessibleName(words)


class TrustDialog(QuestionDialog):
    """Whether to start servers and ask providers with this: one yes for all that is shown."""

    def __init__(self, parent: QWidget, theme: Theme, review: Review) -> None:
        self.view = LaunchDifferenceView(theme)
        self.view.show_differences(review, with_dangers=True)
        super().__init__(
            parent,
            _question(review),
            translate(
                "TrustDialog",
                "It was added to the configuration file by hand or by another program. "
                "Programs run with all your permissions: read every line in full before "
                "you approve.",
            ),
            counted(
                len(review),
                translate("TrustDialog", "Approve and start"),
                translate("TrustDialog", "Approve all {count}"),
            ),
            self.view,
        )
        self.setWindowTitle(translate("TrustDialog", "Review what was configured"))
        self.agree = self.act
        self.view.resize(*_SIZE)
        self.view.fit(_PANEL_HEIGHT)
        width, most = _SIZE
        self.resize(width, min(most, self.column.totalHeightForWidth(width)))


def open_review(
    parent: QWidget, theme: Theme, store: ConfigStore, names: Iterable[str]
) -> TrustDialog | None:
    """Ask about these, unless they are agreed to already; a yes is one to what was shown.

    Returns the dialog, None where there is nothing to ask.
    """
    waiting = [name for name in names if name in store.untrusted]
    if not waiting:
        return None
    review = [(store.untrusted[name], store.differences(name)) for name in waiting]
    dialog = TrustDialog(parent, theme, review)
    # What was shown is agreed to, and not what stands in the file by then.
    configs = [untrusted.config for untrusted, _ in review]
    dialog.accepted.connect(bridge.if_alive(parent, lambda at: _agree(at, store, configs)))
    dialog.open()
    return dialog


def _agree(parent: QWidget, store: ConfigStore, configs: Sequence[Launched]) -> None:
    try:
        store.agree(configs)
    except ConfigError as error:
        bridge.show_error(parent, error, translate("TrustDialog", "Review what was configured"))


_WAITING = "untrusted"


class ConfigWatch(QObject):
    """Reads the config when another program has written it, and asks about what it wrote."""

    def __init__(
        self,
        window: QWidget,
        theme: Theme,
        store: ConfigStore,
        trust: Path,
        banners: Callable[[], BannerArea],
    ) -> None:
        """Begin to follow the files.

        Args:
            window: over which the review opens.
            theme: of the window.
            store: the config.
            trust: a terminal may write into it meanwhile what was approved there.
            banners: where stands what still waits once the review was closed.
        """
        super().__init__(window)
        self._banners = banners
        self._window, self._theme, self._store, self._trust = window, theme, store, trust
        self._asked: set[tuple[str, str]] = set()
        self._reminded = 0
        self._dialog: TrustDialog | None = None
        self._files = QFileSystemWatcher(self)
        # Some write a file in steps, or take it away first.
        self._soon = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._files.fileChanged.connect(self._wait)
        self._files.directoryChanged.connect(self._wait)
        self._soon.timeout.connect(self._look)
        bridge.connect(self, store.changed, self.ask)
        self._watch()
        self.ask()

    def ask(self) -> None:
        """Open the review where something is in it that was not asked about before."""
        waiting = self._store.untrusted
        fresh = {untrusted.identity for untrusted in waiting.values()} - self._asked
        if self._dialog is not None and (fresh or not waiting):
            self._dialog.reject()
        if fresh:
            self._asked.update(fresh)
            self._dialog = open_review(self._window, self._theme, self._store, waiting)
            if self._dialog is not None:
                self._dialog.finished.connect(self._forget)
        self._remind()

    def _wait(self, _: str) -> None:
        self._soon.start()

    def _forget(self) -> None:
        self._dialog = None
        self._remind()

    def _remind(self) -> None:
        """Keep the way back to a review that was closed with something left in it."""
        waiting = len(self._store.untrusted) if self._dialog is None else 0
        if waiting == self._reminded:
            return
        self._reminded = waiting
        self._banners().remove(_WAITING)
        if waiting:
            one = self.tr("1 entry of the config waits for your approval; it was not started.")
            many = self.tr(
                "{count} entries of the config wait for your approval; they were not started."
            )
            banner = self._banners().show_banner(_WAITING, "warning", counted(waiting, one, many))
            banner.add_action(self.tr("Review…"), self._review)

    def _review(self) -> None:
        self._asked.clear()
        self.ask()

    def _look(self) -> None:
        self._watch()
        if self._store.is_stale():
            self._store.reload()

    def _watch(self) -> None:
        """Follow the files, which are others after each save, and the folder that they come to."""
        config = Path(os.path.realpath(self._store.path))
        wanted = {str(path) for path in (config, config.parent, self._trust) if path.exists()}
        if new := wanted - {*self._files.files(), *self._files.directories()}:
            self._files.addPaths(sorted(new))


def shown_name(untrusted: UntrustedLaunch) -> str:
    """What a person calls it, with hidden letters marked."""
    name = mark_hidden(untrusted.config.name)
    is_server = untrusted.key == untrusted.config.name
    return name if is_server else translate("TrustDialog", "Provider {name}").format(name=name)


def _question(review: Review) -> str:
    if len(review) > 1:
        words = translate(
            "TrustDialog", "{count} entries are new or have changed. Start and reach all of this?"
        )
        return words.format(count=len(review))
    untrusted, _ = review[0]
    if untrusted.is_new:
        words = translate("TrustDialog", "“{name}” is new. Start it with this?")
    else:
        words = translate(
            "TrustDialog", "“{name}” has changed since you approved it. Start it with this?"
        )
    return words.format(name=shown_name(untrusted))
