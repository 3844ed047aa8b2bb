"""The very spec file, run for each platform with PyInstaller's classes replaced by recorders."""

from __future__ import annotations

import plistlib
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from PIL import Image

from desktop import __version__
from resources.packaging import app_icons

if TYPE_CHECKING:
    from collections.abc import Callable

    from resources.packaging.bundle_contents import Entry

    Build: TypeAlias = Callable[[str, list[Entry]], "Built"]

SPEC = Path(__file__).parents[2] / "resources/packaging/mcp-desktop.spec"


@dataclass
class Analysis:
    """What PyInstaller found, and what it was asked for."""

    asked: dict[str, Any]
    binaries: list[Entry]
    datas: list[Entry] = field(default_factory=list[tuple[str, str, str]])
    pure: str = "pure"
    scripts: list[Entry] = field(
        default_factory=lambda: [("pyi_rth_x", "/x", "PYSOURCE"), ("launcher", "/y", "PYSOURCE")]
    )


@dataclass
class Made:
    """One call of a class that builds."""

    given: tuple[Any, ...]
    named: dict[str, Any]


@dataclass
class Built:
    """All calls of one run, by the name of the class."""

    calls: dict[str, list[Made]] = field(default_factory=dict[str, list[Made]])
    analysis: Analysis | None = None

    def recorder(self, name: str) -> Callable[..., Made]:
        def record(*given: Any, **named: Any) -> Made:
            made = Made(given, named)
            self.calls.setdefault(name, []).append(made)
            return made

        return record

    @property
    def binaries(self) -> list[str]:
        assert self.analysis is not None
        return [entry[0] for entry in self.analysis.binaries]


@dataclass
class MachO:
    """What macholib reads of any library: two headers, one for each processor."""

    file: str

    @property
    def headers(self) -> list[SimpleNamespace]:
        wanted = SimpleNamespace(minos=0x000E0400)
        commands = [(Load("LC_ID_DYLIB"), None, b""), (Load("LC_BUILD_VERSION"), wanted, b"")]
        return [SimpleNamespace(commands=commands)] * 2


