"""Messages to notice but not to answer: a strip above the page, never a dialog.

Text from elsewhere is shown as plain text and shortened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton

from desktop.gui.layouts import TOP, in_column, in_row
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.appearing import appear
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import selectable_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.gui.theme import Role, Theme

Severity: TypeAlias = Literal["info", "warning", "error"]

MAX_BANNERS = 3  # more would push the page out of sight; the oldest goes
MAX_TEXT = 1_000
_TONES: dict[Severity, Role] = {"info": "accent", "warning": "warning", "error": "danger"}


class Banner(QFrame):
    """One message with an icon, perhaps a button for what to do, and a way to put it away."""

    dismissed = Signal()

    def __init__(self, theme: Theme, severity: Severity, message: str) -> None:
        super().__init__()
        self.message = message
        tone = _TONES[severity]
        style(self, "banner", tone)
        self._dismiss = QToolButton()
        style(self._dismiss, "flat")
        set_icon(theme, self._dismiss, "close", "muted")
        self._dismiss.clicked.connect(self.dismissed)
        self._row = in_row(
            self,
            (_sign(theme, severity, tone), TOP),
            (_text(message), 1),
            (self._dismiss, TOP),
            margins=(3, 2, 2, 2),
            spacing=3,
        )
        self._dismiss.setToolTip(self.tr("Dismiss"))
        self._dismiss.setAccessibleName(self.tr("Dismiss"))

    def add_action(self, text: str, action: Callable[[], object]) -> QPushButton:
        """Put a button before the dismiss sign, e.g. to open the broken file."""
        button = QPushButton(text)
        button.clicked.connect(lambda: action())
        self._row.insertWidget(self._row.count() - 1, button, 0, Qt.AlignmentFlag.AlignTop)
        return button


class BannerArea(QFrame):
    """Holds the banners of the window by key; one with the same key replaces the one before."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._banners: dict[str, Banner] = {}
        self._column = in_column(self, margins=(4, 3, 4, 0))
        self.hide()

    @property
    def messages(self) -> tuple[str, ...]:
        return tuple(banner.message for banner in self._banners.values())

    def show_banner(self, key: str, severity: Severity, message: str) -> Banner:
        self.remove(key)
        while len(self._banners) >= MAX_BANNERS:
            self.remove(next(iter(self._banners)))
        banner = self._banners[key] = Banner(self._theme, severity, spoken(message))
        banner.dismissed.connect(lambda: self._remove_same(key, banner))
        self._column.addWidget(banner)
        self.show()
        appear(self._theme, banner)
        return banner

    def remove(self, key: str) -> None:
        """Take the banner away, if it is still there."""
        banner = self._banners.pop(key, None)
        if banner is not None:
            banner.hide()
            banner.deleteLater()
        self.setVisible(bool(self._banners))

    def _remove_same(self, key: str, banner: Banner) -> None:
        if self._banners.get(key) is banner:
            self.remove(key)


def _sign(theme: Theme, severity: Severity, tone: Role) -> QLabel:
    sign = QLabel()
    assert tone in ("accent", "warning", "danger")  # noqa: S101 - the tones that are colours too
    set_icon(theme, sign, severity, tone)
    sign.setFixedHeight(space(7))
    return sign


def _text(message: str) -> QLabel:
    label = selectable_label(message if len(message) <= MAX_TEXT else message[:MAX_TEXT] + "…")
    label.setMinimumHeight(space(7))
    return label
