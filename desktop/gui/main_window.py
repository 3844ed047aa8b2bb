"""The frame of the window: rail, page, banners and status. Builds no page before it is shown.

Runs before the first paint: must import nothing heavy, and knows neither the core nor any page.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.gui.layouts import InnerRow, in_column
from desktop.gui.rail import Rail
from desktop.gui.theme import space, style

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QCloseEvent, QKeyEvent
    from PySide6.QtWidgets import QPushButton

    from desktop.gui.shortcuts import Shortcut
    from desktop.gui.theme import Theme
    from desktop.gui.widgets.banner import Banner, BannerArea, Severity
    from desktop.gui.window_state import WindowState


TITLE = "mcp-desktop"
SETTINGS_PAGE = "settings"
"""The page that a key and a menu of macOS open from anywhere."""
Page = TypeVar("Page", bound=QWidget)
_SIZE = space(280), space(180)
_MIN_SIZE = space(180), space(135)
_LEAST_PAGE, _GOOD_PAGE = space(66), space(95)
"""Pixels of a page above what is shown below it: at least, and until it was moved by hand."""


class MainWindow(QMainWindow):
    """Holds the pages; closing it only asks (`close_requested`), `finish()` really closes."""

    close_requested = Signal()
    refresh_requested = Signal(str)  # F5, with the id of the open page
    paste_requested = Signal()  # Ctrl+V, where neither a text nor the page takes it
    painted = Signal()  # once, after the first paint: from here on heavy work is welcome

    def __init__(self, theme: Theme, state: WindowState) -> None:
        super().__init__()
        self.theme = theme
        self.state = state
        self._factories: dict[str, Callable[[], QWidget]] = {}
        self._pages: dict[str, QWidget] = {}
        self._current = ""
        self._is_open = self._is_painted = self._is_finished = False
        self._has_shortcuts = False
        self._make_preview: Callable[[str], QWidget] | None = None
        self._preview: QWidget | None = None
        self.over_pages = QWidget()
        """What a panel may lie over: rail, pages and status."""
        self.panels: dict[str, Callable[[], object]] = {}
        """Shows and hides each panel, by its name."""
        self._rail = Rail(theme)
        self._stack = QStackedWidget()
        self._banners: BannerArea | None = None
        self._content = QVBoxLayout()
        self._status = QLabel()
        self._strip_row = QHBoxLayout()
        self._rail.page_requested.connect(self._follow_rail)
        self.setWindowTitle(TITLE)
        self.setMinimumSize(*_MIN_SIZE)
        self._lay_out()
        if not self.restoreGeometry(state.geometry):
            self.resize(*_SIZE)

    @property
    def page_ids(self) -> tuple[str, ...]:
        return tuple(self._factories)

    @property
    def current_page(self) -> str:
        """Id of the open page, empty while there is none."""
        return self._current

    @property
    def rail(self) -> Rail:
        return self._rail

    @property
    def banners(self) -> BannerArea:
        """The area above the page, made when it is first needed: most runs have no news."""
        if self._banners is None:
            from desktop.gui.widgets.banner import BannerArea

            self._banners = BannerArea(self.theme)
            self._content.insertWidget(0, self._banners)
        return self._banners

    @property
    def preview(self) -> QWidget | None:
        """What is in the place of the open page, until pages can be built."""
        return self._preview

    def preview_pages(self, factory: Callable[[str], QWidget]) -> None:
        """Show `factory(page)` in the place of the open page until `open_pages`."""
        self._make_preview = factory
        if self._current:
            self.show_page(self._current)

    def page(self, page: str) -> QWidget | None:
        """The widget of a page, if it was built yet."""
        return self._pages.get(page)

    def open_page(self, page: str, kind: type[Page]) -> Page | None:
        """Open a page and give it as what it is; None while pages are not built yet."""
        self.show_page(page)
        shown = self._pages.get(page)
        return shown if isinstance(shown, kind) else None

    def add_page(self, page: str, title: str, icon: str, factory: Callable[[], QWidget]) -> None:
        """Append a page to the rail; `factory` is called when it is first shown.

        The page of the last run is chosen as soon as it is added, the first page otherwise.
        """
        self._factories[page] = factory
        self._rail.add(page, title, icon)
        if self._has_shortcuts:
            self._add_page_shortcut(page)
        if not self._current or page == self.state.page:
            self.show_page(page)

    def open_pages(self) -> None:
        """Build pages from now on: what their factories need is there. Builds the chosen one.

        It takes the focus from the preview, but not from the rail: a key that was meant for the
        rail must not switch a server.
        """
        self._is_open = True
        if self._current:
            self.show_page(self._current, keeps_focus=self._rail.has_focus)
        self._drop_preview()
        if self._is_painted and self._make_preview is not None:
            self._add_shortcuts()

    def show_page(self, page: str, *, keeps_focus: bool = False) -> None:
        """Open a page and put the focus into it, unless `keeps_focus`."""
        self._current = page
        self._rail.mark(page)
        if not self._is_open:
            self._show_preview(page)
            if self._preview is not None and not keeps_focus:
                self._preview.setFocus()
            return
        if page not in self._pages:
            self._pages[page] = self._factories[page]()
            self._stack.addWidget(self._pages[page])
            self._name_page(page)
        self._stack.setCurrentWidget(self._pages[page])
        if not keeps_focus:
            self._pages[page].setFocus()

    def _show_preview(self, page: str) -> None:
        if self._make_preview is not None:
            self._drop_preview()
            self._preview = self._make_preview(page)
            self._stack.addWidget(self._preview)
            self._stack.setCurrentWidget(self._preview)

    def _drop_preview(self) -> None:
        if self._preview is not None:
            self._stack.removeWidget(self._preview)
            self._preview.deleteLater()
            self._preview = None

    def _name_page(self, page: str) -> None:
        """A page can have the focus itself: assistive technology says which it is."""
        self._pages[page].setAccessibleName(self._rail.button(page).text())

    def _follow_rail(self, page: str) -> None:
        """Who walks through the rail with the keys stays in it."""
        self.show_page(page, keeps_focus=self._rail.has_focus)

    def set_status(self, text: str) -> None:
        """Say in one line how things stand, e.g. "3 of 4 connected"."""
        self._status.setText(text)

    def show_banner(self, key: str, severity: Severity, message: str) -> Banner:
        """Show `message` until it is dismissed or removed under `key`."""
        return self.banners.show_banner(key, severity, message)

    def show_error(self, message: str) -> None:
        """Where the bridge shows the failures of tasks."""
        self.show_banner(message, "error", message)

    def show_shortcuts(self) -> None:
        """Show what keys there are."""
        from desktop.gui.shortcut_sheet import show_sheet

        show_sheet(self)

    def come_to_front(self) -> None:
        """Show it above the others: somebody started the app once more."""
        if self.isMinimized():
            self.showNormal()
        self.show()
        self.raise_()
        self.activateWindow()

    def show_below(self, widget: QWidget, name: str) -> None:
        """Put `widget` under the pages; `name` is the key of its height in the settings."""
        from PySide6.QtCore import QByteArray, Qt
        from PySide6.QtWidgets import QSplitter

        settings = self.state.settings
        splitter = QSplitter(Qt.Orientation.Vertical)
        self._content.replaceWidget(self._stack, splitter)
        splitter.addWidget(self._stack)
        splitter.addWidget(widget)
        splitter.setChildrenCollapsible(False)
        self._stack.setMinimumHeight(_LEAST_PAGE)
        for part in range(2):
            splitter.setStretchFactor(part, 1)
        splitter.show()
        room = self._content.geometry().height()
        page = max(room // 2, min(_GOOD_PAGE, room - widget.minimumSizeHint().height()))
        splitter.setSizes([page, room - page])
        if isinstance(saved := settings.value(name), QByteArray):
            splitter.restoreState(saved)
        splitter.splitterMoved.connect(lambda: settings.setValue(name, splitter.saveState()))

    def add_panel(self, name: str, keys: Shortcut, toggle: Callable[[], object]) -> None:
        """Have `keys` show and hide a panel over or under the pages."""
        from desktop.gui import shortcuts

        self.panels[name] = toggle
        shortcuts.bind(self, keys, toggle, context=shortcuts.IN_WINDOW)

    def add_strip_button(self) -> QPushButton:
        """A button at the right end of the strip below the pages."""
        from PySide6.QtWidgets import QPushButton

        button = QPushButton()
        button.setProperty("focusPolicy", "TabFocus")
        style(button, "link", "small")
        self._strip_row.addWidget(button)
        return button

    def show_alone(self, widget: QWidget) -> None:
        """Show only `widget` from now on, in the place of the pages: the app is closing."""
        self._is_open = False
        self._rail.setEnabled(False)
        self._stack.addWidget(widget)
        self._stack.setCurrentWidget(widget)
        widget.setFocus()

    def save_state(self) -> None:
        self.state.geometry = self.saveGeometry()
        self.state.page = self._current
        self.state.save()

    def finish(self) -> None:
        """Close for good; the app calls this after everything else was shut down."""
        self._is_finished = True
        self.close()

    def focusNextPrevChild(self, next_: bool, /) -> bool:
        """Shift+Tab goes past a page that would only hand the focus back to where it was."""
        if next_:
            return super().focusNextPrevChild(next_)
        from desktop.gui.widgets.tab_zones import move_focus

        return move_focus(self, (), is_next=False) or super().focusNextPrevChild(next_)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.save_state()
        if self._is_finished:
            event.accept()
            return
        event.ignore()
        self.close_requested.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        from desktop.gui import shortcuts

        if shortcuts.PASTE_SERVER.matches(event):
            self.paste_requested.emit()
        elif not ((page := self._pages.get(self._current)) and shortcuts.press_in(page, event)):
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        is_painting = event.type() == QEvent.Type.UpdateRequest
        if is_painting:  # Qt paints between two steps of a layout: parts are seen squeezed
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        handled = super().event(event)
        if is_painting and not self._is_painted:
            self._is_painted = True
            self.painted.emit()
            if self._make_preview is None or self._is_open:
                self._add_shortcuts()
        return handled

    def _lay_out(self) -> None:
        self._content.setSpacing(0)
        self._content.addWidget(self._stack, 1)
        upper = InnerRow(self._rail, (self._content, 1), spacing=0)
        in_column(self.over_pages, (upper, 1), self._strip(), spacing=0)
        self.setCentralWidget(self.over_pages)

    def _strip(self) -> QFrame:
        strip = QFrame()
        style(strip, "strip")
        row = self._strip_row
        strip.setLayout(row)
        row.setContentsMargins(space(4), space(1), space(4), space(1))
        row.addWidget(self._status, 1)
        self._status.setProperty("textFormat", "PlainText")  # by name: `Qt` takes 20 ms
        self._status.setMinimumHeight(space(5))
        style(self._status, "muted", "small")
        return strip

    def _add_shortcuts(self) -> None:
        from desktop.gui import shortcuts  # 15 ms: not before the first paint

        self._has_shortcuts = True

        window = shortcuts.IN_WINDOW
        shortcuts.bind(self, shortcuts.QUIT, self.close, context=window)
        for key in shortcuts.bind(self, shortcuts.REFRESH, self._refresh, context=window):
            key.setAutoRepeat(False)  # it asks every server
        shortcuts.bind(self, shortcuts.SHEET, self.show_shortcuts, context=window)
        zooms = (shortcuts.ZOOM_IN, 1), (shortcuts.ZOOM_OUT, -1), (shortcuts.ZOOM_BACK, 0)
        for keys, step in zooms:
            shortcuts.bind(self, keys, partial(self.zoom, step), context=window)
        shortcuts.bind(self, shortcuts.MINIMIZE, self.showMinimized, context=window)
        shortcuts.bind(self, shortcuts.SETTINGS, self._show_settings, context=window)
        for page in self._factories:
            self._add_page_shortcut(page)
        self._follow_keys()

    def zoom(self, step: int) -> None:
        """Make all text a step larger (1) or smaller (-1), or as large as usual (0)."""
        self.theme.step_zoom(step)
        self.state.zoom = self.theme.zoom

    def _show_settings(self) -> None:
        if SETTINGS_PAGE in self._factories:
            self.show_page(SETTINGS_PAGE)

    def _follow_keys(self) -> None:
        from desktop.gui.widgets.enter_key import EnterKey

        EnterKey(self)

    def _refresh(self) -> None:
        self.refresh_requested.emit(self._current)

    def _add_page_shortcut(self, page: str) -> None:
        from desktop.gui import shortcuts

        keys = shortcuts.PAGES.keys[self.page_ids.index(page)]
        shortcuts.bind_key(self, keys, lambda: self.show_page(page), context=shortcuts.IN_WINDOW)
