"""Makes a .deb of a bundle with `dpkg-deb` alone: no debhelper, no build of anything."""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
PACKAGE = "mcp-desktop"
# What PyInstaller leaves to the system, because it belongs to its drivers or to its C library.
LIBRARIES = (
    "libdbus-1-3",
    "libegl1",
    "libgl1",
    "libfontconfig1",
    "libfreetype6",
    "libx11-6",
    "libx11-xcb1",
    "libxcb1",
)
_ignored = shutil.ignore_patterns("share", "licences", "LICENSE", "install.sh")
_CONTROL = """\
Package: {package}
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {kilobytes}
Depends: {depends}
Section: utils
Priority: optional
Description: native desktop host for MCP servers
 Toggle servers in a settings panel, test-run their tools from a form, and give
 the same tools to an agent. The terminal command has the same name.
"""


def control(version: str, architecture: str, size: int, depends: list[str]) -> str:
    """The control file; `size` in bytes."""
    return _CONTROL.format(
        package=PACKAGE,
        version=version,
        architecture=architecture,
        maintainer=maintainer(PROJECT.read_text(encoding="utf-8")),
        kilobytes=-(-size // 1024),
        depends=", ".join(depends),
    )


def maintainer(project: str) -> str:
    """Whom to write to, from the text of pyproject.toml."""
    first = tomllib.loads(project)["project"]["maintainers"][0]
    return f"{first['name']} <{first['email']}>"


def lay_out(bundle: Path, root: Path) -> None:
    """Put the files of a bundle where Debian has them, below `root`."""
    app = root / "usr/lib" / PACKAGE
    shutil.copytree(bundle, app, symlinks=True, ignore=_ignored)
    shutil.copytree(bundle / "share", root / "usr/share", dirs_exist_ok=True)
    document = root / "usr/share/doc" / PACKAGE
    shutil.copytree(bundle / "licences", document / "licences")
    shutil.copy(bundle / "LICENSE", document / "copyright")
    command = root / "usr/bin" / PACKAGE
    command.parent.mkdir(parents=True)
    command.symlink_to(f"../lib/{PACKAGE}/{PACKAGE}")


def make(bundle: Path, target: Path, version: str, depends: list[str]) -> Path:
    """Write `target/mcp-desktop_VERSION_ARCH.deb`; returns it.

    Raises:
        subprocess.CalledProcessError: dpkg-deb or dpkg failed.
    """
    said = subprocess.run(
        ["dpkg", "--print-architecture"], check=True, capture_output=True, text=True
    )
    architecture = said.stdout.strip()
    root = target / "deb"
    shutil.rmtree(root, ignore_errors=True)
    lay_out(bundle, root)
    size = sum(file.lstat().st_size for file in root.rglob("*") if file.is_file())
    (root / "DEBIAN").mkdir()
    text = control(version, architecture, size, depends)
    (root / "DEBIAN/control").write_text(text, encoding="utf-8")
    package = target / f"{PACKAGE}_{version}_{architecture}.deb"
    build = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, package]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(root)
    return package
