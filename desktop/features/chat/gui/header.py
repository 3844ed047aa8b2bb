"""The line above a chat: its title, provider and model, and the tools the model is given.

The tools panel opens below it; the list of models is asked of the provider when it is opened.
Follows one chat and emits a choice; keeps none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec.structs import replace
from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop.base.errors import DesktopError
from desktop.base.visible_text import mark_hidden
from desktop.features.chat.agent.session_info import Builtin
from desktop.features.chat.gui.exact_count import ExactCount
from desktop.features.chat.gui.tools_panel import ToolsPanel
from desktop.features.models.context_budget import ContextBudget, estimate_budget
from desktop.gui import bridge
from desktop.gui.layouts import in_row
from desktop.gui.theme import space, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.collapse_button import CollapseButton
from desktop.gui.widgets.icons import set_icon
from desktop.gui.widgets.labels import ElidedLabel
from desktop.gui.widgets.visibility import WholeArea
from desktop.gui.widgets.wheel_filter import require_focus_for_wheel

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtGui import QResizeEvent, QShowEvent

    from desktop.config.providers import ProviderSettings
    from desktop.features.chat.agent.session_info import ChatSettings
    from desktop.features.chat.gui.chat import Chat
    from desktop.features.chat.gui.interfaces import Providers
    from desktop.features.chat.llm.tool_choice import ToolChoice
    from desktop.gui.theme import Theme
    from desktop.tools.registry import ToolSource
    from desktop.values.tool_types import ToolDefinition

_MAX_LENGTH = 200
_MAX_MODELS = 1_000


class ModelChoice(QWidget):
    """Provider and model; the list of models is fetched when a person asks for it."""

    model_requested = Signal(str, str)
    """The names of provider and model."""
    listed = Signal()
    """The provider told its models, or that it cannot."""

    def __init__(self, theme: Theme, providers: Providers, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._providers = providers
        self._shown: tuple[str, str] = ("", "")
        self.provider, self.model = QComboBox(self), QComboBox(self)
        self.fetch = QToolButton(self)
        self.host = ElidedLabel()
        """Where the provider is, if that is not where the company of its name is."""
        self._lay_out(theme)
        self._set_texts()
        self.provider.activated.connect(self._choose_provider)
        self.model.activated.connect(self._announce)
        if (line := self.model.lineEdit()) is not None:
            line.setMaxLength(_MAX_LENGTH)
            line.editingFinished.connect(self._announce)
        self.fetch.clicked.connect(self.fetch_models)
        bridge.connect(self, providers.changed, self._fill)
        self._fill()

    @property
    def value(self) -> tuple[str, str]:
        """Provider and model as they are shown."""
        return self.provider.currentText(), self.model.currentText().strip()

    def _show_host(self) -> None:
        known = self._providers.get(self.provider.currentText())
        host = urlsplit(known.other_origin).netloc if known is not None else ""
        self.host.show_text(mark_hidden(host))
        self.host.setToolTip(self.tr("Sent to {host}").format(host=mark_hidden(host)))
        self.host.setVisible(bool(host))

    def show_choice(self, provider: str, model: str) -> None:
        """Show this choice without announcing it."""
        self._shown = provider, model
        self._fill()

    def fetch_models(self) -> None:
        """Ask the provider for its models, and show them."""
        self._ask_models(opens=True)

    def _ask_models(self, *, opens: bool) -> None:
        if name := self.provider.currentText():
            self.fetch.setEnabled(False)
            bridge.run(self, self._fetch(name, opens=opens), self.tr("List the models"))

    async def _fetch(self, name: str, *, opens: bool) -> None:
        try:
            service = self._providers.service(name)
            try:
                models = await service.list_models()
            finally:
                await service.close()
            if name == self.provider.currentText():
                self._offer(models, opens=opens)
        except DesktopError as error:
            bridge.show_error(self, error, self.tr("List the models"))
        finally:
            self.fetch.setEnabled(True)
            self.listed.emit()

    def _offer(self, models: Sequence[str], *, opens: bool) -> None:
        text = self.model.currentText()
        with QSignalBlocker(self.model):
            self.model.clear()
            self.model.addItems([model[:_MAX_LENGTH] for model in models[:_MAX_MODELS]])
            self.model.setCurrentIndex(self.model.findText(text))  # marks it in the list
            self.model.setCurrentText(text)
        if opens and self.isVisible():
            self.model.showPopup()

    def _fill(self) -> None:
        provider, model = self._shown
        names = [provider.name for provider in self._providers.all()]
        known: ProviderSettings | None = self._providers.get(provider)
        with QSignalBlocker(self.provider), QSignalBlocker(self.model):
            if names != [self.provider.itemText(at) for at in range(self.provider.count())]:
                self.provider.clear()
                self.provider.addItems(names)
            self.provider.setCurrentIndex(names.index(provider) if known is not None else -1)
            self.model.setCurrentText(model or (known.model if known is not None else ""))
        self._show_host()

    def _choose_provider(self) -> None:
        known = self._providers.get(self.provider.currentText())
        with QSignalBlocker(self.model):
            self.model.clear()
            self.model.setCurrentText(known.model if known is not None else "")
        self._show_host()
        self._announce()
        self._ask_models(opens=False)

    def _announce(self) -> None:
        if self.value != self._shown:
            self._shown = self.value
            self.model_requested.emit(*self.value)

    def _lay_out(self, theme: Theme) -> None:
        self.model.setEditable(True)
        self.model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.provider.setMinimumWidth(space(24))
        self.model.setMinimumWidth(space(34))
        for box in (self.provider, self.model):
            require_focus_for_wheel(box)
        style(self.fetch, "flat")
        set_icon(theme, self.fetch, "restart", "muted")
        style(self.host, "muted", "small")
        # As wide as its words, unlike other labels that are cut: it has no room to fill.
        self.host.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.host.setMinimumWidth(space(10))
        self.host.setMaximumWidth(space(50))
        in_row(self, self.provider, self.host, (self.model, 1), self.fetch, spacing=1)

    def _set_texts(self) -> None:
        self.provider.setAccessibleName(self.tr("Provider"))
        self.provider.setPlaceholderText(self.tr("Provider"))
        self.model.setAccessibleName(self.tr("Model"))
        if (line := self.model.lineEdit()) is not None:
            line.setPlaceholderText(self.tr("Model"))
        self.fetch.setToolTip(self.tr("Ask the provider for its models"))
        self.fetch.setAccessibleName(self.tr("Ask the provider for its models"))


_COST_MS = 150
_MAX_REASONS = 3
_WIDE = space(180)
"""Pixels from which on the title has room beside the tokens of the tools."""
_NARROW = space(130)
"""Pixels below which the title stands on a line of its own."""


class ChatHeader(QWidget):
    """Shows one chat; `setup_changed` is sent when a person changed what it goes on with."""

    setup_changed = Signal(object)
    """The `ChatSettings`."""
    counted = Signal()
    """What the tools cost is shown."""

    def __init__(
        self,
        theme: Theme,
        providers: Providers,
        tools: ToolSource,
        builtins: Callable[[], Mapping[str, str]],
        parent: QWidget | None = None,
        *,
        configured: Callable[[str], tuple[str, ...]] = lambda _: (),
    ) -> None:
        """Args: builtins: the built-in servers by name, with what each is for.

        configured: the arguments that the config gives a built-in server.
        """
        super().__init__(parent)
        self._configured = configured
        self._providers, self._tools, self._builtins = providers, tools, builtins
        self._chat: Chat | None = None
        self._cost: ContextBudget | None = None
        self.exact = ExactCount(providers, self)
        self._tokens: dict[str, int] = {}
        self._counting: asyncio.Task[None] | None = None
        self.title = ElidedLabel()
        style(self.title, "heading")
        self.title.setMinimumWidth(space(26))  # a word or two, beside all that is chosen
        self.model = ModelChoice(theme, providers, self)
        self.fold = CollapseButton(theme, self)
        self.panel = ToolsPanel(theme, self)
        self.panel.hide()
        self._soon = QTimer(self, singleShot=True, interval=_COST_MS)
        self._row, self._column = QHBoxLayout(), QVBoxLayout()
        self._lay_out()
        self._connect()

    @property
    def cost(self) -> ContextBudget:
        """What the tools of the chat come to, as far as that is estimated."""
        return self._cost or ContextBudget()

    def open_tools(self) -> None:
        """Open the panel in which the tools are chosen."""
        self.fold.setChecked(True)
        self.fold.setFocus(Qt.FocusReason.OtherFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._count()  # nothing is counted out of sight

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_cost()
        self._place_title()

    def show_chat(self, chat: Chat) -> None:
        """Show another chat, or the same one after a change."""
        if chat is not self._chat:
            self._cost = None  # that of the chat before says nothing of this one
            self.exact.forget()
            self._chat = chat
            self._tell_cost()
        self.title.show_text(" ".join(chat.title.split()) or self.tr("New conversation"))
        self.model.show_choice(chat.setup.provider, chat.setup.model)
        self._show_panel()
        self._soon.start()

    def _show_panel(self) -> None:
        chat = self._chat
        if chat is None or not self.fold.isChecked():
            return
        counts: dict[str, int] = {}
        own = (
            {builtin.name for builtin in chat.setup.builtins}
            if chat.session is not None
            else set[str]()
        )
        for tool in self._tools.all():
            if (server := tool.definition.server) not in own:
                counts[server] = counts.get(server, 0) + 1
        self.panel.show_choice(chat.setup.choice, counts)
        names = [builtin.name for builtin in chat.setup.builtins]
        self.panel.show_builtins(self._builtins(), names, is_fixed=chat.is_begun)
        started = [self._as_started(builtin) for builtin in chat.setup.builtins]
        self.panel.show_places(started, is_fixed=chat.is_begun)

    def _as_started(self, builtin: Builtin) -> Builtin:
        """With the arguments of the config, where the conversation gives it none."""
        return replace(builtin, arguments=builtin.arguments or self._configured(builtin.name))

    def _offered(self, chat: Chat | None) -> list[ToolDefinition]:
        if chat is None:
            return []
        if chat.session is not None:
            return chat.session.tools.told()
        choice = chat.setup.choice
        tools = [tool.definition for tool in self._tools.all()]
        return [tool for tool in tools if choice.includes(tool.server)]

    def _count(self) -> None:
        if self._counting is not None:
            self._counting.cancel()  # it would tell of tools as they were
        if self._chat is not None and self.isVisible():
            words = self.tr("Count the tokens")
            self._counting = bridge.run(self, self._count_cost(self._chat), words)

    async def _count_cost(self, chat: Chat) -> None:
        offered, provider = self._offered(chat), self._providers.get(chat.setup.provider)
        if provider is None:
            cost, tokens = ContextBudget(sent=len(offered)), dict[str, int]()
        else:
            api_format = self._providers.api_format(provider.name)
            window = self._providers.facts(provider.name, chat.setup.model).window
            cost = await estimate_budget(offered, api_format, chat.setup.model, window)
            tokens = {server.server: server.tokens for server in cost.servers}
            if self.fold.isChecked():  # there the servers that are not chosen stand, too
                others = [
                    tool.definition
                    for tool in self._tools.all()
                    if tool.definition.server not in tokens
                ]
                rest = await estimate_budget(others, api_format)
                tokens |= {server.server: server.tokens for server in rest.servers}
        if chat is self._chat:
            if cost != self._cost:
                self.exact.forget()
            self._cost, self._tokens = cost, tokens
            self._tell_cost()
            self.counted.emit()

    def _tell_cost(self) -> None:
        cost = self._cost
        sent = cost.sent if cost is not None else len(self._offered(self._chat))
        count = self.tr("Tools: {count}").format(count=f"{sent:,}")
        tokens = self.tr("about {tokens} tokens").format(tokens=f"{self.cost.tokens:,}")
        whole = f"{count} · {tokens}" if self.cost.tokens else count
        self.fold.setText(whole if self.width() >= _WIDE else count)
        self.fold.setToolTip(whole)
        self._show_budget()
        reasons = [tool.reason for tool in self.cost.tools() if tool.reason]
        sentences = list(map(spoken, reasons[:_MAX_REASONS]))
        if self._chat is not None and self._chat.setup.builtins and not self._chat.is_begun:
            sentences.append(self.tr("Servers used only in this conversation come on top of that."))
        self.panel.show_cost("\n".join(sentences), is_warning=bool(reasons))

    def _show_budget(self) -> None:
        """Tokens a server, the bar and the advice; what the provider counted where it did."""
        chosen = self._chat.setup.choice if self._chat is not None else None
        own = {builtin.name for builtin in self._chat.setup.builtins} if self._chat else set[str]()
        switchable = {
            server.server
            for server in self.cost.servers
            if chosen is not None and chosen.includes(server.server) and server.server not in own
        }
        self.panel.budget.show_budget(self._cost, self.exact, switchable)
        self.panel.show_tokens(self._tokens)

    def _ask_exactly(self) -> None:
        """Ask the provider what the tools cost, or stop asking."""
        if self.exact.is_running:
            self.exact.forget()
        elif (chat := self._chat) is not None:
            setup = chat.setup
            self.exact.ask(setup.provider, setup.model, self._offered(chat))

    def _open_panel(self, is_open: bool) -> None:
        self.panel.setVisible(is_open)
        self._show_panel()
        self._tell_cost()
        self._count()

    def _change(self, setup: ChatSettings) -> None:
        self.setup_changed.emit(setup)
        self._soon.start()

    def _choose_model(self, provider: str, model: str) -> None:
        if self._chat is not None:
            self._change(replace(self._chat.setup, provider=provider, model=model))

    def _choose_tools(self, choice: ToolChoice) -> None:
        if self._chat is not None:
            self._change(replace(self._chat.setup, choice=choice))

    def _choose_builtins(self, names: tuple[str, ...]) -> None:
        if self._chat is not None:
            known = {builtin.name: builtin for builtin in self._chat.setup.builtins}
            chosen = tuple(known.get(name) or Builtin(name) for name in names)
            self._change(replace(self._chat.setup, builtins=chosen))

    def _choose_arguments(self, builtin: Builtin) -> None:
        if self._chat is not None:
            known = self._chat.setup.builtins
            chosen = tuple(builtin if other.name == builtin.name else other for other in known)
            self._change(replace(self._chat.setup, builtins=chosen))

    def _note_tools(self) -> None:
        if not self._soon.isActive():
            self._soon.start()

    def _connect(self) -> None:
        bridge.connect(self, self._tools.changed, self._note_tools)
        self._soon.timeout.connect(self._count)
        self._soon.timeout.connect(self._show_panel)
        self.fold.opened.connect(self._open_panel)
        self.exact.changed.connect(self._show_budget)
        self.panel.budget.count_requested.connect(self._ask_exactly)
        self.model.model_requested.connect(self._choose_model)
        self.model.listed.connect(self._soon.start)  # the window of the model may be known now
        self.panel.choice_changed.connect(self._choose_tools)
        self.panel.builtins_changed.connect(self._choose_builtins)
        self.panel.builtin_changed.connect(self._choose_arguments)

    def _place_title(self) -> None:
        """Beside what is chosen, or above it where that needs all of a line."""
        is_above = self.width() < _NARROW
        if is_above == (self._row.indexOf(self.title) < 0):
            return
        if is_above:
            self._row.removeWidget(self.title)
            self._column.insertWidget(0, self.title)
        else:
            self._column.removeWidget(self.title)
            self._row.insertWidget(0, self.title, 1)

    def _lay_out(self) -> None:
        row = self._row
        row.setSpacing(space(3))
        row.addWidget(self.title, 1)
        row.addWidget(self.model)
        row.addWidget(self.fold)
        column = self._column
        self.setLayout(column)
        column.setContentsMargins(space(4), space(3), space(4), space(2))
        column.setSpacing(space(2))
        column.addLayout(row)
        column.addWidget(WholeArea(self.panel, self))
        self._tell_cost()