@dataclass
class Load:
    name: str

    def get_cmd_name(self) -> str:
        return self.name


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Runs the spec for a platform, on entries of which each says after a space what it needs."""

    def needed(source: str) -> list[tuple[str, None]]:
        return [(name, None) for name in source.split()[1:]]

    def readelf(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        lines = [f"(NEEDED) [{name}]" for name, _ in needed(command[-1])]
        return subprocess.CompletedProcess(command, 0, "\n".join(lines))

    modules = {
        "PyInstaller": {},
        "PyInstaller.depend": {},
        "PyInstaller.depend.bindepend": {"get_imports": needed},
        "macholib": {},
        "macholib.MachO": {"MachO": MachO},
    }
    for name, members in modules.items():
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
        vars(sys.modules[name]).update(members)
    monkeypatch.setattr(subprocess, "run", readelf)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def run(platform: str, entries: list[Entry]) -> Built:
        built = Built()

        def analyse(scripts: list[str], **asked: Any) -> Analysis:
            built.analysis = Analysis({"scripts": scripts, **asked}, entries)
            return built.analysis

        names = ("PYZ", "EXE", "COLLECT", "BUNDLE")
        space: dict[str, Any] = {name: built.recorder(name) for name in names}
        space |= {"Analysis": analyse, "SPECPATH": str(SPEC.parent), "workpath": str(tmp_path)}
        code = compile(SPEC.read_bytes(), str(SPEC), "exec")
        with monkeypatch.context() as patch:
            patch.setattr(sys, "platform", platform)
            exec(code, space)
        return built

    return run


def entry(name: str, kind: str = "BINARY", needs: str = "") -> Entry:
    return (name, f"/source {needs}", kind)


LINUX = [
    entry("PySide6/QtGui.abi3.so", "EXTENSION", "libQt6Gui.so.6 libX11.so.6"),
    entry("PySide6/Qt/lib/libQt6Gui.so.6"),
    entry("PySide6/Qt/lib/libQt6Quick.so.6"),
    entry("PySide6/Qt/plugins/platforms/libqxcb.so"),
    entry("PySide6/Qt/plugins/platforms/libqvnc.so"),
    entry("libX11.so.6"),
]
WINDOWS = [
    entry("PySide6\\QtGui.pyd", "EXTENSION", "Qt6Gui.dll MSVCP140.dll opengl32sw.dll"),
    entry("PySide6\\Qt6Gui.dll"),
    entry("PySide6\\Qt6Quick.dll"),
    entry("PySide6\\msvcp140.dll"),
    entry("PySide6\\plugins\\platforms\\qwindows.dll"),
    entry("PySide6\\plugins\\platforms\\qdirect2d.dll"),
    entry("PySide6\\opengl32sw.dll"),
    entry("python313.dll"),
]
GUI = "PySide6/Qt/lib/QtGui.framework/Versions/A/QtGui"
MACOS = [
    entry("PySide6/QtGui.abi3.so", "EXTENSION", "@rpath/QtGui.framework/Versions/A/QtGui QtCore"),
    entry(GUI),
    entry(GUI.replace("Gui", "Quick")),
    entry("PySide6/Qt/plugins/platforms/libqcocoa.dylib"),
    entry("PySide6/Qt/plugins/sqldrivers/libqsqlite.dylib"),
    entry(GUI.replace("Gui", "Core")),
    entry("Python"),
]


def test_on_linux_it_builds_one_executable(build: Build) -> None:
    built = build("linux", LINUX)
    (executable,) = built.calls["EXE"]
    assert (executable.named["name"], executable.named["console"]) == ("mcp-desktop", True)
    assert (executable.named["icon"], executable.named["version"]) == (None, None)
    assert executable.given[1] == [("launcher", "/y", "PYSOURCE")]
    assert "BUNDLE" not in built.calls
    assert built.binaries == [LINUX[0][0], LINUX[1][0], LINUX[3][0]]


def test_on_windows_it_builds_one_with_a_console_and_one_without_in_one_folder(
    build: Build,
) -> None:
    built = build("win32", WINDOWS)
    executables = built.calls["EXE"]
    assert [
        (executable.named["name"], executable.named["console"]) for executable in executables
    ] == [
        ("mcp-desktop", True),
        ("mcp-desktop-window", False),
    ]
    (folder,) = built.calls["COLLECT"]
    assert list(folder.given[:2]) == executables
    assert "BUNDLE" not in built.calls
    for executable in executables:
        with Image.open(executable.named["icon"]) as icon:
            assert icon.format == "ICO"
        version = Path(executable.named["version"]).read_text(encoding="utf-8")
        assert f"'OriginalFilename', '{executable.named['name']}.exe'" in version
        assert f"'ProductVersion', '{__version__}'" in version


def test_on_windows_unused_parts_of_qt_are_left_out(build: Build) -> None:
    built = build("win32", WINDOWS)
    left_out = {"PySide6\\Qt6Quick.dll", "PySide6\\opengl32sw.dll", WINDOWS[5][0]}
    assert built.binaries == [one[0] for one in WINDOWS if one[0] not in left_out]


def test_on_macos_it_builds_an_app_that_may_have_a_window(build: Build) -> None:
    built = build("darwin", MACOS)
    (executable,), (bundle,) = built.calls["EXE"], built.calls["BUNDLE"]
    assert executable.named["console"] is False  # else the app would be one of the background
    assert bundle.given == tuple(built.calls["COLLECT"])
    assert bundle.named["name"] == "mcp-desktop.app"
    assert bundle.named["bundle_identifier"] == "io.github.mcp-desktop"
    assert bundle.named["version"] == __version__  # CFBundleShortVersionString
    with Image.open(bundle.named["icon"]) as icon:
        assert icon.format == "ICNS"
        assert icon.size == (max(app_icons.ICNS_SIZES),) * 2
    plist = plistlib.loads(plistlib.dumps(bundle.named["info_plist"]))
    assert plist["LSMinimumSystemVersion"] == "14.4"  # QtCore's
    assert plist["NSHumanReadableCopyright"].startswith("Copyright")


def test_on_macos_unused_parts_of_qt_are_left_out(build: Build) -> None:
    built = build("darwin", MACOS)
    assert built.binaries == [MACOS[at][0] for at in (0, 1, 3, 5, 6)]


@pytest.mark.parametrize("platform", ["linux", "win32", "darwin"])
def test_it_begins_with_the_launcher_and_takes_all_resources(build: Build, platform: str) -> None:
    built = build(platform, MACOS)
    assert built.analysis is not None
    asked = built.analysis.asked
    assert [Path(script).name for script in asked["scripts"]] == ["launcher.py"]
    assert "desktop.app" in asked["hiddenimports"]
    assert "PIL" in asked["excludes"]
    assert any(source.endswith("mcp-desktop.svg") for source, _ in asked["datas"])
