"""The resources that a running app reads: icons, the page of apps, and compiled translations.

The one list for wheel, sdist and bundle: what is not named here is in none of them. Imports the
standard library alone, because a build of the wheel runs it before anything is installed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TRANSLATIONS = "resources/translations"
ICONS = "resources/icons"
APPS = "resources/mcp_apps"


class CompilationError(Exception):
    """Qt's compiler of translations did not do its work; the text says what to do."""


def resource_files(root: Path = ROOT) -> list[Path]:
    """All of them, whether compiled already or not; sorted, relative to `root`."""
    icons = [file.relative_to(root) for file in (root / ICONS).rglob("*.svg")]
    pages = [file.relative_to(root) for file in (root / APPS).glob("host.*")]
    return sorted([*icons, *pages, *(made for _, made in _languages(root))])


def outdated(root: Path = ROOT) -> list[tuple[Path, Path]]:
    """Source and target of each translation that is not compiled from its newest source."""
    return [
        (source, made)
        for source, made in _languages(root)
        if not (root / made).exists()
        or (root / made).stat().st_mtime < (root / source).stat().st_mtime
    ]


def compile_translations(root: Path = ROOT) -> None:
    """Compile those that are outdated, with the compiler in PySide6 of the Python that runs this.

    Raises:
        CompilationError: it is not there, does not start, or finds a fault in a source.
    """
    for source, made in outdated(root):
        # Beside its place first: whoever reads it meanwhile never finds half of it.
        half = made.with_name(f"{made.name}.{os.getpid()}")
        code = "from PySide6.scripts.pyside_tool import lrelease; lrelease()"
        command = [sys.executable, "-c", code, "-silent", str(source), "-qm", str(half)]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        if done.returncode:
            (root / half).unlink(missing_ok=True)
            raise CompilationError(
                f"{source} was not compiled. Qt's compiler said:\n{done.stderr or done.stdout}"
                "A library that is missing: on Debian and Ubuntu, "
                "apt-get install libglib2.0-0 libgssapi-krb5-2"
            )
        (root / half).replace(root / made)


def _languages(root: Path) -> list[tuple[Path, Path]]:
    """Source and target of each, relative to `root`; one comes to the window by being there."""
    sources = sorted((root / TRANSLATIONS).glob("*.ts"))
    return [(file.relative_to(root), file.relative_to(root).with_suffix(".qm")) for file in sources]
