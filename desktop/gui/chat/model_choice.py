"""Which provider and which model answer: two fields, the second filled by the provider when asked.

Announces a choice; keeps none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QToolButton, QWidget

from desktop.errors import DesktopError
from desktop.gui import bridge
from desktop.gui.theme import space, style
from desktop.gui.widgets.highlighters import require_focus_for_wheel
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.config.providers import ProviderSettings
    from desktop.gui.chat.ports import Providers
    from desktop.gui.theme import Theme

_LONGEST = 200
_MOST = 1_000


class ModelChoice(QWidget):
    """Provider and model; the list of models is fetched when a person asks for it."""

    chosen = Signal(str, str)
    """The names of provider and model."""
    listed = Signal()
    """The provider told its models, or that it cannot."""

    def __init__(self, theme: Theme, providers: Providers, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._providers = providers
        self._shown: tuple[str, str] = ("", "")
        self.provider, self.model = QComboBox(self), QComboBox(self)
        self.fetch = QToolButton(self)
        self._lay_out(theme)
        self._translate()
        self.provider.activated.connect(self._choose_provider)
        self.model.activated.connect(self._announce)
        if (line := self.model.lineEdit()) is not None:
            line.setMaxLength(_LONGEST)
            line.editingFinished.connect(self._announce)
        self.fetch.clicked.connect(self.fetch_models)
        bridge.connect(self, providers.changed, self._fill)
        self._fill()

    @property
    def value(self) -> tuple[str, str]:
        """Provider and model as they are shown."""
        return self.provider.currentText(), self.model.currentText().strip()

    def show_choice(self, provider: str, model: str) -> None:
        """Show this choice without announcing it."""
        self._shown = provider, model
        self._fill()

    def fetch_models(self) -> None:
        """Ask the provider for its models."""
        if name := self.provider.currentText():
            self.fetch.setEnabled(False)
            bridge.run(self, self._fetch(name), self.tr("List the models"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)

    async def _fetch(self, name: str) -> None:
        try:
            service = self._providers.service(name)
            try:
                models = await service.list_models()
            finally:
                await service.close()
            if name == self.provider.currentText():
                self._offer(models)
        except DesktopError as error:
            bridge.show_error(self, error, self.tr("List the models"))
        finally:
            self.fetch.setEnabled(True)
            self.listed.emit()

    def _offer(self, models: Sequence[str]) -> None:
        text = self.model.currentText()
        with QSignalBlocker(self.model):
            self.model.clear()
            self.model.addItems([model[:_LONGEST] for model in models[:_MOST]])
            self.model.setCurrentText(text)
        if self.isVisible():
            self.model.showPopup()

    def _fill(self) -> None:
        provider, model = self._shown
        names = [one.name for one in self._providers.all()]
        known: ProviderSettings | None = self._providers.get(provider)
        with QSignalBlocker(self.provider), QSignalBlocker(self.model):
            if names != [self.provider.itemText(at) for at in range(self.provider.count())]:
                self.provider.clear()
                self.provider.addItems(names)
            self.provider.setCurrentIndex(names.index(provider) if known is not None else -1)
            self.model.setCurrentText(model or (known.model if known is not None else ""))

    def _choose_provider(self) -> None:
        known = self._providers.get(self.provider.currentText())
        with QSignalBlocker(self.model):
            self.model.clear()
            self.model.setCurrentText(known.model if known is not None else "")
        self._announce()

    def _announce(self) -> None:
        if self.value != self._shown:
            self._shown = self.value
            self.chosen.emit(*self.value)

    def _lay_out(self, theme: Theme) -> None:
        self.model.setEditable(True)
        self.model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.provider.setMinimumWidth(space(24))
        self.model.setMinimumWidth(space(34))
        for box in (self.provider, self.model):
            require_focus_for_wheel(box)
        style(self.fetch, "flat")
        set_icon(theme, self.fetch, "restart", "muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(1))
        row.addWidget(self.provider)
        row.addWidget(self.model, 1)
        row.addWidget(self.fetch)

    def _translate(self) -> None:
        self.provider.setAccessibleName(self.tr("Provider"))
        self.provider.setPlaceholderText(self.tr("Provider"))
        self.model.setAccessibleName(self.tr("Model"))
        if (line := self.model.lineEdit()) is not None:
            line.setPlaceholderText(self.tr("Model"))
        self.fetch.setToolTip(self.tr("Ask the provider for its models"))
        self.fetch.setAccessibleName(self.tr("Ask the provider for its models"))
