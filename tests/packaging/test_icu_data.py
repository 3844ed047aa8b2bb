from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from resources.packaging import icu_data

HEADER = b"\x20\x00\xda\x27\x14\x00\x00\x00\x00\x00\x02\x00CmnD".ljust(32, b"\0")
ITEMS = {"icudt73l/coll/de.res": b"d" * 17, "icudt73l/root.res": b"r" * 16, "icudt73l/x.brk": b"x"}
COMPARE = """
from PySide6.QtCore import QCollator, QLocale
from functools import cmp_to_key
words = ["zebra", "äpfel", "apfel", "öl", "oz", "a10", "a9", "中", "文", "阿", "ñandú", "ı", "i"]
for name in ("de_DE", "sv_SE", "zh_CN", "ja_JP", "tr_TR", "C"):
    collator = QCollator(QLocale(name))
    collator.setNumericMode(True)
    print(name, sorted(words, key=cmp_to_key(collator.compare)), QLocale(name).toUpper("iıß"))
print([line.split()[-1] for line in open("/proc/self/maps") if "libicudata" in line][0])
"""


def test_a_package_that_was_written_is_read_again() -> None:
    header, items = icu_data.read(icu_data.write(HEADER, ITEMS))
    assert header == HEADER
    assert {name: item.rstrip(b"\0") for name, item in items.items()} == ITEMS
    assert list(items) == sorted(ITEMS)


def test_what_qt_never_asks_for_is_cut_off() -> None:
    _, items = icu_data.read(icu_data.cut(icu_data.write(HEADER, ITEMS)))
    assert list(items) == ["icudt73l/coll/de.res", "icudt73l/root.res"]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("coll/ja.res", True),
        ("zone/zh.res", True),
        ("zh_Hans_CN.res", True),
        ("cnvalias.icu", True),
        ("unames.icu", False),
        ("lang/zh.res", False),
        ("brkitr/cjdict.dict", False),
        ("ibm-1390_P110-2003.cnv", False),
        ("de.res", False),
    ],
)
def test_kept_is_what_collation_zones_and_our_languages_need(name: str, kept: bool) -> None:
    assert icu_data.is_kept(name) is kept


def test_another_file_is_refused() -> None:
    with pytest.raises(ValueError, match="no package"):
        icu_data.read(b"\x7fELF" + bytes(60))


@pytest.mark.skipif(sys.platform != "linux", reason="Qt brings ICU on Linux alone")
@pytest.mark.skipif(not all(map(shutil.which, ("nm", "as", "ld"))), reason="needs binutils")
def test_qt_sorts_with_the_cut_library_as_it_does_with_the_whole(tmp_path: Path) -> None:
    import PySide6

    (whole,) = (Path(PySide6.__file__).parent / "Qt/lib").glob("libicudata.so.*")
    library = Path(shutil.copy(whole, tmp_path))
    icu_data.cut_library(library)
    assert library.stat().st_size < whole.stat().st_size / 5
    *expected, used = sorted_by_qt({})
    *found, used_now = sorted_by_qt({"LD_LIBRARY_PATH": str(tmp_path)})
    assert (used, used_now) == (str(whole.resolve()), str(library))
    assert found == expected


def sorted_by_qt(environment: dict[str, str]) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", COMPARE],
        env={"PYTHONUTF8": "1", **environment},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.splitlines()
