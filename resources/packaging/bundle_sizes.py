"""Says how large a bundle is and which parts of it are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GOAL = 120_000_000
"""Bytes unpacked."""
_PARTS = (
    ("ICU", ("libicu",)),
    ("Qt libraries", ("PySide6/Qt/lib/",)),
    ("Qt plug-ins and translations", ("PySide6/Qt/",)),
    ("PySide", ("PySide6/", "shiboken6/", "libpyside", "libshiboken")),
    ("Python", ("libpython", "python3", "lib-dynload/", "base_library", "Python")),
    ("executable, with all Python modules", ("mcp-desktop",)),
    ("resources, licences", ("resources/", "licences/", "share/")),
    ("system libraries", ("lib",)),
)
"""The first that has a beginning of the path, or of the name, is where a file belongs."""


def part_of(path: str) -> str:
    """The part that a file belongs to; `path` is relative to the bundle, with slashes."""
    inside = path.removeprefix("_internal/")
    name = inside.rpartition("/")[2]
    for part, beginnings in _PARTS:
        if inside.startswith(beginnings) or (part == "ICU" and name.startswith(beginnings)):
            return part
    return "other Python packages"


def measure(bundle: Path) -> dict[str, int]:
    """Bytes by part, the largest first."""
    sizes: dict[str, int] = {}
    for file in _files(bundle):
        part = part_of(file.relative_to(bundle).as_posix())
        sizes[part] = sizes.get(part, 0) + file.stat().st_size
    return dict(sorted(sizes.items(), key=lambda item: -item[1]))


def table(sizes: dict[str, int]) -> str:
    """The parts, one a line, and their sum."""
    total = sum(sizes.values())
    rows = [*sizes.items(), ("in all", total)]
    lines = [f"{size / 1e6:8.1f} MB  {part}" for part, size in rows]
    verdict = "within" if total <= GOAL else "MORE than"
    return "\n".join([*lines, f"{verdict} the goal of {GOAL / 1e6:.0f} MB"])


def _files(bundle: Path) -> Iterator[Path]:
    return (file for file in bundle.rglob("*") if file.is_file() and not file.is_symlink())
