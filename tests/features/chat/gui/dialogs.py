"""The dialog of a provider, and the panel with what a server wants of a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.config.providers import ProviderSettings
from desktop.features.chat.gui.providers_section import ProviderDialog
from desktop.features.chat.gui.sampling_view import SamplingView
from desktop.gui.requests.panel import RequestsPanel
from desktop.servers.requests import PendingRequest, SamplingRequest
from tests.features.chat.agent.scripted import Scripted
from tests.features.chat.gui.conftest import FakeProviders
from tests.gui.requests.asked import prompt

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from desktop.core import Core
    from desktop.gui.theme import Theme
    from desktop.servers.requests import SamplingAnswer


def _provider_dialog(parent: QWidget, theme: Theme, core: Core) -> ProviderDialog:
    providers = FakeProviders(Scripted([]))
    providers.known["mine"] = ProviderSettings(name="mine", kind="openai")
    providers.places["mine"] = "keyring"
    return ProviderDialog(parent, providers, "mine")


def _panel(parent: QWidget, theme: Theme, core: Core) -> RequestsPanel:
    """The panel over a window, with two requests in it."""
    providers = FakeProviders(Scripted([]))
    providers.known["mine"] = ProviderSettings(name="mine", kind="openai", model="m")

    async def sample(provider: str, model: str, asked: SamplingRequest) -> SamplingAnswer:
        raise NotImplementedError

    def make(pending: PendingRequest) -> SamplingView:
        assert isinstance(pending.request, SamplingRequest)
        view = SamplingView(theme, pending.request, providers, sample)
        view.answer_text.setPlainText("x")
        view.send_answer.show()
        return view

    panel = RequestsPanel(theme, parent, make)
    for number in ("1", "2"):
        panel.add(PendingRequest(number, "mine", prompt()))
    assert panel.view is not None
    panel.view.answers.arm()
    return panel


DIALOGS: dict[str, Callable[[QWidget, Theme, Core], QWidget]] = {
    "edit provider": _provider_dialog,
    "prompt of a server": _panel,
}
