"""Where the config file, the data and the resources are, on this platform and in the frozen app.

Order for both: the command's flag, the environment (`MCP_DESKTOP_CONFIG`, `MCP_DESKTOP_DATA`), the
platform's folder. Creates nothing by itself.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple  # dataclasses: not before the first paint

_PACKAGE = Path(__file__).parent.parent

APP = "mcp-desktop"
TRUST = "MCP_DESKTOP_TRUST"
"""The variable that says `1` where all of the config may start, for jobs without a terminal."""
WINDOWED = "-window"
"""Ends the name of the executable for Windows that has no console."""


class Paths(NamedTuple):
    """The files of one installation."""

    config: Path
    data: Path
    is_named: bool = False
    """Whether the config was named for this run, on the command line or by a program."""
    is_trusted: bool = False
    """Whether a person said of this run that all of the config may start: `--trust`."""
    agreed: Path | None = None
    """The folder that has what a person agreed to, where that is not `data`."""

    @property
    def is_own_word(self) -> bool:
        """Whether the person named this config, and not the one that the app uses anyway."""
        if not self.is_named:
            return False
        usual = os.environ.get("MCP_DESKTOP_CONFIG") or platform_paths().config
        return os.path.realpath(self.config) != os.path.realpath(usual)

    @property
    def folder(self) -> Path:
        """Where servers run that say no folder: never where somebody happens to type a command."""
        if self.is_own_word:
            return self.config.parent
        home = Path.home()
        return home if home.is_dir() else self.data

    @property
    def logs(self) -> Path:
        return self.data / "logs"

    @property
    def server_logs(self) -> Path:
        return self.logs / "servers"

    @property
    def crashes(self) -> Path:
        return self.data / "crashes"

    @property
    def ledgers(self) -> Path:
        return self.data / "processes"

    @property
    def history(self) -> Path:
        return self.data / "history.sqlite3"

    @property
    def saved_calls(self) -> Path:
        return self.data / "calls"

    @property
    def sessions(self) -> Path:
        return self.data / "sessions"

    @property
    def approvals(self) -> Path:
        return self.data / "approvals.json"

    @property
    def trust(self) -> Path:
        """Which commands of servers a person has agreed to."""
        return (self.agreed or self.data) / "trust.json"

    @property
    def eras(self) -> Path:
        """Which servers are greeted the older way."""
        return self.data / "eras.json"

    @property
    def secret_names(self) -> Path:
        """The names of the secrets in the keyring; the values are there alone."""
        return self.data / "secrets.json"

    @property
    def bundles(self) -> Path:
        """The MCP bundles that were imported, unpacked, each in a folder of its own."""
        return self.data / "bundles"

    @property
    def window_state(self) -> Path:
        return self.data / "window.ini"

    @property
    def window_content(self) -> Path:
        """What the window showed last, to be shown first."""
        return self.data / "window.content.json"


def find_paths(
    config: str | None = None, data: str | None = None, *, is_trusted: bool = False
) -> Paths:
    """Resolve both places; `config` and `data` are what the command line said, if anything."""
    said = bool(config), is_trusted or os.environ.get(TRUST) == "1"
    config = config or os.environ.get("MCP_DESKTOP_CONFIG")
    data = data or os.environ.get("MCP_DESKTOP_DATA")
    if config and data:
        return Paths(
            Path(config).expanduser().absolute(), Path(data).expanduser().absolute(), *said
        )
    usual = platform_paths()
    return Paths(
        Path(config or usual.config).expanduser().absolute(),
        Path(data or usual.data).expanduser().absolute(),
        *said,
    )


def platform_paths() -> Paths:
    """Where both are where nobody says otherwise."""
    from platformdirs import PlatformDirs  # not at import: who is told both places does without

    folders = PlatformDirs(APP, appauthor=False)
    return Paths(folders.user_config_path / "mcp.json", folders.user_data_path)


def current_folder() -> str | None:
    """Where the app was started; None where that was removed."""
    try:
        return os.getcwd()
    except OSError:
        return None


def resources() -> Path:
    """The folder of icons, styles and translations: beside the sources, or inside the package."""
    if getattr(sys, "frozen", False):
        return Path(getattr(sys, "_MEIPASS", Path(sys.executable).parent)) / "resources"
    installed = _PACKAGE / "_resources"
    return installed if installed.is_dir() else _PACKAGE.parent / "resources"


def console_program(executable: str) -> str:
    """The frozen app's executable that can write to a terminal or a pipe: only Windows has two."""
    end = f"{WINDOWED}.exe"
    is_windowed = executable.lower().endswith(f"{APP}{end}")
    return f"{executable[: -len(end)]}.exe" if is_windowed else executable


def builtin_command(name: str) -> tuple[str, list[str]]:
    """Command and arguments that serve the built-in server `name` over stdio, frozen or not."""
    command, *args = _bare_command("builtin", name)
    return command, args


def app_command(*args: str) -> list[str]:
    """What starts the app once more, with `args`, frozen or not."""
    if getattr(sys, "frozen", False):
        return [console_program(sys.executable), *args]
    return [sys.executable, str(_launcher()), *args]


def guardian_command() -> list[str]:
    """What starts the guardian (`desktop.processes.guardian_process`), frozen or not."""
    return _bare_command("guardian")


def program_command(name: str) -> list[str]:
    """What starts a program of a feature (`desktop.features.launch`), frozen or not."""
    return _bare_command("program", name)


def _bare_command(*args: str) -> list[str]:
    """What starts the app with `args` and without site-packages, frozen or not."""
    if getattr(sys, "frozen", False):
        return [console_program(sys.executable), *args]
    return [sys.executable, "-I", "-S", str(_launcher()), *args]


def _launcher() -> Path:
    """The script that needs neither site-packages nor the working directory to find the project."""
    return _PACKAGE / "__main__.py"
