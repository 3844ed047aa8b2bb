"""The configured model providers and what is known about their keys. Must not import Qt.

Gives out services, never keys. A keyring that cannot be read counts as having no key, with the
reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.base.errors import DesktopError
from desktop.base.signals import Signal
from desktop.features.chat.llm.keys import variables
from desktop.features.models.formats.declaration import request_format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.config.providers import ProviderSettings
    from desktop.config.store import ConfigStore
    from desktop.features.chat.gui.interfaces import KeyPlace
    from desktop.features.chat.llm.completion import CompletionService
    from desktop.features.chat.llm.keys import Keys
    from desktop.features.models.formats import ApiFormat
    from desktop.features.models.model_facts import LearnedFacts, ModelFacts


class ModelProviders:
    """Follows the store for as long as both live."""

    def __init__(self, store: ConfigStore, keys: Keys, learned: LearnedFacts) -> None:
        self._store, self._keys, self._learned = store, keys, learned
        self._places: dict[str, KeyPlace] = {}
        self._names: dict[str, str] = {}
        self._problem = ""
        self._is_looking = False
        self.changed: Signal[[]] = Signal()
        store.changed.connect(self.changed.send)

    def all(self) -> Sequence[ProviderSettings]:
        return tuple(self._store.providers.values())

    def get(self, name: str) -> ProviderSettings | None:
        return self._store.providers.get(name)

    def is_removable(self, name: str) -> bool:
        """Whether it is one of the file's own: the known ones are always there."""
        from desktop.config.providers import KNOWN

        return all(name != provider.name for provider in KNOWN)

    def key_place(self, name: str) -> KeyPlace:
        return self._places.get(name, "unknown")

    def key_name(self, name: str) -> str:
        """The variable whose value is used, or the first that would be."""
        provider = self.get(name)
        usual = variables(provider) if provider is not None else ()
        return self._names.get(name) or next(iter(usual), "")

    @property
    def problem(self) -> str:
        return self._problem

    async def look_for_keys(self) -> None:
        if self._is_looking:  # a person may have to unlock the keyring: once is enough
            return
        self._is_looking, self._problem = True, ""
        try:
            for provider in self.all():
                await self._look(provider)
        finally:
            self._is_looking = False
        self.changed.send()

    def api_format(self, name: str) -> ApiFormat:
        """The request format it is asked in. Raises `KeyError` for one that is not there."""
        provider = self._store.providers[name]
        return request_format(provider.kind, speaks_responses=provider.speaks_responses)

    def facts(self, name: str, model: str) -> ModelFacts:
        """All that is known of a model of a provider."""
        return self._learned.of(self.get(name), model)

    def service(self, name: str) -> CompletionService:
        """Raises `DesktopError` where there is no such provider."""
        provider = self.get(name)
        if provider is None:
            raise DesktopError(
                f"There is no model provider “{name}”.", remedy="Choose another one, or add it."
            )
        from desktop.features.chat.llm.services import make_service

        return make_service(provider, self._keys, learned=self._learned)

    def save(self, provider: ProviderSettings) -> None:
        self._places.pop(provider.name, None)
        self._store.set_provider(provider)

    async def remove(self, name: str) -> None:
        provider = self.get(name)
        if provider is not None:
            if self._places.get(name) in ("keyring", "session"):
                await self._keys.delete(provider)
            self._store.remove_provider(name)

    async def set_key(self, name: str, key: str) -> None:
        provider = self.get(name)
        if provider is None:
            return
        if key:
            await self._keys.store(provider, key, for_session=True)
        else:
            await self._keys.delete(provider)
        await self._look(provider)
        self.changed.send()

    async def _look(self, provider: ProviderSettings) -> None:
        try:
            key = await self._keys.find(provider)
        except DesktopError as error:
            self._problem, key = str(error), None
        if key is not None:
            self._places[provider.name] = key.place
            self._names[provider.name] = key.where if key.place == "environment" else ""
        else:
            self._places[provider.name] = "missing" if provider.needs_key else "unneeded"
