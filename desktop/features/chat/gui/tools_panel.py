"""The tools that the model is given: those of the servers, and the chat's own built-in servers.

Shows what they cost, as it is told. Emits a choice; starts nothing.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QSignalBlocker, QSize, QStringListModel, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFileDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from builtin_servers.catalog import CATALOG
from desktop.base.visible_text import mark_hidden
from desktop.config.builtin_settings import BuiltinSettings
from desktop.features.chat.gui.context_meter import ToolsMeter
from desktop.features.chat.llm.tool_choice import McpMode, ToolChoice
from desktop.features.models.formats import ApiFormat
from desktop.gui.layouts import TOP, InnerRow, in_column, in_row
from desktop.gui.theme import space, style
from desktop.gui.translations import counted, spoken
from desktop.gui.widgets.collapse_button import CollapseButton
from desktop.gui.widgets.figure_rows import FIGURE_ROLE, FigureDelegate
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import plain_label, plain_tip
from desktop.gui.widgets.token_words import tokens_figure, tokens_label
from desktop.gui.widgets.visibility import discard, scroll_inside

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex

    from desktop.features.chat.agent.session_info import Builtin
    from desktop.features.chat.gui.exact_count import ExactCount
    from desktop.features.models.context_budget import Advice, ContextBudget, ToolTokens
    from desktop.gui.theme import Theme

_LOWEST, _HEIGHT = space(18), space(36)
_NAME = Qt.ItemDataRole.UserRole
Kind: TypeAlias = Literal["folder", "file"]
_KINDS: dict[str, Kind] = {"filesystem": "folder", "sqlite": "file"}
translate = QCoreApplication.translate
_SHOWN_ADVICE = 2
_LISTED = 500
"""Tools in the list by cost; those further down cost next to nothing."""


class ToolsPanel(QFrame):
    """Off, all, or of chosen servers; and the built-in servers, until the conversation begins."""

    choice_changed = Signal(object)
    """The `ToolChoice`."""
    builtins_changed = Signal(object)
    """Names of built-in servers, a tuple."""
    builtin_changed = Signal(object)
    """A `Builtin` that is to be started with other arguments."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        style(self, "card")
        self._theme = theme
        self.rows: list[BuiltinRow] = []
        self._chosen: tuple[str, ...] = ()
        """What is chosen of the servers, also while all or none are meant."""
        self._places = _Places()
        self._rows_column = QVBoxLayout()
        self.off = QRadioButton(self.tr("None"))
        self.manual = QRadioButton(self.tr("From selected servers"))
        self.auto = QRadioButton(self.tr("All"))
        modes = QButtonGroup(self)
        self.servers, self.builtins = _check_list(), _check_list()
        self.servers.setItemDelegate(FigureDelegate(theme, self.servers))
        self.budget = ToolBudgetView(theme, self)
        _set_height(self.budget.list)
        self._builtins_title = QLabel(self.tr("Servers for this conversation only"))
        self._tools_title = QLabel(self.tr("Tools of your servers"))
        self.cost = plain_label("", "muted", "small")
        self.fixed = plain_label(
            self.tr("Selected when the conversation started."), "muted", "small"
        )
        self._lay_out()
        self.servers.setAccessibleName(self.tr("Servers whose tools the model can use"))
        self.builtins.setAccessibleName(self.tr("Built-in servers of this conversation"))
        for button in (self.off, self.auto, self.manual):
            modes.addButton(button)
            button.clicked.connect(self._announce_choice)
        self.servers.itemChanged.connect(self._choose_servers)
        self.builtins.itemChanged.connect(self._announce_builtins)
        self.budget.switch_off_requested.connect(self._go_without)
        self.budget.list_opened.connect(self._open_list)

    @property
    def choice(self) -> ToolChoice:
        mode: McpMode = "auto" if self.auto.isChecked() else "off"
        if self.manual.isChecked():
            mode = "manual"
        return ToolChoice(mode, self._chosen if mode != "manual" else self._ticked())

    def show_choice(self, choice: ToolChoice, servers: Mapping[str, int]) -> None:
        """Show a choice among `servers`, each with how many tools it has now. Unannounced."""
        named = list(servers) + [server for server in choice.servers if server not in servers]
        counts = {name: self._count_words(servers.get(name)) for name in named}
        {"off": self.off, "auto": self.auto, "manual": self.manual}[choice.mode].setChecked(True)
        self._chosen = choice.servers
        _fill(self.servers, counts, named if choice.mode == "auto" else choice.servers)
        self.servers.setEnabled(choice.mode != "off")

    def show_builtins(
        self, builtins: Mapping[str, str], chosen: Sequence[str], *, is_fixed: bool
    ) -> None:
        """Show the built-in servers with what each is for; fixed once the conversation began."""
        _fill(self.builtins, builtins, chosen)
        self.builtins.setEnabled(not is_fixed)
        self.fixed.setVisible(is_fixed)

    def show_places(self, builtins: Sequence[Builtin], *, is_fixed: bool) -> None:
        """Say what each chosen built-in server may touch. Unannounced."""
        if [builtin.name for builtin in builtins] != [row.builtin.name for row in self.rows]:
            for row in self.rows:
                discard(row)
            self.rows = [BuiltinRow(self._theme, builtin, self) for builtin in builtins]
            for row in self.rows:
                row.change_requested.connect(self.builtin_changed)
                self._rows_column.addWidget(row)
                row.show()
        for row, builtin in zip(self.rows, builtins, strict=True):
            row.show_builtin(builtin, is_fixed=is_fixed)
            if (layout := row.layout()) is not None:
                layout.activate()  # at once, so that the height below is that of now
        self._places.setVisible(bool(builtins))
        self._rows_column.invalidate()
        height = min(_HEIGHT, self._rows_column.sizeHint().height())
        self._places.setMinimumHeight(min(height, _LOWEST))
        self._places.setMaximumHeight(height)

    def show_tokens(self, tokens: Mapping[str, int]) -> None:
        """Say beside each server what its tools cost, chosen or not, as far as it is known."""
        with QSignalBlocker(self.servers):
            for row in range(self.servers.count()):
                item = self.servers.item(row)
                cost = tokens.get(str(item.data(_NAME)), 0)
                item.setData(FIGURE_ROLE, tokens_figure(cost) if cost else "")
                label = f"{item.text()}, {tokens_label(cost)}" if cost else None
                item.setData(Qt.ItemDataRole.AccessibleTextRole, label)
                item.setToolTip(plain_tip(label or ""))

    def show_cost(self, words: str, *, is_warning: bool = False) -> None:
        self.cost.setText(words)
        self.cost.setVisible(bool(words))
        style(self.cost, "warning" if is_warning else "muted", "small")

    def _count_words(self, count: int | None) -> str:
        if count is None:
            return self.tr("unavailable")
        return counted(count, self.tr("1 tool"), self.tr("{count} tools"))

    def _open_list(self, is_open: bool) -> None:
        """Show the tools by their cost in the place of the servers: a low window has no more."""
        for part in (self.servers, self.builtins):
            part.setVisible(not is_open)
        self.budget.list.setVisible(is_open)

    def _go_without(self, server: str) -> None:
        """Choose all that is chosen now, but for one server."""
        shown = _names(self.servers)
        included = [name for name in shown if self.choice.includes(name) and name != server]
        self.manual.setChecked(True)
        with QSignalBlocker(self.servers):
            for row, name in enumerate(shown):
                states = Qt.CheckState
                state = states.Checked if name in included else states.Unchecked
                self.servers.item(row).setCheckState(state)
        self._choose_servers()

    def _announce_choice(self) -> None:
        self.servers.setEnabled(not self.off.isChecked())
        if self.manual.isChecked() and not self._chosen:
            self._chosen = self._ticked()  # those of all, to go on from
        wanted = set(_names(self.servers) if self.auto.isChecked() else self._chosen)
        with QSignalBlocker(self.servers):
            for row, name in enumerate(_names(self.servers)):
                states = Qt.CheckState
                state = states.Checked if name in wanted else states.Unchecked
                self.servers.item(row).setCheckState(state)
        self.choice_changed.emit(self.choice)

    def _choose_servers(self) -> None:
        """A tick says which servers are meant, whatever was meant before."""
        self.manual.setChecked(True)
        self._chosen = self._ticked()
        self.choice_changed.emit(self.choice)

    def _ticked(self) -> tuple[str, ...]:
        return tuple(_checked(self.servers))

    def _announce_builtins(self) -> None:
        self.builtins_changed.emit(tuple(_checked(self.builtins)))

    def _lay_out(self) -> None:
        style(self._tools_title, "heading")
        style(self._builtins_title, "heading")
        self._builtins_title.setWordWrap(True)  # else the page is wider with this panel
        modes = QHBoxLayout()
        modes.setSpacing(space(3))
        for button in (self.auto, self.manual, self.off):
            modes.addWidget(button)
        modes.addStretch(1)
        below = QVBoxLayout()
        below.setSpacing(0)
        below.addWidget(self.fixed)
        grid = QGridLayout(self)
        grid.setContentsMargins(space(4), space(3), space(4), space(3))
        grid.setHorizontalSpacing(space(6))
        grid.setVerticalSpacing(space(2))
        grid.addWidget(self._tools_title, 0, 0)
        grid.addWidget(self._builtins_title, 0, 1)
        grid.addLayout(modes, 1, 0)
        grid.addLayout(below, 1, 1)
        grid.addWidget(self.servers, 2, 0)
        grid.addWidget(self.builtins, 2, 1)
        grid.addWidget(self.budget.list, 2, 0, 1, 2)
        self._lay_out_places()
        grid.addWidget(self._places, 3, 0, 1, 2)
        grid.addWidget(self.budget, 4, 0, 1, 2)
        grid.addWidget(self.cost, 5, 0, 1, 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)

    def _lay_out_places(self) -> None:
        """As high as its rows, up to a limit; then it scrolls."""
        inside = QFrame()
        style(inside)
        inside.setLayout(self._rows_column)
        self._rows_column.setContentsMargins(0, 0, space(2), 0)
        self._rows_column.setSpacing(space(1))
        scroll_inside(self._places, inside)
        self._places.hide()


