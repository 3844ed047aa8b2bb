"""The offer to keep secrets in the keyring of the desktop instead of in the config file.

Where there is no keyring, they are kept until the app ends, and the offer says so.

Names the secrets, never shows one. Must not decide what a secret is, or write the config.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QSizePolicy

from desktop.base.translatable import join_texts
from desktop.config.keyring_access import KeyringError, has_keyring
from desktop.gui import bridge
from desktop.gui.theme import space
from desktop.gui.translations import listed, spoken
from desktop.gui.widgets.labels import plain_tip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent

    from desktop.config.plain_secrets import PlainSecret
    from desktop.config.secret_store import SecretStore

_MAX_NAMES = 4


class SecretsBox(QCheckBox):
    """Hidden while there is nothing to keep; what a person ticked or unticked stays."""

    def __init__(self, store: SecretStore | None) -> None:
        """Args: store: None where nothing can be kept: then it is never shown."""
        super().__init__()
        self._store = store
        self._secrets: Sequence[PlainSecret] = ()
        self._is_chosen = self._has_looked = False
        self._has_keyring = True
        self.clicked.connect(self._note_choice)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.hide()

    @property
    def is_wanted(self) -> bool:
        """Whether the secrets that are shown are to be kept."""
        return self._store is not None and bool(self._secrets) and self.isChecked()

    def show_secrets(self, secrets: Sequence[PlainSecret], *, checked: bool = True) -> None:
        """Offer to keep these. Args: checked: unless a person has decided already."""
        self._secrets = secrets
        if not self._is_chosen:
            self.setChecked(checked)
        self.setVisible(self._store is not None and bool(secrets))
        if secrets and self._store is not None and not self._has_looked:
            self._has_looked = True
            bridge.run(self, self._look(), "look for a keyring")
        self._show_words()

    def leave_out(self, is_gone: Callable[[PlainSecret], bool]) -> None:
        """Offer no longer to keep those that are `is_gone`; a tick stays as it is."""
        left = [secret for secret in self._secrets if not is_gone(secret)]
        self.show_secrets(left, checked=self.isChecked())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_words()

    async def _look(self) -> None:
        with suppress(KeyringError):  # one that does not answer is there
            self._has_keyring = await has_keyring()
        self._show_words()

    def _show_words(self) -> None:
        names = [secret.name for secret in self._secrets]
        shown = listed(names, most=_MAX_NAMES)
        words = (
            self.tr("Keep in the keyring: {names}")
            if self._has_keyring
            else self.tr("Keep for this session, as this desktop has no keyring: {names}")
        )
        room = self.width() - space(8) - self.fontMetrics().horizontalAdvance(words)
        fitted = self.fontMetrics().elidedText(shown, Qt.TextElideMode.ElideRight, room)
        # A & would be read as the mark of a shortcut.
        self.setText(words.format(names=fitted.replace("&", "&&")))
        self.setAccessibleName(words.format(names=shown))
        meaning = (
            self.tr("The configuration file then only refers to it as ${keyring:NAME}")
            if self._has_keyring
            else self.tr(
                "The server asks for it again after a restart of the app. Unticked, it stands in "
                "the configuration file as plain text."
            )
        )
        self.setToolTip(plain_tip(f"{shown}\n{meaning}"))

    async def keep(self, secrets: Sequence[PlainSecret]) -> None:
        """Put secrets into the keyring, or where there is none into memory.

        Raises:
            KeyringError: it did not keep one; says what else can be done.
            ConfigError: one cannot be kept as it is.
        """
        if self._store is None:
            return
        try:
            for secret in secrets:
                await self._store.put(secret.name, secret.value, for_session=True)
        except KeyringError as error:
            hint = self.tr(
                "Nothing was saved. To store the secret as plain text in the configuration "
                "file, clear the box below. Or write ${VARIABLE} and set that variable in "
                "your environment."
            )
            raise KeyringError(join_texts("\n", spoken(str(error.args[0])), hint)) from None

    def _note_choice(self) -> None:
        self._is_chosen = True
