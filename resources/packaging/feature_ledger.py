"""Writes the table of docs/features.md, a line a feature: `make ledger`.

The features are the folders of `desktop/features`. What one is for is the first paragraph of its
docstring, and who needs it the paragraph that begins with "Needed by". Judges nothing.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Final, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PAGE = Path("docs", "features.md")
FEATURES: Final = Path("desktop", "features")
NEEDED_BY: Final = "Needed by "
_HEAD: Final = "| feature | what for | needed by | product | tests |\n|---|---|---|---:|---:|\n"
_CORE: Final = ("(core)", "all of the app that no feature brings", "everybody")
_SERVERS: Final = ("(built-in servers)", "`builtin_servers/`", "people who try a tool, and agents")


class Row(NamedTuple):
    """A feature; its lines are those of its Python files."""

    name: str
    purpose: str
    users: str
    product: int
    tests: int

    def __str__(self) -> str:
        words = f"| {self.name} | {self.purpose} | {self.users} "
        return f"{words}| {self.product:,} | {self.tests:,} |"


def rows(root: Path = ROOT) -> list[Row]:
    """The features by name, then the rest of the app and its servers."""
    folders = sorted(file.parent for file in (root / FEATURES).glob("*/__init__.py"))
    features = [_feature(root, folder) for folder in folders]
    servers = Row(*_SERVERS, _lines(root, "builtin_servers"), _lines(root, "tests/builtin_servers"))
    apart = [*features, servers]
    core = _lines(root, "desktop") - sum(row.product for row in features)
    tests = _lines(root, "tests") - sum(row.tests for row in apart)
    return [*features, Row(*_CORE, core, tests), servers]


def written_rows(page: str) -> list[Row]:
    """Those that a page has."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.splitlines()
        if line.startswith("|")
    ]
    return [
        Row(name, purpose, users, int(product.replace(",", "")), int(tests.replace(",", "")))
        for name, purpose, users, product, tests in cells[2:]
    ]


def with_rows(page: str, table: list[Row]) -> str:
    """`page` with these rows in the place of its own; the text around them stays."""
    lines = page.splitlines(keepends=True)
    places = [number for number, line in enumerate(lines) if line.startswith("|")]
    fresh = _HEAD + "".join(f"{row}\n" for row in table)
    return "".join([*lines[: places[0]], fresh, *lines[places[-1] + 1 :]])


def _feature(root: Path, folder: Path) -> Row:
    text = (folder / "__init__.py").read_text(encoding="utf-8")
    paragraphs = [
        " ".join(paragraph.split())
        for paragraph in (ast.get_docstring(ast.parse(text)) or "").split("\n\n")
    ]
    users = next((each for each in paragraphs if each.startswith(NEEDED_BY)), "")
    return Row(
        folder.name,
        paragraphs[0].rstrip("."),
        users.removeprefix(NEEDED_BY).rstrip("."),
        _lines(root, f"desktop/features/{folder.name}"),
        _lines(root, f"tests/features/{folder.name}"),
    )


def _lines(root: Path, folder: str) -> int:
    files = (root / folder).rglob("*.py")
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


def main() -> int:
    page = ROOT / PAGE
    page.write_text(with_rows(page.read_text(encoding="utf-8"), rows()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
