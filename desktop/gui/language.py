"""The language of the window: installs its translators, at the start and at any time later.

Widgets learn of a change by `changeEvent` with `QEvent.Type.LanguageChange`. The compiled files
come with the app (`make translations` in a checkout); without them the window stays English and the
log says so. A module of its own because it runs before the first paint, which needs nothing of
`translations`.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator

from desktop.base.paths import resources

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication

Language: TypeAlias = Literal["system", "en", "zh_CN"]

logger = logging.getLogger(__name__)


class Translations:
    """Holds the translators that are installed."""

    def __init__(
        self, app: QCoreApplication, language: Language = "system", folder: Path | None = None
    ) -> None:
        """Logs nothing yet, see `report_missing`: the window is painted before there is a log.

        Args:
            app: what the translators are installed in.
            language: the one to begin with.
            folder: where the compiled files are, if not among the resources.
        """
        self._app = app
        self._folder = folder or resources() / "translations"
        self._installed: list[QTranslator] = []
        self._name = "en"
        self._missing: Path | None = None
        self._change(language)

    @property
    def name(self) -> str:
        """The language in force, never "system"."""
        return self._name

    def use(self, language: Language) -> None:
        """Change to `language`; every widget is told if that changes anything."""
        if self._change(language):
            self.report_missing()

    def report_missing(self) -> None:
        """Log a warning if the language in force has no compiled file and the window is English."""
        if self._missing is not None:
            logger.warning("no translation for %s: %s is missing", self._name, self._missing)

    def _change(self, language: Language) -> bool:
        name = _system_language() if language == "system" else language
        if name == self._name:
            return False
        for translator in self._installed:
            self._app.removeTranslator(translator)
        self._installed.clear()
        self._name, self._missing = name, None
        if name != "en":
            qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
            if not self._install(qt / f"qtbase_{name}.qm"):
                logger.debug("Qt has no translation for %s", name)
            own = self._folder / f"{name}.qm"
            if not self._install(own):
                self._missing = own
        return True

    def _install(self, file: Path) -> bool:
        translator = QTranslator(self._app)
        if not file.is_file() or not translator.load(str(file)):
            return False
        self._app.installTranslator(translator)
        self._installed.append(translator)
        return True


def _system_language() -> str:
    locale = QLocale.system()
    is_simplified = locale.script() == QLocale.Script.SimplifiedHanScript
    return "zh_CN" if locale.language() == QLocale.Language.Chinese and is_simplified else "en"