class _Places(QScrollArea):
    """As high as its limit says: Qt's own hint is that of the first rows it had."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.maximumHeight())


def _set_height(view: QListView) -> None:
    view.setMinimumHeight(space(16))
    view.setMaximumHeight(_HEIGHT)


def _check_list() -> QListWidget:
    made = QListWidget()
    _set_height(made)
    made.setTextElideMode(Qt.TextElideMode.ElideRight)
    made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return made


def _names(view: QListWidget) -> list[str]:
    return [str(view.item(row).data(_NAME)) for row in range(view.count())]


def _fill(view: QListWidget, items: Mapping[str, str], checked: Sequence[str]) -> None:
    """Show `items`, names with words; the same names keep their rows."""
    with QSignalBlocker(view):
        if _names(view) != list(items):
            view.clear()
            for name in items:
                item = QListWidgetItem(view)
                item.setData(_NAME, name)
        for row, (name, words) in enumerate(items.items()):
            item = view.item(row)
            item.setText(" · ".join(filter(None, (name, words))))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            states = Qt.CheckState
            item.setCheckState(states.Checked if name in checked else states.Unchecked)


def _checked(view: QListWidget) -> list[str]:
    items = (view.item(row) for row in range(view.count()))
    return [str(item.data(_NAME)) for item in items if item.checkState() == Qt.CheckState.Checked]


def path_kind(name: str) -> Kind | None:
    """What a person chooses for it; None where there is nothing to choose."""
    return _KINDS.get(name)


def read_path(builtin: Builtin) -> str:
    """Its folders or its file, as a person types them."""
    return os.pathsep.join(BuiltinSettings.read(builtin.name, builtin.arguments).places)


def can_write(builtin: Builtin) -> bool:
    return BuiltinSettings.read(builtin.name, builtin.arguments).writes


def with_path(builtin: Builtin, place: str, *, writes: bool) -> Builtin:
    """The same server for another place; its other options stay."""
    parts = place.split(os.pathsep) if path_kind(builtin.name) == "folder" else [place]
    places = tuple(part.strip() for part in parts if part.strip())
    settings = BuiltinSettings.read(builtin.name, builtin.arguments)
    changed = replace(settings, places=places, writes=writes)
    return replace(builtin, arguments=changed.arguments)


def access_label(builtin: Builtin) -> str:
    """What it may touch, as one sentence that begins with its name."""
    place = read_path(builtin)
    if path_kind(builtin.name) is not None and not place:
        words = translate(
            "BuiltinPlaces", "{name}: choose what it may access; it cannot start without"
        )
    else:
        words = _pattern(builtin)
    return words.format(name=builtin.name, place=place)


def _pattern(builtin: Builtin) -> str:
    writes = can_write(builtin)
    if builtin.name not in CATALOG:
        return translate(
            "BuiltinPlaces", "{name} starts once more for this conversation, with its own settings"
        )
    match builtin.name:
        case "filesystem" if writes:
            return translate("BuiltinPlaces", "{name} may read and write in {place}")
        case "filesystem":
            return translate("BuiltinPlaces", "{name} may read in {place}")
        case "sqlite" if writes:
            return translate("BuiltinPlaces", "{name} may read and change {place}")
        case "sqlite":
            return translate("BuiltinPlaces", "{name} may read {place}")
        case "shell":
            return translate("BuiltinPlaces", "{name} may run any command as you, anywhere")
        case "fetch" if BuiltinSettings.read("fetch", builtin.arguments).reaches_private:
            return translate(
                "BuiltinPlaces", "{name} may fetch pages, including on private networks"
            )
        case "fetch":
            return translate("BuiltinPlaces", "{name} may fetch public web pages")
        case "memory":
            return translate("BuiltinPlaces", "{name} may read and write its memory file")
        case _:
            return translate("BuiltinPlaces", "{name} has no access to your files")


class BuiltinRow(QFrame):
    """`change_requested` is sent with the `Builtin` as it is to be started."""

    change_requested = Signal(object)

    def __init__(self, theme: Theme, builtin: Builtin, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.builtin = builtin
        self._kind = path_kind(builtin.name)
        self.words = plain_label("", "muted", "small")
        self.fields = QWidget(self)
        self.edit, self.pick = QLineEdit(), QToolButton()
        self.writes = QCheckBox(self.tr("May write"))
        set_icon(theme, self.pick, "folder", "muted")
        self._lay_out()
        is_folder = self._kind == "folder"
        pick = self.tr("Choose a folder") if is_folder else self.tr("Choose a file")
        self.pick.setToolTip(pick)
        self.pick.setAccessibleName(pick)
        name = self.tr("Folder of {name}") if is_folder else self.tr("File of {name}")
        self.edit.setAccessibleName(name.format(name=self.builtin.name))
        self.edit.setPlaceholderText(self.tr("A folder") if is_folder else self.tr("A database"))
        self.words.setText(access_label(self.builtin))
        self.edit.editingFinished.connect(self._announce)
        self.writes.clicked.connect(self._announce)
        self.pick.clicked.connect(self._pick)

    def show_builtin(self, builtin: Builtin, *, is_fixed: bool) -> None:
        """Show what it is started with, unannounced; a fixed one is told and not changed."""
        self.builtin = builtin
        self.fields.setVisible(self._kind is not None and not is_fixed)
        self.words.setText(access_label(builtin))
        needs = self._kind is not None and not read_path(builtin)
        style(self.words, "warning" if needs else "muted", "small")
        if self.edit.text() != read_path(builtin) and not self.edit.isModified():
            self.edit.setText(read_path(builtin))
        self.writes.setChecked(can_write(builtin))

    def take(self, place: str) -> None:
        """What the picker does."""
        self.edit.setText(place)
        self._announce()

    def _announce(self) -> None:
        made = with_path(self.builtin, self.edit.text(), writes=self.writes.isChecked())
        self.edit.setModified(False)
        if made != self.builtin:
            self.change_requested.emit(made)

    def _pick(self) -> None:
        picker = QFileDialog(self, self.pick.toolTip(), self.edit.text())
        mode = QFileDialog.FileMode
        picker.setFileMode(mode.Directory if self._kind == "folder" else mode.ExistingFile)
        picker.fileSelected.connect(self.take)
        picker.finished.connect(picker.deleteLater)
        picker.open()

    def _lay_out(self) -> None:
        in_row(self.fields, (self.edit, 1), self.pick, self.writes)
        in_column(self, self.words, self.fields, spacing=1)


class ToolBudgetView(QWidget):
    """Hidden while nothing is estimated."""

    list_opened = Signal(bool)
    """The list of tools is to be seen, or no longer."""
    count_requested = Signal()
    """Ask the provider, or stop asking."""
    switch_off_requested = Signal(str)
    """A server that this conversation is to go on without."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._budget: ContextBudget | None = None
        self._exact: ExactCount | None = None
        self._switchable: Collection[str] = ()
        self.meter = ToolsMeter(self)
        self.exact = QPushButton(self)
        self.by_cost = CollapseButton(theme, self)
        self.counted = plain_label("", "muted", "small")
        self.advice = [AdviceRow(self) for _ in range(_SHOWN_ADVICE)]
        self._tools = ToolCostModel(self)
        self.list = QListView(self)  # placed by the panel, where there is room for it
        self.list.setModel(self._tools)
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(FigureDelegate(theme, self.list))
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.hide()
        style(self.exact, "link", "small")
        self._lay_out()
        self.exact.clicked.connect(self.count_requested)
        self.by_cost.opened.connect(self._open_list)
        for row in self.advice:
            row.switch_off_requested.connect(self.switch_off_requested)
        self._set_texts()

    def show_budget(
        self, budget: ContextBudget | None, exact: ExactCount, switchable: Collection[str]
    ) -> None:
        """Show a budget.

        Args:
            budget: of what is offered; None while it is not known.
            exact: what the provider counted, or is counting.
            switchable: servers that the conversation can go on without.
        """
        self._budget, self._exact, self._switchable = budget, exact, switchable
        self.setVisible(budget is not None and budget.tokens > 0)
        self._set_texts()

    def _set_texts(self) -> None:
        self.by_cost.setText(self.tr("Tools by cost"))
        self.list.setAccessibleName(self.tr("Tools, the most expensive first"))
        budget, exact = self._budget, self._exact
        if budget is None or exact is None:
            return
        result = exact.result
        tokens = result.tokens if result is not None else budget.tokens
        self.meter.show_use(tokens, budget.window, is_estimate=result is None)
        self._tell_count(exact, budget)
        useful = [each for each in budget.advice() if each.kind != "heaviest"]
        for row, advice in zip(self.advice, [*useful, None, None], strict=False):
            row.show_advice(advice, advice is not None and advice.server in self._switchable)
        self._fill_list()

    def _tell_count(self, exact: ExactCount, budget: ContextBudget) -> None:
        has_counter = budget.api_format not in (None, ApiFormat.OPENAI)
        self.exact.setVisible(has_counter)
        self.exact.setText(self.tr("Cancel") if exact.is_running else self.tr("Count exactly"))
        self.exact.setToolTip(
            self.tr("Ask the provider: sends the definitions of the tools, runs no model.")
        )
        result = exact.result
        if exact.is_running:
            words = self.tr("Asking the provider…")
        elif result is not None:
            words = self.tr(
                "{tokens} tokens, counted by {provider} for {model} (estimated: {estimate})."
            ).format(
                tokens=f"{result.tokens:,}",
                provider=result.provider,
                model=result.model,
                estimate=f"{budget.tokens:,}",
            )
        elif exact.error:
            words = self.tr("Not counted: {reason}").format(reason=spoken(exact.error))
        elif not budget.window:
            words = self.tr("The context window of this model is not known.")
        else:
            words = ""
        style(self.counted, "danger" if exact.error else "muted", "small")
        self.counted.setText(words)
        self.counted.setVisible(bool(words))

    def _open_list(self, is_open: bool) -> None:
        self._fill_list()
        self.list_opened.emit(is_open)

    def _fill_list(self) -> None:
        if self._budget is not None and self.by_cost.isChecked():
            self._tools.show_tools(self._budget.heaviest(_LISTED))

    def _lay_out(self) -> None:
        row = InnerRow((self.meter, 1), self.by_cost, self.exact, spacing=3)
        in_column(self, row, self.counted, *self.advice, spacing=1)


