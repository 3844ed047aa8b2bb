"""Cuts the data of ICU, 31 MB in Qt's libraries for Linux, down to what Qt asks ICU for.

Qt's Core calls four parts of ICU: case mapping (no data), collation, converters of legacy encodings
and names of time zones. Kept are all collation, the converters of Simplified Chinese systems, and
locale data of the languages that the app speaks; ICU falls back to its root for the others.
Format: ICU's `ucmndata.h` (a header, a sorted table of names and offsets, the items).
"""

from __future__ import annotations

import fnmatch
import struct
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

KEPT = (
    "coll/*",
    "*.nrm",
    "*.icu",
    "gb18030.cnv",
    "windows-936-2000.cnv",
    "pool.res",
    "res_index.res",
    "root.res",
    "en.res",
    "en_US.res",
    "zh.res",
    "zh_Hans*.res",
    "currencyNumericCodes.res",
    "icustd.res",
    "icuver.res",
    "keyTypeData.res",
    "likelySubtags.res",
    "metaZones.res",
    "numberingSystems.res",
    "supplementalData.res",
    "timezoneTypes.res",
    "windowsZones.res",
    "zoneinfo64.res",
    "zone/pool.res",
    "zone/res_index.res",
    "zone/root.res",
    "zone/en.res",
    "zone/zh.res",
)
DROPPED = ("unames.icu", "*.cfu", "*.spp")
_ALIGNMENT = 16
_ASSEMBLY = """\
.section .rodata
.globl {symbol}
.type {symbol}, %object
.balign 16
{symbol}: .incbin "{file}"
.size {symbol}, . - {symbol}
.section .note.GNU-stack,"",%progbits
"""


def is_kept(name: str) -> bool:
    """Whether an item stays; `name` is that of the table without the package's own."""
    if any(fnmatch.fnmatchcase(name, pattern) for pattern in DROPPED):
        return False
    return any(_matches(name, pattern) for pattern in KEPT)


def _matches(name: str, pattern: str) -> bool:
    return name.count("/") == pattern.count("/") and fnmatch.fnmatchcase(name, pattern)


def read(package: bytes) -> tuple[bytes, dict[str, bytes]]:
    """The header and the items by their whole names, in the order of the table.

    Raises:
        ValueError: it is no such package.
    """
    if package[12:16] != b"CmnD" or package[2:4] != b"\xda\x27":
        raise ValueError("no package of ICU data")
    (size,) = struct.unpack_from("<H", package)
    (count,) = struct.unpack_from("<I", package, size)
    table = [struct.unpack_from("<II", package, size + 4 + 8 * at) for at in range(count)]
    ends = [start for _, start in table[1:]] + [len(package) - size]
    items: dict[str, bytes] = {}
    for (name_at, start), end in zip(table, ends, strict=True):
        name_end = package.index(b"\0", size + name_at)
        items[package[size + name_at : name_end].decode("ascii")] = package[
            size + start : size + end
        ]
    return package[:size], items


def write(header: bytes, items: Mapping[str, bytes]) -> bytes:
    """A package of these items; ICU looks them up by halving, so their order is that of names."""
    names = sorted(items)
    names_at = 4 + 8 * len(names)
    name_block = b"".join(name.encode("ascii") + b"\0" for name in names)
    table, body = [struct.pack("<I", len(names))], b""
    start = _aligned(names_at + len(name_block))
    parts: list[bytes] = []
    at = start
    for name in names:
        table.append(struct.pack("<II", names_at, at))
        names_at += len(name) + 1
        padded = items[name].ljust(_aligned(len(items[name])), b"\0")
        parts.append(padded)
        at += len(padded)
    body = (b"".join(table) + name_block).ljust(start, b"\0")
    return header + body + b"".join(parts)


def cut(package: bytes, keeps: Callable[[str], bool] = is_kept) -> bytes:
    """`package` with the items that are kept."""
    header, items = read(package)
    return write(
        header, {name: item for name, item in items.items() if keeps(name.partition("/")[2])}
    )


def cut_library(library: Path) -> None:
    """Replace a `libicudata.so` by one with less in it; needs `nm`, `as` and `ld`.

    Raises:
        subprocess.CalledProcessError: one of them failed; the library is as it was.
    """
    symbol, content = _content(library)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "data.bin").write_bytes(cut(content))
        source = _ASSEMBLY.format(symbol=symbol, file=folder / "data.bin")
        (folder / "data.s").write_text(source, encoding="ascii")
        made = folder / library.name
        subprocess.run(["as", "-o", folder / "data.o", folder / "data.s"], check=True)
        shared = ["ld", "-shared", "-z", "noexecstack", "-soname", library.name, "-o", made]
        subprocess.run([*shared, folder / "data.o"], check=True)
        library.write_bytes(made.read_bytes())


def _content(library: Path) -> tuple[str, bytes]:
    """The name of the one symbol that holds the data, and the data."""
    said = subprocess.run(
        ["nm", "-D", "-S", "--defined-only", library], check=True, capture_output=True, text=True
    ).stdout
    rows = [line.split() for line in said.splitlines() if line.endswith("_dat")]
    (_, size, _, symbol), *_ = rows
    whole = library.read_bytes()
    # A header of the package is nowhere else in the file, and begins 12 bytes before its format.
    start = whole.index(b"CmnD") - 12
    return symbol, whole[start : start + int(size, 16)]


def _aligned(size: int) -> int:
    return -(-size // _ALIGNMENT) * _ALIGNMENT
