from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from builtin_servers.catalog import CATALOG
from desktop import __version__
from desktop.cli.names import COMMANDS, module_of
from resources.packaging import bundle_contents

if TYPE_CHECKING:
    from resources.packaging.bundle_contents import Entry

ROOT = Path(__file__).parents[2]
PLUGINS = "PySide6/Qt/plugins"


def test_all_that_is_imported_by_its_name_is_inside() -> None:
    inside = set(bundle_contents.modules())
    assert {entry.module for entry in CATALOG.values()} <= inside
    assert {module_of(name) for name in COMMANDS} <= inside
    assert {"desktop.app", "desktop.core", "desktop.processes.guardian_program"} <= inside
    assert not any(name.startswith(("tests", "resources")) for name in inside)


def test_the_resources_are_those_of_a_running_app() -> None:
    targets = {(Path(source).name, target) for source, target in bundle_contents.resource_files()}
    assert ("chat.svg", "resources/icons") in targets
    assert ("switch-on.svg", "resources/icons/dark") in targets
    assert ("mcp-desktop.svg", "resources/icons/app") in targets
    assert ("zh_CN.qm", "resources/translations") in targets
    assert not any(name.endswith((".ts", ".png", ".py")) for name, _ in targets)


@pytest.mark.parametrize(
    ("target", "kept"),
    [
        (f"{PLUGINS}/platforms/libqxcb.so", True),
        (f"{PLUGINS}/platforms/libqoffscreen.so", True),
        ("PySide6\\plugins\\platforms\\qwindows.dll", True),
        (f"{PLUGINS}/platforms/libqcocoa.dylib", True),
        (f"{PLUGINS}/platforms/libqvnc.so", False),
        (f"{PLUGINS}/platformthemes/libqgtk3.so", False),
        (f"{PLUGINS}/sqldrivers/libqsqlite.so", False),
        (f"{PLUGINS}/imageformats/libqwebp.so", True),
        (f"{PLUGINS}/imageformats/libqpdf.so", False),
        ("PySide6/Qt/translations/qtbase_zh_CN.qm", True),
        ("PySide6/Qt/translations/qtbase_de.qm", False),
        ("PySide6/Qt/qml/QtQuick/libqtquick2plugin.so", False),
        ("libX11.so.6", False),
        ("libxcb-cursor.so.0", True),
        ("pydantic_core/_pydantic_core.pyi", False),
        ("jsonschema/tests/fuzz.py", False),
        ("certifi/cacert.pem", True),
    ],
)
def test_unused_parts_of_qt_are_left_out(target: str, kept: bool) -> None:
    assert bundle_contents.is_kept((target, "/source", "BINARY")) is kept


def test_libraries_that_only_left_out_plug_ins_need_are_left_out() -> None:
    def library(name: str) -> Entry:
        return (name, f"/lib/{name}", "BINARY")

    plugin = (f"{PLUGINS}/platforms/libqxcb.so", "/x", "BINARY")
    module = ("PySide6/QtGui.abi3.so", "/y", "EXTENSION")
    link = ("libQt6Gui.so.6", "PySide6/Qt/lib/libQt6Gui.so.6", "SYMLINK")
    real = ("PySide6/Qt/lib/libQt6Gui.so.6", "/z", "BINARY")
    needs = {plugin[0]: ["libxcb.so.1"], module[0]: ["libQt6Gui.so.6"], "libxcb.so.1": ["libm.so"]}
    kept = [plugin, module, link, real, library("libxcb.so.1"), library("libpython3.11.so.1.0")]
    everything = [*kept, library("libgtk-3.so.0")]
    assert bundle_contents.reachable(everything, lambda entry: needs.get(entry[0], [])) == kept


def test_windows_names_of_libraries_are_the_same_in_capitals() -> None:
    library = ("PySide6\\msvcp140.dll", "/x", "BINARY")
    module = ("PySide6\\QtGui.pyd", "/y", "EXTENSION")
    asked = {module[0]: ["MSVCP140.dll"]}
    found = bundle_contents.reachable([module, library], lambda entry: asked.get(entry[0], []))
    assert found == [module, library]
    assert not bundle_contents.is_kept(("PySide6\\D3Dcompiler_47.dll", "/z", "BINARY"))


def test_what_a_file_is_linked_against_is_read_from_readelf() -> None:
    said = (
        " 0x0000000000000001 (NEEDED)             Shared library: [libz.so.1]\n"
        " 0x000000000000000e (SONAME)             Library soname: [libpng16.so.16]\n"
        " 0x0000000000000001 (NEEDED)             Shared library: [libm.so.6]\n"
    )
    assert bundle_contents.needed(said) == ["libz.so.1", "libm.so.6"]


def test_no_hook_of_pyinstaller_runs_before_a_built_in_server() -> None:
    scripts = [("pyi_rth_pyside6", "/a", "PYSOURCE"), ("launcher", "/b", "PYSOURCE")]
    assert bundle_contents.without_hooks(scripts) == [("launcher", "/b", "PYSOURCE")]


def test_optional_packages_are_inside_where_they_are_there() -> None:
    assert set(bundle_contents.provider_modules()) <= set(bundle_contents.PROVIDERS)


def test_the_version_is_that_of_the_source() -> None:
    text = (ROOT / "desktop/__init__.py").read_text(encoding="utf-8")
    assert bundle_contents.version(text) == __version__
    with pytest.raises(ValueError, match="__version__"):
        bundle_contents.version("")


def test_the_copyright_is_that_of_the_licence() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert bundle_contents.copyright_line(text).startswith("Copyright (c) 20")
    with pytest.raises(ValueError, match="copyright"):
        bundle_contents.copyright_line("")
