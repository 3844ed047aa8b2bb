"""The Settings page: theme, limits, model providers, approvals, files, version and licences.

Shows the config store and writes to it; whoever follows the store applies the change. Knows the
store only by the protocols here.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QDoubleSpinBox,
    QFrame,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop import __version__
from desktop.base.errors import ConfigError
from desktop.gui import bridge
from desktop.gui.layouts import ALL_ROOM, STRETCH, in_row
from desktop.gui.settings.rows import PathRow, SectionCard, SectionList, SettingRow
from desktop.gui.theme import COLUMN_WIDTH, space, style
from desktop.gui.widgets.banner import BannerArea
from desktop.gui.widgets.labels import plain_label
from desktop.gui.widgets.search_fields import SearchField
from desktop.gui.widgets.switch import Switch
from desktop.gui.widgets.wheel_filter import require_focus_for_wheel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtGui import QResizeEvent

    from desktop.base.paths import Paths
    from desktop.base.signals import Signal
    from desktop.gui.language import Language
    from desktop.gui.theme import Scheme, Theme


class Settings(Protocol):
    """The values a person can set for the whole app."""

    @property
    def language(self) -> Language: ...
    @property
    def theme(self) -> Scheme: ...
    @property
    def call_timeout(self) -> float: ...
    @property
    def connect_timeout(self) -> float: ...
    @property
    def chat_turns(self) -> int: ...
    @property
    def chat_seconds(self) -> float: ...
    @property
    def notify(self) -> bool: ...


class SettingsStore(Protocol):
    """Where they are stored: `update_settings` writes them or raises `ConfigError`."""

    @property
    def settings(self) -> Settings: ...
    @property
    def changed(self) -> Signal[[]]: ...
    def update_settings(self, **changes: object) -> None: ...


S = TypeVar("S", bound=SectionCard)
_SEARCH_WIDTH = 60  # grid steps
_CONTROL_WIDTH = space(45)
_LANGUAGES = ("system", "en", "zh_CN")
_THEMES = ("system", "light", "dark")
_PARTS = (
    ("PySide6, Qt", "LGPL-3.0"),
    ("MCP Python SDK", "MIT"),
    ("qasync", "BSD-2-Clause"),
    ("psutil", "BSD-3-Clause"),
    ("pydantic", "MIT"),
    ("jsonschema", "MIT"),
    ("platformdirs", "MIT"),
    ("jsonyx", "LGPL-3.0"),
    ("keyring", "MIT"),
    ("PyYAML", "MIT"),
    ("Pygments", "BSD-2-Clause"),
    ("regex", "Apache-2.0"),
    ("publicsuffixlist", "MPL-2.0"),
    ("msgspec", "BSD-3-Clause"),
    ("uritemplate", "BSD-3-Clause or Apache-2.0"),
)


class SettingsPage(QScrollArea):
    """What a person can set for the whole app; each change is saved at once, or undone."""

    def __init__(
        self,
        store: SettingsStore,
        theme: Theme,
        paths: Paths,
        sections: Iterable[Callable[[], SectionCard]] = (),
    ) -> None:
        """Args: sections: make what else there is, above the files; one in each turn of the loop.

        What stands below comes last, so that nothing that is seen moves.
        """
        super().__init__()
        self._sought: QWidget | None = None
        self._later, self._made = deque(sections), list[SectionCard]()
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._make_next)
        # What comes later needs it: it would move what stands at the right.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._store = store
        self._title = QLabel(self.tr("Settings"))
        self.search = SearchField()
        self.search.setFixedWidth(space(_SEARCH_WIDTH))
        self._nothing_found = plain_label("", "muted")
        self._errors = BannerArea(theme)
        self.language, self.theme = _choice(), _choice()
        self.call_timeout, self.connect_timeout = _number(1, 3600), _number(1, 600)
        self.chat_turns, self.chat_seconds = _number(1, 1_000), _number(10, 86_400)
        self.notify = Switch()
        self._notify_row = SettingRow(self.notify)
        self._rows = [
            SettingRow(control)
            for control in (
                *(self.language, self.theme, self.call_timeout, self.connect_timeout),
                *(self.chat_turns, self.chat_seconds),
            )
        ]
        places = (paths.config, paths.data, paths.logs)
        self.paths = tuple(PathRow(theme, place) for place in places)
        self._about = plain_label("", "muted")
        self._sections = tuple(SectionCard() for _ in range(4))
        self._column = QVBoxLayout()
        self.section_list = SectionList(self)
        self._lay_out()
        self._set_texts()
        for section in self._sections[:2]:
            self._show_section(section)
        self._show_settings()
        self._turn.start()
        self.language.activated.connect(lambda: self._save(language=self.language.currentData()))
        self.theme.activated.connect(lambda: self._save(theme=self.theme.currentData()))
        self.call_timeout.editingFinished.connect(self._save_call_timeout)
        self.connect_timeout.editingFinished.connect(self._save_connect_timeout)
        self.chat_turns.editingFinished.connect(self._save_chat_limits)
        self.chat_seconds.editingFinished.connect(self._save_chat_limits)
        self.notify.switch_requested.connect(self._save_notify)
        self.search.textChanged.connect(self._find)
        self.verticalScrollBar().rangeChanged.connect(self._keep_in_sight)
        bridge.connect(self, store.changed, self._show_settings)

    def section(self, kind: type[S]) -> S | None:
        """The section of this kind, made now if it was not yet; None where there is none."""
        while self._turn.isActive():
            self._make_next()
        return next((made for made in self._made if isinstance(made, kind)), None)

    def _make_next(self) -> None:
        if self._later:
            self._made.append(made := self._later.popleft()())
            made.save_requested.connect(self._save_of_section)
            below = (made,)
        else:
            self._turn.stop()
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
            below = self._sections[-2:]
        for section in below:
            self._show_section(section)
        # Else what is seen is painted once as if there were no more room for it than before.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)

    def _show_section(self, section: SectionCard) -> None:
        """The next one, above the room that is left."""
        self._column.insertWidget(self._column.count() - 1, section)
        section.show()
        self.section_list.add(section)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = (self.viewport().width() - COLUMN_WIDTH) // 2
        self.section_list.place(room)

    def _find(self, words: str) -> None:
        """Show the sections that have all these words, wherever in them."""
        while self._turn.isActive():
            self._make_next()
        wanted = words.casefold().split()
        found = 0
        for section in (*self._sections, *self._made):
            text = _words_of(section)
            is_shown = all(word in text for word in wanted)
            section.setVisible(is_shown)
            found += is_shown
        self._nothing_found.setVisible(not found)
        self.section_list.refresh()

    def show_section(self, section: SectionCard, sought: QWidget) -> None:
        """Scroll to a section and focus `sought`, which is part of it."""
        self.ensureWidgetVisible(section)
        self._sought = sought
        self._sought.setFocus(Qt.FocusReason.OtherFocusReason)
        self._keep_in_sight()

    def _keep_in_sight(self) -> None:
        """At the first visit, what stands above grows after the button was scrolled to."""
        if self._sought is not None and self._sought.hasFocus():
            self.ensureWidgetVisible(self._sought)

    def show_error(self, message: str) -> None:
        """Show an error; the bridge reports failures here, too."""
        self._errors.show_banner("error", "error", message)

    @property
    def errors(self) -> tuple[str, ...]:
        """The errors that are shown."""
        return self._errors.messages

    def _save_call_timeout(self) -> None:
        if self.call_timeout.value() != self._store.settings.call_timeout:
            self._save(call_timeout=self.call_timeout.value())

    def _save_connect_timeout(self) -> None:
        if self.connect_timeout.value() != self._store.settings.connect_timeout:
            self._save(connect_timeout=self.connect_timeout.value())

    def _save_chat_limits(self) -> None:
        turns, seconds = int(self.chat_turns.value()), self.chat_seconds.value()
        settings = self._store.settings
        if (turns, seconds) != (settings.chat_turns, settings.chat_seconds):
            self._save(chat_turns=turns, chat_seconds=seconds)

    def _save_notify(self, is_wanted: bool) -> None:
        self._save(notify=is_wanted)

    def _save_of_section(self, changes: dict[str, object]) -> None:
        self._save(**changes)

    def _save(self, **changes: object) -> None:
        self._errors.remove("save")
        try:
            self._store.update_settings(**changes)
        except ConfigError as error:
            self._errors.show_banner("save", "error", str(error))
            self._show_settings()

    def _show_settings(self) -> None:
        settings = self._store.settings
        self.language.setCurrentIndex(self.language.findData(settings.language))
        self.theme.setCurrentIndex(self.theme.findData(settings.theme))
        self.call_timeout.setValue(settings.call_timeout)
        self.connect_timeout.setValue(settings.connect_timeout)
        self.chat_turns.setValue(settings.chat_turns)
        self.chat_seconds.setValue(settings.chat_seconds)
        self.notify.setChecked(settings.notify)

    def _lay_out(self) -> None:
        look, limits, files, about = self._sections
        for section, rows in (
            (look, (*self._rows[:2], self._notify_row)),
            (limits, self._rows[2:]),
            (files, self.paths),
        ):
            for row in rows:
                section.add(row)
        about.add(self._about)
        style(self._title, "title")
        content = QFrame()
        content.setMaximumWidth(COLUMN_WIDTH)
        column = self._column
        content.setLayout(column)
        column.setContentsMargins(space(4), space(4), space(4), space(6))
        column.setSpacing(space(4))
        in_row(column, self._title, STRETCH, self.search)
        for part in (self._errors, self._nothing_found):
            column.addWidget(part)
        self._nothing_found.hide()
        column.addStretch()
        self.setWidget(_in_the_middle(content))
        self.setWidgetResizable(True)

    def _set_texts(self) -> None:
        self._translate_choices()
        self.search.set_purpose(self.tr("Search settings"))
        self._nothing_found.setText(self.tr("No setting has these words."))
        titles = (
            *(self.tr("Appearance"), self.tr("Limits")),
            *(self.tr("Files"), self.tr("About")),
        )
        for section, title in zip(self._sections, titles, strict=True):
            section.set_title(title)
        language, theme, call, connect, turns, seconds = self._rows
        language.set_text(self.tr("Language"), self.tr("Takes effect at the next start."))
        theme.set_text(
            self.tr("Theme"), self.tr("“System” follows the light or dark mode of your desktop.")
        )
        call.set_text(self.tr("Tool call"), self.tr("For servers without a limit of their own."))
        self._notify_row.set_text(
            self.tr("Notifications"),
            self.tr("When a call needs approval and the window is not in front."),
        )
        connect.set_text(self.tr("Connecting"), self.tr("How long a server may take to start."))
        turns.set_text(
            self.tr("Requests for one question"),
            self.tr("How often a model may be asked in a chat, with its calls in between."),
        )
        seconds.set_text(
            self.tr("Time for one question"),
            self.tr("Without the time that you take to approve calls."),
        )
        names = self.tr("Configuration"), self.tr("Data"), self.tr("Logs")
        for row, name in zip(self.paths, names, strict=True):
            row.set_text(name)
        self._about.setText(self._about_text())

    def _translate_choices(self) -> None:
        languages = self.tr("System"), "English", "简体中文"
        themes = self.tr("System"), self.tr("Light"), self.tr("Dark")
        _fill(self.language, _LANGUAGES, languages)
        _fill(self.theme, _THEMES, themes)
        for box in (self.call_timeout, self.connect_timeout, self.chat_seconds):
            box.setSuffix(self.tr(" s"))

    def _about_text(self) -> str:
        licence = self.tr("mcp-desktop {version}, under the MIT licence.")
        built = self.tr("Built with:")
        parts = " · ".join(f"{name} ({terms})" for name, terms in _PARTS)
        return f"{licence.replace('{version}', __version__)}\n{built} {parts}"


def _choice() -> QComboBox:
    box = QComboBox()
    require_focus_for_wheel(box)
    box.setFixedWidth(_CONTROL_WIDTH)
    return box


def _number(minimum: int, maximum: int) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    require_focus_for_wheel(box)
    box.setFixedWidth(_CONTROL_WIDTH)
    box.setRange(minimum, maximum)
    box.setDecimals(0)
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    return box


def _fill(box: QComboBox, values: tuple[str, ...], texts: tuple[str, ...]) -> None:
    for index, (value, text) in enumerate(zip(values, texts, strict=True)):
        if index < box.count():
            box.setItemText(index, text)
        else:
            box.addItem(text, value)


def _words_of(section: QWidget) -> str:
    """All that can be read in a section."""
    kinds = QLabel, QAbstractButton
    texts = [each.text() for kind in kinds for each in section.findChildren(kind)]
    return "\n".join(texts).casefold()


def _in_the_middle(content: QWidget) -> QFrame:
    around = QFrame()
    style(around, "page")
    # In a row, so that its height is asked for the width that it gets: in a column it is asked for
    # all of the width, where less has to wrap, and its sections would get too little room.
    in_row(around, STRETCH, (content, ALL_ROOM), STRETCH)
    return around
