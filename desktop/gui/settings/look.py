"""Makes the window follow the look that the settings ask for.

One way: the page writes the store, the store announces, this applies; so a config file that was
edited by hand counts the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.gui import bridge

if TYPE_CHECKING:
    from desktop.gui.settings.ports import SettingsStore
    from desktop.gui.theme import Theme
    from desktop.gui.translations import Translations
    from desktop.gui.window_state import WindowState


def follow_settings(
    store: SettingsStore, theme: Theme, translations: Translations, state: WindowState
) -> None:
    """Apply language and theme now and at each change, and remember them for the next start."""

    def apply() -> None:
        settings = store.settings
        theme.set_scheme(settings.theme)
        translations.use(settings.language)
        state.scheme, state.language = settings.theme, settings.language

    apply()
    bridge.connect(theme, store.changed, apply)
