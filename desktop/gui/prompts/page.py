"""The Prompts page: what all connected servers have to begin a conversation with.

A prompt is a stranger's text: it is shown, and goes to a model only when a person sends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from desktop.gui.form.text_arguments import keep_draft
from desktop.gui.prompts.prompt_view import PromptView
from desktop.gui.widgets.offer_list import Entry
from desktop.gui.widgets.offers_page import OffersPage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QSettings
    from PySide6.QtWidgets import QWidget

    from desktop.gui.theme import Theme
    from desktop.servers.connection import ServerConnection
    from desktop.servers.service import McpService
    from desktop.values.prompt_types import Prompt


class PromptsPage(OffersPage):
    """Named by `server:prompt`."""

    NAME = "prompts"

    chat_requested = Signal(str, object)
    """A person wants this text, and these pictures, in their question to a model."""

    def __init__(self, theme: Theme, service: McpService, settings: QSettings) -> None:
        super().__init__(theme, service, settings, service.prompts_changed)
        self._known: dict[str, Prompt] = {}
        self._drafts: dict[str, dict[str, str]] = {}
        self._wanted = ""
        self.refreshed.connect(self._open_wanted)
        self.set_texts()

    def set_texts(self) -> None:
        self.list.set_purpose(self.tr("Search prompts"), self.tr("Prompts"))
        self.nothing_chosen.set_text(
            self.tr("Choose a prompt"), self.tr("Its form and its messages appear here.")
        )
        self.say_nothing_there(
            self.tr("No prompts yet"),
            self.tr("Prompts appear here once a connected server offers some."),
            self.tr("None of the connected servers offers prompts."),
        )

    def open_prompt(self, key: str, arguments: dict[str, str]) -> None:
        """Show a prompt with these arguments, once its server has listed it."""
        self._drafts[key] = arguments
        self._wanted = key
        self._open_wanted()

    def _open_wanted(self) -> None:
        if (view := self.make_view(self._wanted)) is not None:
            self.place(view)
            self.list.select(self._wanted)
            self._wanted = ""

    def entries(self) -> Sequence[Entry]:
        prompts = [prompt for server in self.connected for prompt in server.prompts.listed]
        self._known = {prompt.key: prompt for prompt in prompts}
        return [
            Entry(prompt.key, prompt.label, prompt.server, prompt.description or prompt.name)
            for prompt in prompts
        ]

    async def read_list(self, server: ServerConnection) -> None:
        await server.prompts.list()

    def make_view(self, key: str) -> QWidget | None:
        prompt = self._known.get(key)
        server = self._service.connections.get(prompt.server) if prompt is not None else None
        if prompt is None or server is None:
            return None
        view = PromptView(self._theme, server, prompt)
        view.chat_requested.connect(self.chat_requested)
        keep_draft(view.form, self._drafts, key)
        return view

    def focus_view(self, view: QWidget) -> None:
        if isinstance(view, PromptView):
            view.focus_form()
