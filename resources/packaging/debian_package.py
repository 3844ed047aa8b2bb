"""Makes a .deb of a bundle with `dpkg-deb` alone: no debhelper, no build of anything.

What it holds beside the bundle is what Debian's policy wants of a package: copyright, changelog
and man page, and the sums of its files.
"""

from __future__ import annotations

import datetime
import gzip
import hashlib
import re
import shutil
import subprocess
from email.utils import format_datetime
from pathlib import Path
from typing import TYPE_CHECKING

from resources.packaging import project

if TYPE_CHECKING:
    from collections.abc import Iterable

    from resources.packaging.changelog import Section

HERE = Path(__file__).resolve().parent
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
Recommends: bubblewrap, xdg-utils
Section: utils
Priority: optional
{homepage}Description: native desktop host for MCP servers
 Toggle servers in a settings panel, test-run their tools from a form, and give
 the same tools to an agent. The terminal command has the same name.
"""


def control(version: str, architecture: str, size: int, depends: list[str]) -> str:
    """The control file; `size` in bytes."""
    said = project.FILE.read_text(encoding="utf-8")
    address = project.repository(said)
    return _CONTROL.format(
        package=PACKAGE,
        version=version,
        architecture=architecture,
        maintainer=project.maintainer(said),
        kilobytes=-(-size // 1024),
        depends=", ".join(depends),
        homepage=f"Homepage: {address}\n" if address else "",
    )


def debian_changelog(sections: Iterable[Section], version: str, today: str) -> str:
    """The changelog as Debian writes it; what has no date yet is `version` of `today`."""
    maintainer = project.maintainer(project.FILE.read_text(encoding="utf-8"))
    entries: list[str] = []
    for one in sections:
        day = datetime.datetime.fromisoformat(f"{one.date or today}T12:00:00+00:00")
        name = one.version if one.date else version
        changes = "\n".join(_changes(one.body)) or "  * See CHANGELOG.md."
        entries.append(
            f"{PACKAGE} ({name}) unstable; urgency=medium\n\n{changes}\n\n"
            f" -- {maintainer}  {format_datetime(day)}\n"
        )
    return "\n".join(entries)


def _changes(body: str) -> list[str]:
    """The items of a section, each a line that is cut at 78 columns."""
    items = re.findall(r"^- (.+(?:\n  .+)*)", body, re.MULTILINE)
    flat = (re.sub(r"\s+", " ", item).replace("`", "") for item in items)
    return [f"  * {item}" if len(item) < 75 else f"  * {item[:73]}…" for item in flat]


def lay_out(bundle: Path, root: Path, changelog: str = "") -> None:
    """Put the files of a bundle where Debian has them, below `root`.

    Args:
        bundle: the folder that was built.
        root: what is `/` in the package.
        changelog: see `debian_changelog`.
    """
    app = root / "usr/lib" / PACKAGE
    shutil.copytree(bundle, app, symlinks=True, ignore=_ignored)
    shutil.copytree(bundle / "share", root / "usr/share", dirs_exist_ok=True)
    document = root / "usr/share/doc" / PACKAGE
    shutil.copytree(bundle / "licences", document / "licences")
    for file in [*app.rglob("*.so*"), *document.rglob("*")]:
        if file.is_file() and not file.is_symlink():
            file.chmod(0o644)  # only what is started is executable
    (document / "copyright").write_text(_copyright(bundle), encoding="utf-8")
    (document / "changelog.gz").write_bytes(_packed(changelog.encode()))
    for page in (root / "usr/share/man").rglob("*.1"):
        page.with_name(f"{page.name}.gz").write_bytes(_packed(page.read_bytes()))
        page.unlink()
    overrides = root / "usr/share/lintian/overrides" / PACKAGE
    overrides.parent.mkdir(parents=True)
    shutil.copy(HERE / "lintian-overrides", overrides)
    command = root / "usr/bin" / PACKAGE
    command.parent.mkdir(parents=True)
    command.symlink_to(f"../lib/{PACKAGE}/{PACKAGE}")


def _packed(text: bytes) -> bytes:
    return gzip.compress(text, 9, mtime=0)  # the same bytes of the same text


def _copyright(bundle: Path) -> str:
    """Debian's copyright file, which a program can read, with the licence itself."""
    licence = (bundle / "LICENSE").read_text(encoding="utf-8")
    holder = re.search(r"^Copyright .*$", licence, re.MULTILINE)
    text = "\n".join(f" {line}" if line else " ." for line in licence.strip().splitlines())
    return (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        f"Upstream-Name: {PACKAGE}\n"
        f"Comment: The licences of the parts are in /usr/share/doc/{PACKAGE}/licences.\n\n"
        f"Files: *\nCopyright: {holder[0].partition(' ')[2] if holder else PACKAGE}\n"
        f"License: Expat\n{text}\n"
    )


def _sums(root: Path) -> str:
    """What `dpkg --verify` reads: a line for each file."""
    files = sorted(file for file in root.rglob("*") if file.is_file() and not file.is_symlink())
    return "".join(
        f"{hashlib.md5(file.read_bytes(), usedforsecurity=False).hexdigest()}  "
        f"{file.relative_to(root).as_posix()}\n"
        for file in files
    )


def make(bundle: Path, target: Path, version: str, depends: list[str], changelog: str = "") -> Path:
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
    lay_out(bundle, root, changelog)
    size = sum(file.lstat().st_size for file in root.rglob("*") if file.is_file())
    sums = _sums(root)
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN/md5sums").write_text(sums, encoding="utf-8")
    text = control(version, architecture, size, depends)
    (root / "DEBIAN/control").write_text(text, encoding="utf-8")
    package = target / f"{PACKAGE}_{version}_{architecture}.deb"
    build = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, package]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(root)
    return package
