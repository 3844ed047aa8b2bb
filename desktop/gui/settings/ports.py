"""What the settings page needs of the core, as protocols: the config store satisfies them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from desktop.gui.theme import Scheme
    from desktop.gui.translations import Language
    from desktop.signals import Signal


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


class SettingsStore(Protocol):
    """Where they are kept: `update_settings` writes them or raises `ConfigError`."""

    @property
    def settings(self) -> Settings: ...
    @property
    def changed(self) -> Signal[[]]: ...
    def update_settings(self, **changes: object) -> None: ...
