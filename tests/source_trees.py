"""The sources of the product as text and as syntax trees, read once for all tests of the code.

Must not know what any test asks of them.
"""

from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT: Final = Path(__file__).parent.parent
PRODUCT: Final = ("desktop", "builtin_servers")
FOLDERS: Final = (*PRODUCT, "resources/packaging")


@cache
def texts() -> Mapping[str, str]:
    """Each file of these folders by its path below the root, in the order of the paths."""
    files = sorted(file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))
    return {file.relative_to(ROOT).as_posix(): file.read_text("utf-8") for file in files}


@cache
def trees() -> Mapping[str, ast.Module]:
    """The same files, parsed. They stay until the end, as a million and a half objects.

    So they are set aside: else each full collection of the tests after this one walks through them,
    which takes forty times as long as without.
    """
    gc.collect()  # what is garbage by now is not to stay with them
    found = {file: ast.parse(text) for file, text in texts().items()}
    gc.freeze()
    return found


def product_trees() -> dict[str, ast.Module]:
    """Those of what is installed."""
    return {file: tree for file, tree in trees().items() if file.startswith(PRODUCT)}
