from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from email.utils import parseaddr
from pathlib import Path

import pytest

from resources.packaging import debian_package
from resources.packaging.changelog import Section


def a_bundle(folder: Path) -> Path:
    bundle = folder / "mcp-desktop"
    for name in (
        "mcp-desktop",
        "_internal/libz.so.1",
        "licences/LIST.txt",
        "LICENSE",
        "install.sh",
    ):
        file = bundle / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name, encoding="utf-8")
    applications = bundle / "share/applications"
    applications.mkdir(parents=True)
    source = Path(__file__).parents[2] / "resources/packaging/mcp-desktop.desktop"
    shutil.copy(source, applications)
    return bundle


def test_the_files_are_where_debian_has_them(tmp_path: Path) -> None:
    debian_package.lay_out(a_bundle(tmp_path), tmp_path / "root")
    command = tmp_path / "root/usr/bin/mcp-desktop"
    assert command.resolve() == tmp_path / "root/usr/lib/mcp-desktop/mcp-desktop"
    assert command.exists()
    desktop = tmp_path / "root/usr/share/applications/mcp-desktop.desktop"
    assert "\nExec=mcp-desktop %u\n" in desktop.read_text(encoding="utf-8")
    assert not list((tmp_path / "root").rglob("install.sh"))
    assert (tmp_path / "root/usr/share/doc/mcp-desktop/copyright").is_file()


def test_the_control_file_says_what_is_needed() -> None:
    text = debian_package.control("1.2", "amd64", 1025, ["libc6 (>= 2.36)", "libgl1"])
    assert "Version: 1.2\n" in text
    assert "Installed-Size: 2\n" in text
    assert "Depends: libc6 (>= 2.36), libgl1\n" in text


def test_the_maintainer_is_the_projects_and_can_be_written_to() -> None:
    said = debian_package.control("1.2", "amd64", 1, []).partition("Maintainer: ")[2]
    name, address = parseaddr(said.partition("\n")[0])
    assert name.startswith("mcp-desktop")
    assert re.fullmatch(r"[^@\s]+@[^@\s]+\.[a-z]+", address)


def test_the_package_has_what_debian_wants_of_it(tmp_path: Path) -> None:
    bundle = a_bundle(tmp_path)
    page = bundle / "share/man/man1/mcp-desktop.1"
    page.parent.mkdir(parents=True)
    page.write_text(".TH", encoding="utf-8")
    (bundle / "_internal/libz.so.1").chmod(0o755)
    known = [Section("Unreleased", "", "- New:\n  a `tab`."), Section("1.1", "2026-11-22", "- Old")]
    changes = debian_package.debian_changelog(known, "1.2", "2026-11-27")
    debian_package.lay_out(bundle, tmp_path / "root", changes)
    share = tmp_path / "root/usr/share"
    read = gzip.decompress((share / "doc/mcp-desktop/changelog.gz").read_bytes()).decode()
    assert read.startswith("mcp-desktop (1.2) unstable; urgency=medium\n\n  * New: a tab.\n")
    assert "  Sun, 22 Nov 2026 12:00:00 +0000\n" in read
    assert gzip.decompress((share / "man/man1/mcp-desktop.1.gz").read_bytes()) == b".TH"
    assert not (share / "man/man1/mcp-desktop.1").exists()
    library = tmp_path / "root/usr/lib/mcp-desktop/_internal/libz.so.1"
    assert library.stat().st_mode & 0o777 == 0o644
    assert "License: Expat" in (share / "doc/mcp-desktop/copyright").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg-deb")
def test_dpkg_reads_the_package(tmp_path: Path) -> None:
    package = debian_package.make(a_bundle(tmp_path), tmp_path, "1.2", ["libc6"])
    said = subprocess.run(
        ["dpkg-deb", "--contents", package], capture_output=True, text=True, check=True
    ).stdout
    assert "./usr/bin/mcp-desktop -> ../lib/mcp-desktop/mcp-desktop" in said
    assert not (tmp_path / "deb").exists()