class AdviceRow(QWidget):
    """A sentence, and a button where this conversation can follow it."""

    switch_off_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._advice: Advice | None = None
        self._can_switch = False
        self.words = plain_label("", "warning", "small")
        self.button = QPushButton(self)
        style(self.button, "link", "small")
        self.button.clicked.connect(self._request)
        in_row(self, (self.words, 1), (self.button, TOP), spacing=3)
        self.hide()

    def show_advice(self, advice: Advice | None, can_switch: bool) -> None:
        """Show a piece of advice, or nothing; a single tool is switched off on its own page."""
        self._advice = advice
        self._can_switch = can_switch and advice is not None and not advice.tool
        self.setVisible(advice is not None)
        self._set_texts()

    def _set_texts(self) -> None:
        if (advice := self._advice) is None:
            return
        words = mark_hidden(spoken(advice.sentence))
        saves = tokens_label(advice.saves)
        if advice.tool:
            more = self.tr("Switching it off on the Servers page saves {tokens}.")
            words = f"{words} {more.format(tokens=saves)}"
        self.words.setText(words)
        text = self.tr("Go on without {server}: saves {tokens}")
        server = mark_hidden(advice.server)
        short = server if len(server) <= _MAX_NAME else f"{server[:_MAX_NAME]}…"
        self.button.setText(text.format(server=short, tokens=saves).replace("&", "&&"))
        self.button.setToolTip(self.tr("For this conversation; other servers stay selected."))
        self.button.setVisible(self._can_switch)

    def _request(self) -> None:
        if self._advice is not None:
            self.switch_off_requested.emit(self._advice.server)


_MAX_NAME = 24


class ToolCostModel(QStringListModel):
    """`server:tool` with its tokens at the end of the row."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._shown: list[ToolTokens] = []

    def show_tools(self, tools: list[ToolTokens]) -> None:
        if tools != self._shown:
            self._shown = tools
            self.setStringList([mark_hidden(tool.key) for tool in tools])

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if role == FIGURE_ROLE:
            return tokens_figure(self._shown[index.row()].tokens)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            tool = self._shown[index.row()]
            return f"{mark_hidden(tool.key)}, {tokens_label(tool.tokens)}"
        return super().data(index, role)
