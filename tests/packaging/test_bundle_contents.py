from __future__ import annotations

from pathlib import Path

import pytest

from builtin_servers.catalog import CATALOG
from desktop import __version__
from desktop.cli.commands import COMMANDS, command_module
from resources.packaging import bundle_contents

ROOT = Path(__file__).parents[2]
PLUGINS = "PySide6/Qt/plugins"


def test_all_that_is_imported_by_its_name_is_inside() -> None:
    inside = set(bundle_contents.modules())
    assert {entry.module for entry in CATALOG.values()} <= inside
    assert {command_module(name) for name in COMMANDS} <= inside
    assert {"desktop.app", "desktop.core", "desktop.processes.guardian_process"} <= inside
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
        ("PySide6\\D3Dcompiler_47.dll", False),
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


def test_no_hook_of_pyinstaller_runs_before_a_built_in_server() -> None:
    scripts = [("pyi_rth_pyside6", "/a", "PYSOURCE"), ("launcher", "/b", "PYSOURCE")]
    assert bundle_contents.without_hooks(scripts) == [("launcher", "/b", "PYSOURCE")]


def test_on_windows_the_sdk_finds_the_libraries_that_it_imports() -> None:
    hook = ("pyi_rth_pywintypes", "/a", "PYSOURCE")
    assert bundle_contents.without_hooks([hook]) == [hook]


def test_what_packages_read_is_there_and_inside() -> None:
    *own, suffixes = bundle_contents.package_files()
    assert all(target.startswith("desktop/") and Path(file).is_file() for file, target in own)
    assert suffixes[1] == "publicsuffixlist"
    assert Path(suffixes[0]).stat().st_size > 100_000
    entry = ("publicsuffixlist/public_suffix_list.dat", suffixes[0], "DATA")
    assert bundle_contents.is_kept(entry)


def test_packages_that_are_imported_late_are_inside() -> None:
    assert set(bundle_contents.lazy_modules()) == set(bundle_contents.LAZY)


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
