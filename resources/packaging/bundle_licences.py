"""Collects the licences of what is in a bundle: Python packages, Python, Qt, system libraries."""

from __future__ import annotations

import re
import shutil
import subprocess
import sysconfig
from email.parser import Parser
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import TYPE_CHECKING

from resources.packaging import qt_parts

if TYPE_CHECKING:
    from collections.abc import Iterable

OWN = Path(__file__).parent / "licences"
"""Texts that a package names without bringing them."""
PAGE = Path(__file__).parents[2] / "docs" / "licences.md"
"""Where the sources of parts are had, and how a part is replaced."""
NOT_INSIDE = {
    "pip",
    "setuptools",
    "wheel",
    "altgraph",
    "argparse-manpage",
    "macholib",
    "packaging",
    "pefile",
    "pillow",
    "pyinstaller-hooks-contrib",
    # Write the list of what is inside.
    "boolean.py",
    "cyclonedx-python-lib",
    "defusedxml",
    "license-expression",
    "packageurl-python",
    "py-serializable",
    "sortedcontainers",
}
"""Distributions that only build."""
_BETTER = {"pyinstaller": "GPL-2.0 with an exception: what its loader starts may have any licence"}
"""Where what a package says of itself in a line is not what holds for a bundle."""
_LICENCE = re.compile(r"(?i)(^|/)(licen[cs]e|copying|notice|copyright)[^/]*$")


def collect(target: Path, libraries: Iterable[str], qt: Path) -> list[str]:
    """Write all texts below `target` and the list of them; returns its lines.

    Args:
        target: a folder that is made.
        libraries: names of the system's shared libraries in the bundle, as `libxcb.so.1`.
        qt: a folder with the bundle's Qt libraries somewhere below.
    """
    target.mkdir(parents=True, exist_ok=True)
    lines = [_collect_one(one, target) for one in inside()]
    lines.append(_collect_python(target))
    lines += _collect_system(target / "system", libraries)
    for text in sorted(OWN.glob("*.txt")):
        shutil.copy(text, target)
    shutil.copy(PAGE, target / "README.md")
    (target / "Qt-notices.txt").write_text(qt_parts.notices(qt), encoding="utf-8")
    (target / "LIST.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return lines


def inside() -> list[Distribution]:
    """The Python packages of this environment that a bundle holds, by name."""
    found = {one.name.lower(): one for one in distributions()}
    return [one for name, one in sorted(found.items()) if name not in NOT_INSIDE]


def _collect_one(distribution: Distribution, target: Path) -> str:
    texts = [
        Path(str(file.locate()))
        for file in distribution.files or ()
        if ".dist-info" in str(file) and _LICENCE.search(str(file).replace("\\", "/"))
    ]
    for text in texts:
        if text.is_file():
            name = f"{distribution.name}-{text.name}"
            shutil.copy(text, target / (name if "." in text.name else f"{name}.txt"))
    licence = licence_of(distribution) or "see its text"
    return f"{distribution.name} {distribution.version}: {licence}"


def licence_of(distribution: Distribution) -> str:
    """What holds for the package in a bundle, in a line; empty where only a text says it."""
    return _BETTER.get(distribution.name) or _own_words(distribution)


def _own_words(distribution: Distribution) -> str:
    fields = Parser().parsestr(distribution.read_text("METADATA") or "", headersonly=True)
    said = str(fields.get("License-Expression") or fields.get("License") or "")
    classified = [
        str(value).rpartition(" :: ")[2]
        for value in fields.get_all("Classifier") or []
        if str(value).startswith("License ::")
    ]
    first = said.strip().partition("\n")[0]
    return first if first and len(first) < 100 else ", ".join(classified)


def _collect_python(target: Path) -> str:
    stdlib = Path(sysconfig.get_path("stdlib"))
    for text in (stdlib / "LICENSE.txt", stdlib.parent.parent / "LICENSE.txt"):
        if text.is_file():
            shutil.copy(text, target / "Python-LICENSE.txt")
    return f"Python {sysconfig.get_python_version()}: PSF-2.0"


def _collect_system(target: Path, libraries: Iterable[str]) -> list[str]:
    """Where a package manager can say whose a library is (Debian): its copyright file."""
    lines: list[str] = []
    for owner, _ in system_packages(libraries):
        text = Path("/usr/share/doc", owner, "copyright")
        if text.is_file():
            target.mkdir(exist_ok=True)
            shutil.copy(text, target / f"{owner}.txt")
            lines.append(f"{owner}: system/{owner}.txt")
    return lines


def system_packages(libraries: Iterable[str]) -> list[tuple[str, str]]:
    """Name and version of the Debian packages of shared libraries; none on other systems."""
    if shutil.which("dpkg-query") is None:
        return []
    owners = sorted({owner for name in libraries if (owner := _owner(name))})
    return [(owner, _version(owner)) for owner in owners]


def _version(package: str) -> str:
    """Of a Debian package; where it is installed for two architectures, of the first."""
    command = ["dpkg-query", "--show", "--showformat=${Version}\n", package]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return said.partition("\n")[0]


def _owner(library: str) -> str:
    """The Debian package of a shared library, without its architecture; empty if of none."""
    said = subprocess.run(
        ["dpkg-query", "--search", f"*/{library}"], capture_output=True, text=True, check=False
    ).stdout
    return said.partition(":")[0].strip() if said else ""
