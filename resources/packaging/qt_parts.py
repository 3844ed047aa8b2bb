"""Says what other people's code is inside the Qt libraries of a bundle, with version and licence.

A part of `qt_parts.toml` is listed if the library that holds it is there, and its version if the
library says it: no list of versions has to be kept. What Qt takes from the system (zlib, FreeType,
libxcb on Linux) is a library of its own, and listed as such by `bundle_licences`.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple


class Part(NamedTuple):
    """One part; `version` is empty where the library does not say it."""

    name: str
    version: str
    licence: str
    copyright: str


_LIBRARIES = {
    "core": r"(lib)?(Qt6?Core)(\.so\.6|\.dll|)",
    "gui": r"(lib)?(Qt6?Gui)(\.so\.6|\.dll|)",
    "svg": r"(lib)?(Qt6?Svg)(\.so\.6|\.dll|)",
    "jpeg": r"(lib)?qjpeg\.(so|dll|dylib)",
    "webp": r"(lib)?qwebp\.(so|dll|dylib)",
    "xcb": r"libQt6XcbQpa\.so\.6",
    "icu": r"libicuuc\.so\.\d+",
}
"""What the file of a library is called on Linux, Windows and macOS."""
_TABLE = Path(__file__).with_suffix(".toml")


def inside(folder: Path) -> list[Part]:
    """The parts inside the Qt libraries anywhere below a folder, in the order of the table."""
    libraries = _libraries(folder)
    return [
        Part(
            one["name"],
            _version(one, libraries[one["library"]]),
            one["licence"],
            "; ".join(one["copyright"]),
        )
        for one in tomllib.loads(_TABLE.read_text(encoding="utf-8"))["part"]
        if one["library"] in libraries
    ]


def notices(folder: Path) -> str:
    """The text for people: each part with its version, licence and copyright."""
    head = "Code of others inside the Qt libraries of this app. Licence texts: inside-qt.txt.\n"
    parts = [
        f"{one.name} {one.version}".strip() + f"\n  {one.licence}\n  Copyright {one.copyright}\n"
        for one in inside(folder)
    ]
    return "\n".join([head, *parts])


def _libraries(folder: Path) -> dict[str, Path]:
    files = [file for file in sorted(folder.rglob("*")) if file.is_file()]
    return {
        library: file
        for library, pattern in _LIBRARIES.items()
        for file in files
        if re.fullmatch(pattern, file.name)
    }


def _version(part: dict[str, Any], library: Path) -> str:
    if part["name"] == "ICU":  # its data is cut, the name of its file stays
        return library.name.rpartition(".")[2]
    if "version" not in part:
        return ""
    found = re.search(part["version"].encode("ascii"), library.read_bytes())
    return found[1].decode("ascii") if found else ""
