"""Decides what is in the bundle and what is not: names alone, so that it can be tested anywhere.

`mcp-desktop.spec` asks it while PyInstaller runs; nothing here builds anything.
"""

from __future__ import annotations

import fnmatch
import re
import sys
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, TypeAlias

from resources.packaging import app_resources

if TYPE_CHECKING:
    from collections.abc import Iterable

Entry: TypeAlias = tuple[str, str, str]
"""A file of the bundle as PyInstaller keeps it: where it goes, where it is, what kind it is."""

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("desktop", "builtin_servers")

EXCLUDED_MODULES = (
    # Of Qt only Core, Gui, Widgets and Svg are imported, on Windows Network, too (for the pipe on
    # which a second start asks for the window); sound is an extra that is not bundled.
    *(() if sys.platform == "win32" else ("PySide6.QtNetwork",)),
    "PySide6.QtDBus",
    "PySide6.QtQml",
    "PySide6.QtMultimedia",
    # Other people's command lines and test suites.
    "mcp.cli",
    "pydantic.mypy",
    "rich",
    "typer",
    "IPython",
    "setuptools",
    "pkg_resources",
    "pytest",
    "hypothesis",
    "tkinter",
    "unittest",
    "doctest",
    "pdb",
    "pydoc_data",
    "ensurepip",
    "idlelib",
    "distutils",
    "curses",
    "readline",
    "xmlrpc",
    "lib2to3",
    "turtledemo",
    # Draws the icons while a bundle is built.
    "PIL",
)
"""Reached by imports that no run of the app comes to."""

KEPT_PLUGINS = (
    "platforms/*qxcb.*",
    "platforms/*qwayland.*",
    "platforms/*qoffscreen.*",
    "platforms/*qwindows.*",
    "platforms/*qcocoa.*",
    "platforminputcontexts/*compose*",
    "platforminputcontexts/*ibus*",
    "imageformats/*qgif.*",
    "imageformats/*qjpeg.*",
    "imageformats/*qwebp.*",
    "imageformats/*qico.*",
    "iconengines/*qsvgicon.*",
    "imageformats/*qsvg.*",
    "styles/*",
    "wayland-shell-integration/*xdg-shell.*",
    "wayland-decoration-client/*bradient.*",
)
"""Plug-ins of Qt by folder and file, on all three platforms; png is built in."""

NEVER = (
    # Software rendering that Qt for Windows brings for QML.
    "opengl32sw.dll",
    "d3dcompiler_*.dll",
    # Part of every Linux with a desktop, and bound to its fonts and to its display; the list is
    # that of AppImage's excludelist.
    "libX11.so.*",
    "libX11-xcb.so.*",
    "libxcb.so.*",
    "libXau.so.*",
    "libXdmcp.so.*",
    "libfontconfig.so.*",
    "libfreetype.so.*",
    "libexpat.so.*",
    "libgpg-error.so.*",
    # Speaks with the daemon of the system, and comes with it.
    "libdbus-1.so.*",
    "libsystemd.so.*",
)
"""Files that stay out, wherever they come from."""
PACKAGE_FILES = ("publicsuffixlist/public_suffix_list.dat",)
"""Files that packages read beside their modules, and that no hook of PyInstaller's knows."""
LAZY = ("httpx2", "keyring")
"""Packages that the app imports inside of functions."""
KEPT_HOOKS = ("pyi_rth_pywintypes", "pyi_rth_pythoncom")
"""Of PyInstaller's: they name a folder of DLLs, without which `import mcp` fails on Windows."""
KEPT_TRANSLATIONS = ("qtbase_zh_CN.qm",)


def modules() -> list[str]:
    """Every module of the project by name: many are imported by name at run time."""
    files = (file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    return sorted(_module(file.relative_to(ROOT)) for file in files)


def lazy_modules() -> list[str]:
    """The packages of this environment that are imported inside of functions."""
    return [name for name in LAZY if _is_there(name)]


def resource_files() -> list[tuple[str, str]]:
    """Source and target folder of the resources that a running app reads."""
    files = app_resources.resource_files(ROOT)
    return [(str(ROOT / file), file.parent.as_posix()) for file in files]


def package_files() -> list[tuple[str, str]]:
    """Source and target folder of the files that modules read beside themselves, ours first."""
    own = sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.json"))
    found = [(str(file), file.parent.relative_to(ROOT).as_posix()) for file in own]
    for file in map(PurePosixPath, PACKAGE_FILES):
        spec = find_spec(file.parts[0])
        if spec is not None and spec.origin is not None:
            source = Path(spec.origin).parents[1] / file
            found.append((str(source), file.parent.as_posix()))
    return found


def is_kept(entry: Entry) -> bool:
    """Whether a file that PyInstaller found belongs into the bundle."""
    target = PurePosixPath(entry[0].replace("\\", "/"))
    name = target.name.lower()  # as Windows compares them; where case counts, these differ in more
    if any(fnmatch.fnmatchcase(name, pattern.lower()) for pattern in NEVER):
        return False
    parts = target.parts
    if "PySide6" not in parts:
        return not _is_ballast(target)
    if "plugins" in parts:
        inside = "/".join(parts[parts.index("plugins") + 1 :])
        return any(fnmatch.fnmatchcase(inside, pattern) for pattern in KEPT_PLUGINS)
    if "translations" in parts:
        return target.name in KEPT_TRANSLATIONS
    return "qml" not in parts


def without_hooks(scripts: Iterable[Entry]) -> list[Entry]:
    """The scripts to run at a start: ours, and `KEPT_HOOKS`.

    PyInstaller's other hooks run in every process, built-in servers and the guardian included. They
    import `inspect`, `pkgutil` and Qt itself, for what nothing here uses: PySide's wheels find
    their plug-ins by themselves.
    """
    return [
        entry for entry in scripts if entry[0] in KEPT_HOOKS or not entry[0].startswith("pyi_rth_")
    ]


def version(text: str) -> str:
    """The version in the source of `desktop/__init__.py`."""
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    if found is None:
        raise ValueError("no __version__")
    return found[1]


def copyright_line(text: str) -> str:
    """Whose it is, from the text of the licence."""
    found = re.search(r"^Copyright .+$", text, re.MULTILINE)
    if found is None:
        raise ValueError("no copyright")
    return found[0]


def _module(file: Path) -> str:
    parts = file.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of the package above it
        return False


def _is_ballast(target: PurePosixPath) -> bool:
    """What packages bring beside their code: type stubs, tests, sources of C."""
    return target.suffix in {".pyi", ".pyx", ".pxd", ".c", ".h"} or "tests" in target.parts
