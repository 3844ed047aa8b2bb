"""The tests near a change are found by its package and by what imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.near import RULES, near

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "tests/config/test_store.py": "from desktop.config.store import Store",
    "tests/config/test_parser.py": "",
    "tests/cli/test_call.py": "from desktop.config import store\nfrom tests.cli.terminal import T",
    "tests/cli/test_tools.py": "import desktop.tools.registry",
    "tests/cli/terminal.py": "from desktop.config.store import Store",
    "tests/features/storage/test_storage.py": "",
    "tests/builtin_servers/test_sqlite.py": "",
    "tests/test_docs.py": "",
    "tests/gui/test_translations.py": "",
    **dict.fromkeys(RULES, ""),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("desktop/config/store.py", ["cli/test_call", "config/test_parser", "config/test_store"]),
        ("desktop/config/imports/gone.py", ["config/test_parser", "config/test_store"]),
        ("desktop/tools/registry.py", ["cli/test_tools"]),
        ("desktop/features/storage/gui/section.py", ["features/storage/test_storage"]),
        ("builtin_servers/files/search.py", ["builtin_servers/test_sqlite"]),
    ],
)
def test_near_a_module_are_its_package_and_what_imports_it(
    changed: str, tests: list[str], root: Path
) -> None:
    assert near([changed], root) == sorted([*(f"tests/{name}.py" for name in tests), *RULES])


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("tests/cli/test_tools.py", ["tests/cli/test_tools.py"]),
        ("tests/cli/terminal.py", ["tests/cli/test_call.py"]),
        ("tests/config/conftest.py", ["tests/config/test_parser.py", "tests/config/test_store.py"]),
        ("tests/cli/test_gone.py", []),
        ("docs/architecture.md", ["tests/test_docs.py"]),
        ("resources/translations/zh_CN.ts", ["tests/gui/test_translations.py"]),
        ("LICENSE", []),
    ],
)
def test_near_another_file_is_what_tests_it(changed: str, tests: list[str], root: Path) -> None:
    assert near([changed], root) == tests
