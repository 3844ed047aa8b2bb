"""The language of the window: installs its translators before there is a widget.

A change counts from the next start, because each widget sets its texts once, when it is made. The
compiled files come with the app (`make translations` in a checkout); without them the window stays
English and the log says so. A module of its own because it runs before the first paint, which needs
nothing of `translations`.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator

from desktop.base.paths import resources

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication

Language: TypeAlias = Literal["system", "en", "zh_CN"]

_MAX_CONFIG: Final = 1_000_000
"""Characters of the config that are looked through."""

logger = logging.getLogger(__name__)


class Translations:
    """Installs the translators of one language, for the whole run."""

    def __init__(
        self, app: QCoreApplication, language: Language = "system", folder: Path | None = None
    ) -> None:
        """Logs nothing yet, see `report_missing`: the window is painted before there is a log.

        Args:
            app: what the translators are installed in.
            language: the language of this run.
            folder: where the compiled files are, if not among the resources.
        """
        self._app = app
        self.name = language_name(language)
        """The language in force, never "system"."""
        self.installed: list[QTranslator] = []
        self._missing: Path | None = None
        if self.name != "en":
            self._install_both(folder or resources() / "translations")

    def report_missing(self) -> None:
        """Log a warning if the language in force has no compiled file and the window is English."""
        if self._missing is not None:
            logger.warning("no translation for %s: %s is missing", self.name, self._missing)

    def _install_both(self, folder: Path) -> None:
        qt = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
        if not self._install(qt / f"qtbase_{self.name}.qm"):
            logger.debug("Qt has no translation for %s", self.name)
        own = folder / f"{self.name}.qm"
        if not self._install(own):
            self._missing = own

    def _install(self, file: Path) -> bool:
        translator = QTranslator(self._app)
        if not file.is_file() or not translator.load(str(file)):
            return False
        self._app.installTranslator(translator)
        self.installed.append(translator)
        return True


def configured_language(config: Path) -> Language:
    """What the config says, for a first run: found in its text, as it is not parsed yet."""
    try:
        with config.open(encoding="utf-8", errors="replace") as file:
            found = re.search(r'"language"\s*:\s*"(en|zh_CN)"', file.read(_MAX_CONFIG))
    except OSError:
        return "system"
    return cast("Language", found[1]) if found is not None else "system"


def language_name(language: Language) -> str:
    """What `language` stands for on this computer: a name as in the names of the files."""
    return _system_language() if language == "system" else language


def _system_language() -> str:
    locale = QLocale.system()
    is_simplified = locale.script() == QLocale.Script.SimplifiedHanScript
    return "zh_CN" if locale.language() == QLocale.Language.Chinese and is_simplified else "en"
