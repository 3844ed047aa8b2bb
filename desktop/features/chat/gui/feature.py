"""Joins the window: the page of conversations, the providers in the settings, answers of models.

`pages.part(ChatFeature)` is the one of a window. It imports the rest when a person comes near it:
who never chats pays nothing.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.features.chat.gui import keys
from desktop.features.chat.gui.early import PAGE
from desktop.features.models.gui.feature import ModelsFeature
from desktop.gui import shortcuts

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from desktop.core import Core
    from desktop.features.chat.gui.chats import Chats
    from desktop.features.chat.gui.composer import Composer
    from desktop.features.chat.gui.page import ChatPage
    from desktop.features.chat.gui.providers import ModelProviders
    from desktop.features.chat.gui.providers_section import ProvidersSection
    from desktop.gui.navigation import Stored
    from desktop.gui.page_factory import Pages
    from desktop.gui.requests.request_view import RequestView
    from desktop.gui.theme import Theme
    from desktop.servers.requests import SamplingAnswer, SamplingRequest


def join(pages: Pages, core: Core, ready: asyncio.Task[None]) -> None:
    from desktop.gui.navigation import Action

    feature = pages.part(ChatFeature)
    for each in keys.ALL:
        shortcuts.declare(each, before=shortcuts.FILTER)
    pages.set_page(PAGE.id, feature.make_page)
    pages.open_question = feature.open_question
    pages.part(ModelsFeature).chat_model = feature.first_model
    pages.add_settings_section(feature.providers_section, place="before approvals")
    pages.requests.make_sampling_view = feature.sampling_view
    pages.navigation.stored.append(feature.stored_chats)
    words = QCoreApplication.translate("ChatFeature", "New conversation")
    pages.navigation.actions.append(Action("new chat", words, feature.new_chat))


class ChatFeature:
    """One for a window, for its whole run."""

    def __init__(self, pages: Pages) -> None:
        self._pages, self._window, self._core = pages, pages.window, pages.core
        self.page_made: list[Callable[[ChatPage], object]] = []
        """What other features do with the page when it has just been built, before it is seen."""

    @cached_property
    def providers(self) -> ModelProviders:
        """The configured providers of models."""
        from desktop.features.chat.agent.agent import Agent
        from desktop.features.chat.gui.providers import ModelProviders

        agent = self._core.part(Agent)
        return ModelProviders(self._core.store, agent.keys, agent.learned)

    @cached_property
    def chats(self) -> Chats:
        """The conversations; the rail and notifications say from then on how they stand."""
        from desktop.features.chat.agent.agent import Agent
        from desktop.features.chat.gui.chats import Chats
        from desktop.features.chat.gui.signs import ApprovalNotifier, ChatBadge

        sessions, window = self._core.part(Agent).sessions, self._window
        sessions.opened.connect(lambda session: self._pages.follow_calls(session.tools.executor))
        chats = Chats(sessions, self.providers, self._find_key)
        ChatBadge(window, chats, PAGE.id)
        ApprovalNotifier(window, chats, lambda: self._core.store.settings.notify, self._show)
        self._pages.add_last_ending(chats.close)  # the clients of providers, after the sessions
        return chats

    def make_page(self) -> ChatPage:
        """The page; it shows the desk and may come and go."""
        from desktop.features.chat.gui.page import ChatPage

        page = ChatPage(
            self._window.theme,
            self.chats,
            self._core.registry,
            self._builtins,
            self._window.state.settings,
            configured=self._configured,
            companion_of=self._pages.make_companion,
        )
        page.open_call_requested.connect(self._pages.navigation.open_call)
        page.settings_requested.connect(self._open_providers)
        page.view.provider_requested.connect(self._add_provider)
        self._pages.import_validation(
            "desktop.features.chat.agent.events", "desktop.features.chat.gui.call_card"
        )
        for use in self.page_made:
            use(page)
        return page

    def open_question(self) -> Composer | None:
        """Show the question that is being written."""
        page = self._open_page()
        return page.view.composer if page is not None else None

    def new_chat(self) -> None:
        """Show a conversation to be begun, with the focus in its message."""
        if (page := self._open_page()) is not None:
            page.new_chat()

    def open_chat(self, session: str) -> None:
        """Show a stored conversation."""
        if (page := self._open_page()) is not None:
            page.open_stored(session)

    async def stored_chats(self) -> list[Stored]:
        """The conversations that can be gone on with."""
        from asyncio import to_thread
        from importlib import import_module

        from desktop.features.chat.agent.agent import Agent
        from desktop.gui.navigation import Stored

        await to_thread(import_module, "desktop.features.chat.agent.session_store")  # some 30 ms
        unnamed = QCoreApplication.translate("ChatFeature", "Conversation")
        return [
            Stored(
                "chat",
                chat.about.id,
                chat.about.title or unnamed,
                f"{chat.about.provider} {chat.about.model}",
                partial(self.open_chat, chat.about.id),
            )
            for chat in await self._core.part(Agent).sessions.store.list()
        ]

    def first_model(self) -> tuple[str, str]:
        """Provider and model of the conversation begun last, and of the next one."""
        settings = self._window.state.settings  # asked for at the start: the page brings the agent
        return str(settings.value("chat/provider") or ""), str(settings.value("chat/model") or "")

    def providers_section(self) -> ProvidersSection:
        """The section of the settings, new."""
        from desktop.features.chat.gui.providers_section import ProvidersSection

        return ProvidersSection(self._window.theme, self.providers)

    def sampling_view(self, theme: Theme, request: SamplingRequest) -> RequestView:
        """Shows what a server wants of a model."""
        from desktop.features.chat.gui.sampling_view import SamplingView

        return SamplingView(theme, request, self.providers, self._sample, self.first_model())

    async def _sample(self, provider: str, model: str, request: SamplingRequest) -> SamplingAnswer:
        """Has the model of a provider answer, as its name and the model's were chosen."""
        from desktop.features.chat.llm.sampling import answer_sampling

        service = self.providers.service(provider)
        try:
            return await answer_sampling(service, model, request)
        finally:
            await service.close()

    def _open_page(self) -> ChatPage | None:
        from desktop.features.chat.gui.page import ChatPage

        return self._window.open_page(PAGE.id, ChatPage)

    def _show(self) -> None:
        self._window.show_page(PAGE.id)
        self._window.come_to_front()

    def _add_provider(self) -> None:
        from desktop.features.chat.gui.providers_section import ProviderDialog

        ProviderDialog(self._window, self.providers).open()

    def _open_providers(self) -> None:
        from desktop.features.chat.gui.providers_section import ProvidersSection
        from desktop.gui.settings.page import SettingsPage

        page = self._window.open_page("settings", SettingsPage)
        if page is not None and (section := page.section(ProvidersSection)) is not None:
            page.show_section(section, section.add_button)

    def _configured(self, name: str) -> tuple[str, ...]:
        """What a conversation starts it with, where a person chose nothing else."""
        own = self._core.store.servers.get(name)
        return tuple(own.args) if own is not None and own.builtin == name else ()

    def _find_key(self, wire_name: str) -> str:
        """The tool that a name stands for now: conversations of earlier versions lack its key."""
        from desktop.tools.wire_names import WireNames

        tools = [tool.definition for tool in self._core.registry.all()]
        found = WireNames((tool.server, tool.name) for tool in tools).find(wire_name)
        return ":".join(found) if found is not None else ""

    def _builtins(self) -> dict[str, str]:
        """What a conversation can have for itself: the built-in servers, then the person's own."""
        from builtin_servers.catalog import CATALOG
        from desktop.bootstrap import session_servers
        from desktop.gui.servers.labels import description_label, target_label

        store = self._core.store
        return {
            name: description_label(name) if name in CATALOG else target_label(store.servers[name])
            for name in session_servers(store)
            if name in store.servers
        }
