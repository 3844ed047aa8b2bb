"""Makes the bundle of this platform: `python -m resources.packaging.make_bundle TARGET`.

The translations, then PyInstaller (mcp-desktop.spec); on Linux, what the libraries do not need is
cut off; then licences, icons and desktop file; then sizes are printed and archives written, with
the list of what is inside and their checksums beside them.
The Python that runs it is the one in the bundle. It needs an environment with the project and the
dependency group `bundle`: `setup_env.py bundle` makes one. `make bundle` is these two commands;
on Windows, which has no make, they are typed.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from resources.packaging import (
    app_icons,
    app_resources,
    bundle_contents,
    bundle_licences,
    bundle_sizes,
    changelog,
    debian_package,
    icu_data,
    metainfo,
    project,
)

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NAME = "mcp-desktop"
SHARED = {
    f"{NAME}.desktop": f"applications/{NAME}.desktop",
    f"{NAME}.mime.xml": f"mime/packages/{NAME}.xml",
    f"{NAME}.service": f"systemd/user/{NAME}.service",
}
"""What Linux reads: menu entry, types of files, user service; by the file in this folder."""
COMPLETIONS = {
    "bash": f"bash-completion/completions/{NAME}",
    "zsh": f"zsh/vendor-completions/_{NAME}",
    "fish": f"fish/vendor_completions.d/{NAME}.fish",
}
"""Where shells look for what completes a command."""
_MACHINES = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}
"""What people look for, by what the system says."""


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m resources.packaging.make_bundle TARGET\n")
        return 2
    target = Path(arguments[0]).resolve()
    app_resources.compile_translations()
    bundle = build(target)
    if sys.platform.startswith("linux"):
        slim(bundle)
    complete(bundle)
    print(bundle_sizes.table(bundle_sizes.measure(bundle)))
    files = [*pack(bundle, target), write_sbom(bundle, target)]
    for file in [*files, write_checksums(files, target)]:
        print(f"{file.stat().st_size / 1e6:8.1f} MB  {file}")
    return 0


def build(target: Path) -> Path:
    """Run PyInstaller; the folder with the executable."""
    folders = ["--distpath", str(target), "--workpath", str(ROOT / "build/pyinstaller")]
    spec = str(HERE / f"{NAME}.spec")
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm", "--log-level=ERROR"]
    subprocess.run([*command, *folders, spec], check=True, cwd=ROOT)
    return target / NAME


def slim(bundle: Path) -> None:
    """Take symbols off the libraries, and out of ICU what Qt never asks for."""
    for file in bundle.rglob("*.so*"):
        if file.is_file() and not file.is_symlink():
            subprocess.run(["strip", "--strip-unneeded", file], check=True)
    for library in bundle.rglob("libicudata.so.*"):
        if not library.is_symlink():
            icu_data.cut_library(library)


def complete(bundle: Path) -> None:
    """Add what a person looks for beside the executable."""
    shutil.copy(ROOT / "LICENSE", bundle)
    bundle_licences.collect(
        bundle / "licences", system_libraries(bundle), bundle / "_internal" / "PySide6"
    )
    if sys.platform.startswith("linux"):
        shutil.copy(HERE / "install.sh", bundle)
        for source, target in SHARED.items():
            file = bundle / "share" / target
            file.parent.mkdir(parents=True)
            shutil.copy(HERE / source, file)
        app_icons.write_hicolor(bundle / "share/icons/hicolor")
        write_metainfo(bundle / "share/metainfo")
        write_man_page(bundle / "share/man/man1")
        write_completions(bundle / "share")


def system_libraries(bundle: Path) -> list[str]:
    """Names of the shared libraries that lie beside Python's and are the system's."""
    files = (bundle / "_internal").glob("lib*.so*")
    return [file.name for file in files if not file.name.startswith("libpython")]


def write_metainfo(folder: Path) -> None:
    """Describe the app for software centres, under the name that AppStream wants."""
    folder.mkdir(parents=True)
    template = (HERE / f"{NAME}.metainfo.xml").read_text(encoding="utf-8")
    address = project.repository(project.FILE.read_text(encoding="utf-8"))
    text = metainfo.complete(template, known_changes(), address)
    (folder / f"{metainfo.identifier(template)}.metainfo.xml").write_text(text, encoding="utf-8")


def write_man_page(folder: Path) -> None:
    """Write what `man mcp-desktop` shows."""
    from resources.packaging import man_page  # its library is not needed for anything else

    folder.mkdir(parents=True)
    (folder / f"{NAME}.1").write_text(man_page.text(version()), encoding="utf-8")


def write_completions(folder: Path) -> None:
    """Write what makes shells complete the commands and their flags."""
    from desktop.cli.completion import script  # imports every command
    from desktop.cli.output import Console

    for shell, name in COMPLETIONS.items():
        file = folder / name
        file.parent.mkdir(parents=True)
        file.write_text(script(shell, Console()), encoding="utf-8")


def known_changes() -> list[changelog.Section]:
    return changelog.sections(changelog.FILE.read_text(encoding="utf-8"))


def write_sbom(bundle: Path, target: Path) -> Path:
    """List what is inside, beside the archives; returns the file."""
    from resources.packaging import bundle_sbom  # its library is not needed for anything else

    file = target / f"{full_name()}.cdx.json"
    text = bundle_sbom.make(version(), system_libraries(bundle), bundle / "_internal" / "PySide6")
    file.write_text(text, encoding="utf-8")
    return file


def write_checksums(files: list[Path], target: Path) -> Path:
    """Write what `sha256sum --check` reads; returns the file."""
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    made = target / "SHA256SUMS"
    made.write_text("".join(lines), encoding="utf-8", newline="\n")
    return made


def version() -> str:
    return bundle_contents.version((ROOT / "desktop/__init__.py").read_text(encoding="utf-8"))


def full_name(system: str = sys.platform) -> str:
    """What the files of this version for `system` are called, without their endings."""
    machine = platform.machine().lower()
    word = {"win32": "windows", "darwin": "macos"}.get(system, system)
    return f"{NAME}-{version()}-{word}-{_MACHINES.get(machine, machine)}"


def pack(bundle: Path, target: Path, system: str = sys.platform) -> list[Path]:
    """Write the archives of `system`; returns them."""
    full = full_name(system)
    if system == "win32":
        return [Path(shutil.make_archive(str(target / full), "zip", target, bundle.name))]
    archive = target / f"{full}.tar.gz"
    with tarfile.open(archive, "w:gz", compresslevel=6) as tar:
        for source, name in _app(bundle, target) if system == "darwin" else [(bundle, "")]:
            tar.add(source, str(Path(full, name)), filter=_owned_by_root)
    if system == "darwin":
        return [archive]
    if shutil.which("dpkg-deb") is None:
        print("no .deb: dpkg-deb is not here")
        return [archive]
    depends = [f"libc6 (>= {libc_version()})", *debian_package.LIBRARIES]
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    changes = debian_package.debian_changelog(known_changes(), version(), today)
    return [archive, debian_package.make(bundle, target, version(), depends, changes)]


def _app(bundle: Path, target: Path) -> list[tuple[Path, str]]:
    """The app for macOS as PyInstaller signed it, and beside it what would break its seal inside.

    No zip: Python's has no links, of which an app is full.
    """
    inside = (target / f"{NAME}.app", bundle / "LICENSE", bundle / "licences")
    return [(source, source.name) for source in inside]


def libc_version() -> str:
    """Of this machine: a bundle runs on its C library or on a newer one."""
    return os.confstr("CS_GNU_LIBC_VERSION").rpartition(" ")[2]  # type: ignore[union-attr]


def _owned_by_root(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
