"""The clients whose servers can be taken over, and where each keeps its file on this platform.

A table and the folders it speaks of. Must not read files.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from collections.abc import Mapping


class App(Struct, frozen=True):
    """One client: `key` on a command line, `title` for a person."""

    key: str
    title: str
    files: tuple[str, ...]
    """Templates of paths, the usual one first; see `ClientLocations` for what stands in braces."""
    in_milliseconds: bool = False
    """Whether its time limits are; the others' are seconds."""
    url_is_sse: bool = False
    """Whether an address without a type means SSE."""
    bare_variables: bool = False
    """Whether `$NAME` without braces is a variable too."""


_CODE = "{config}/Code/User"
_STORAGE = f"{_CODE}/globalStorage"
APPS = (
    App("claude-desktop", "Claude Desktop", ("{config}/Claude/claude_desktop_config.json",)),
    App("claude-code", "Claude Code", ("{home}/.claude.json", "{project}/.mcp.json")),
    App("cursor", "Cursor", ("{home}/.cursor/mcp.json", "{project}/.cursor/mcp.json")),
    App(
        "windsurf",
        "Windsurf",
        ("{home}/.codeium/windsurf/mcp_config.json", "{home}/.codeium/mcp_config.json"),
    ),
    App(
        "vscode",
        "VS Code",
        (
            f"{_CODE}/mcp.json",
            "{project}/.vscode/mcp.json",
            f"{_CODE}/settings.json",
            "{config}/Code - Insiders/User/mcp.json",
        ),
    ),
    App(
        "cline",
        "Cline",
        (
            f"{_STORAGE}/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            "{home}/.cline/data/settings/cline_mcp_settings.json",
        ),
    ),
    App(
        "roo",
        "Roo Code",
        (
            f"{_STORAGE}/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
            "{project}/.roo/mcp.json",
        ),
    ),
    App("lm-studio", "LM Studio", ("{home}/.lmstudio/mcp.json",)),
    App(
        "gemini-cli",
        "Gemini CLI",
        ("{home}/.gemini/settings.json", "{project}/.gemini/settings.json"),
        in_milliseconds=True,
        url_is_sse=True,
        bare_variables=True,
    ),
    App(
        "qwen-code",
        "Qwen Code",
        (
            "{home}/.qwen/settings.json",
            "{project}/.qwen/settings.json",
            "{project}/.qwen/settings.local.json",
        ),
        in_milliseconds=True,
        url_is_sse=True,
        bare_variables=True,
    ),
    App(
        "kimi",
        "Kimi CLI",
        ("{kimi}/mcp.json", "{home}/.kimi/mcp.json", "{project}/.kimi-code/mcp.json"),
    ),
    App(
        "trae",
        "Trae",
        (
            "{config}/Trae/User/mcp.json",
            "{config}/Trae CN/User/mcp.json",
            "{project}/.trae/mcp.json",
        ),
    ),
    App("5ire", "5ire", ("{config}/5ire/mcp.json",)),
    App("codex", "Codex", ("{codex}/config.toml",)),
    App("copilot", "Copilot CLI", ("{copilot}/mcp-config.json",)),
    App("goose", "goose", ("{goose}/config.yaml",), bare_variables=True),
    App("zed", "Zed", ("{zed}/settings.json", "{project}/.zed/settings.json")),
    App("librechat", "LibreChat", ("{project}/librechat.yaml",), in_milliseconds=True),
    App("inspector", "MCP Inspector", ("{inspector}",)),
)
"""Sources: each client's documentation, as gathered in reference 6.5 of the design, and of Qwen
Code, Kimi CLI and 5ire of 2026. Cherry Studio and ModelScope keep no file: their lists are pasted.
"""


class ClientLocations(Struct, frozen=True):
    """The folders of one person on one machine."""

    home: Path
    environ: Mapping[str, str]
    platform: str = sys.platform
    project: Path | None = None
    """Where the files of a project are looked for; None: nowhere."""
    bundles: Path | None = None
    """Where bundles are unpacked; None: they are not."""

    @classmethod
    def here(cls, project: Path | None = None, bundles: Path | None = None) -> ClientLocations:
        return cls(Path.home(), os.environ, project=project, bundles=bundles)

    @property
    def config(self) -> Path:
        """Where desktop apps keep their settings."""
        if self.platform == "darwin":
            return self.home / "Library" / "Application Support"
        if self.platform == "win32":
            return Path(self.environ.get("APPDATA") or self.home / "AppData" / "Roaming")
        return self._dot_config

    @property
    def _dot_config(self) -> Path:
        return Path(self.environ.get("XDG_CONFIG_HOME") or self.home / ".config")

    def is_own(self, path: Path) -> bool:
        """Whether this is a file of a client in the person's own folders, not one of a project."""
        return any(path in self.for_person().files_of(app) for app in APPS)

    def for_person(self) -> ClientLocations:
        """The same without the files of a project."""
        return replace(self, project=None)

    def files_of(self, app: App) -> list[Path]:
        """Where the files of `app` would be; none need exist."""
        fitting = (
            file for file in app.files if self.project is not None or "{project}" not in file
        )
        return [self.fill(template) for template in fitting]

    def fill(self, template: str) -> Path:
        """The path that a template of an `App` stands for."""
        return Path(template.format_map(self._names()))

    def _names(self) -> dict[str, object]:
        is_windows = self.platform == "win32"
        get, home = self.environ.get, self.home
        return {
            "home": home,
            "config": self.config,
            "project": self.project,
            "codex": get("CODEX_HOME") or home / ".codex",
            "kimi": get("KIMI_CODE_HOME") or home / ".kimi-code",
            "copilot": get("COPILOT_HOME") or home / ".copilot",
            "zed": self.config / "Zed" if is_windows else self._dot_config / "zed",
            "goose": self.config / "Block/goose/config"
            if is_windows
            else self._dot_config / "goose",
            "inspector": get("MCP_CATALOG_PATH") or home / ".mcp-inspector" / "mcp.json",
        }


def app_named(key: str) -> App | None:
    wanted = key.strip().casefold()
    return next((app for app in APPS if wanted in (app.key, app.title.casefold())), None)


def app_of(file: Path) -> App | None:
    """Whose file this is, by the end of its path, wherever it was copied to."""
    path = file.as_posix()
    for app in APPS:
        for template in app.files:
            end = template.rpartition("}")[2]
            if len(end) > 1 and path.endswith(end) and end not in {"/settings.json", "/mcp.json"}:
                return app
    return next((app for app in APPS if file.name in _OWN_NAMES.get(app.key, ())), None)


_OWN_NAMES = {
    "claude-desktop": {"claude_desktop_config.json"},
    "claude-code": {".claude.json", ".mcp.json"},
    "librechat": {"librechat.yaml"},
}
"""Names of files that no other client has: a copy of one is known wherever it is."""
