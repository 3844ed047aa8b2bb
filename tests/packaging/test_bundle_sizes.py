from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from resources.packaging import bundle_sizes

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("mcp-desktop", "executable, with all Python modules"),
        ("_internal/PySide6/Qt/lib/libicudata.so.73", "ICU"),
        ("_internal/PySide6/Qt/lib/libQt6Gui.so.6", "Qt libraries"),
        ("_internal/PySide6/Qt/plugins/platforms/libqxcb.so", "Qt plug-ins and translations"),
        ("_internal/PySide6/QtGui.abi3.so", "PySide"),
        ("_internal/libpython3.11.so.1.0", "Python"),
        ("_internal/libcrypto.so.3", "system libraries"),
        ("_internal/resources/icons/chat.svg", "resources, licences"),
        ("licences/LIST.txt", "resources, licences"),
        ("_internal/cryptography/_rust.abi3.so", "other Python packages"),
    ],
)
def test_each_file_belongs_to_a_part(path: str, part: str) -> None:
    assert bundle_sizes.part_of(path) == part


def test_the_parts_are_summed_the_largest_first_and_links_cost_nothing(tmp_path: Path) -> None:
    (tmp_path / "_internal").mkdir()
    (tmp_path / "mcp-desktop").write_bytes(b"x" * 10)
    (tmp_path / "_internal/libz.so.1").write_bytes(b"x" * 30)
    (tmp_path / "_internal/libz.so").symlink_to("libz.so.1")
    sizes = bundle_sizes.measure(tmp_path)
    assert list(sizes.items()) == [
        ("system libraries", 30),
        ("executable, with all Python modules", 10),
    ]


def test_the_table_ends_with_the_verdict() -> None:
    assert "within the goal of 120 MB" in bundle_sizes.table({"ICU": 119_999_999})
    said = bundle_sizes.table({"ICU": 100_000_000, "PySide": 20_000_001})
    assert "   120.0 MB  in all\nMORE than the goal" in said
