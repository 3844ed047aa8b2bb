from __future__ import annotations

from typing import TYPE_CHECKING

from resources.packaging import bundle_links

if TYPE_CHECKING:
    from resources.packaging.bundle_contents import Entry

PLUGINS = "PySide6/Qt/plugins"


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
    assert bundle_links.reachable(everything, lambda entry: needs.get(entry[0], [])) == kept


def test_windows_names_of_libraries_are_the_same_in_capitals() -> None:
    library = ("PySide6\\msvcp140.dll", "/x", "BINARY")
    module = ("PySide6\\QtGui.pyd", "/y", "EXTENSION")
    asked = {module[0]: ["MSVCP140.dll"]}
    found = bundle_links.reachable([module, library], lambda entry: asked.get(entry[0], []))
    assert found == [module, library]


def test_of_a_library_that_is_left_out_nothing_remains() -> None:
    gui = ("PySide6/Qt/lib/libQt6Gui.so.6", "/x", "BINARY")
    quick = "PySide6/Qt/lib/QtQuick.framework"
    framework = ("PySide6/Qt/lib/QtGui.framework/Versions/A/QtGui", "/x", "BINARY")
    kept = [
        ("libQt6Gui.so.6", "PySide6/Qt/lib/libQt6Gui.so.6", "SYMLINK"),
        ("PySide6/Qt/lib/QtGui.framework/Versions/Current", "A", "SYMLINK"),
        ("PySide6/libQt6Gui.so.6", "Qt/lib/../lib/libQt6Gui.so.6", "SYMLINK"),
        ("resources/icons/chat.svg", "/y", "DATA"),
    ]
    gone = [
        ("libQt6Quick.so.6", "PySide6/Qt/lib/libQt6Quick.so.6", "SYMLINK"),
        (f"{quick}/Versions/Current", "A", "SYMLINK"),
        (f"{quick}/Versions/A/Resources/Info.plist", "/z", "DATA"),
    ]
    assert bundle_links.without_remains([*kept, *gone], [gui, framework]) == kept


def test_what_a_file_is_linked_against_is_read_from_readelf() -> None:
    said = (
        " 0x0000000000000001 (NEEDED)             Shared library: [libz.so.1]\n"
        " 0x000000000000000e (SONAME)             Library soname: [libpng16.so.16]\n"
        " 0x0000000000000001 (NEEDED)             Shared library: [libm.so.6]\n"
    )
    assert bundle_links.needed(said) == ["libz.so.1", "libm.so.6"]
