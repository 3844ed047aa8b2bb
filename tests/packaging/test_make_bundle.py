"""What is done to a folder that PyInstaller made; that it makes one is shown by `make bundle`."""

from __future__ import annotations

import hashlib
import sys
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from desktop import __version__
from resources.packaging import make_bundle

if TYPE_CHECKING:
    from pathlib import Path


def a_folder(target: Path) -> Path:
    bundle = target / "mcp-desktop"
    (bundle / "_internal").mkdir(parents=True)
    (bundle / "mcp-desktop").write_bytes(b"x")
    return bundle


def test_it_wants_to_be_told_where_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert make_bundle.main([]) == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="other archives elsewhere")
def test_a_complete_bundle_is_packed_under_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = a_folder(tmp_path)
    make_bundle.complete(bundle)
    monkeypatch.setenv("PATH", "")  # no dpkg-deb: the .deb has a test of its own
    (archive,) = make_bundle.pack(bundle, tmp_path)
    assert "no .deb" in capsys.readouterr().out
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
        assert {member.uname for member in tar.getmembers()} == {"root"}
    assert f"-{__version__}-linux-" in archive.name
    assert {
        "mcp-desktop",
        "LICENSE",
        "licences/LIST.txt",
        "install.sh",
        "share/applications/mcp-desktop.desktop",
        "share/metainfo/io.github.mcp_desktop.mcp_desktop.metainfo.xml",
        "share/mime/packages/mcp-desktop.xml",
        "share/icons/hicolor/scalable/apps/mcp-desktop.svg",
        "share/icons/hicolor/48x48/apps/mcp-desktop.png",
    } <= names


def test_the_app_for_macos_is_packed_with_its_links_and_nothing_added_inside(
    tmp_path: Path,
) -> None:
    bundle = a_folder(tmp_path)
    make_bundle.complete(bundle)
    framework = tmp_path / "mcp-desktop.app/Contents/Frameworks/QtCore.framework"
    (framework / "Versions/A").mkdir(parents=True)
    (framework / "Versions/A/QtCore").write_bytes(b"x")
    (framework / "QtCore").symlink_to("Versions/A/QtCore")
    (archive,) = make_bundle.pack(bundle, tmp_path, "darwin")
    with tarfile.open(archive) as tar:
        members = {member.name.partition("/")[2]: member for member in tar.getmembers()}
    inside = {name for name in members if name.startswith("mcp-desktop.app/Contents/")}
    assert members["mcp-desktop.app/Contents/Frameworks/QtCore.framework/QtCore"].issym()
    assert all("Frameworks" in name for name in inside)
    assert {"LICENSE", "licences/LIST.txt"} <= members.keys()
    assert archive.name.endswith(".tar.gz")


def test_the_folder_for_windows_is_zipped(tmp_path: Path) -> None:
    (archive,) = make_bundle.pack(a_folder(tmp_path), tmp_path, "win32")
    with zipfile.ZipFile(archive) as archived:
        assert "mcp-desktop/mcp-desktop" in archived.namelist()


def test_the_list_of_what_is_inside_and_the_checksums_lie_beside_the_archives(
    tmp_path: Path,
) -> None:
    bundle = a_folder(tmp_path)
    archive = tmp_path / "archive.tar.gz"
    archive.write_bytes(b"packed")
    listed = make_bundle.write_sbom(bundle, tmp_path)
    sums = make_bundle.write_checksums([archive, listed], tmp_path)

    assert listed.name == f"{make_bundle.full_name()}.cdx.json"
    digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in (archive, listed)]
    assert sums.read_text(encoding="utf-8") == (
        f"{digests[0]}  {archive.name}\n{digests[1]}  {listed.name}\n"
    )


def test_what_python_and_its_packages_bring_is_no_library_of_the_system(tmp_path: Path) -> None:
    bundle = a_folder(tmp_path)
    for name in ("libz.so.1", "libpython3.11.so.1.0", "_cffi_backend.cpython-311.so"):
        (bundle / "_internal" / name).touch()
    assert make_bundle.system_libraries(bundle) == ["libz.so.1"]
