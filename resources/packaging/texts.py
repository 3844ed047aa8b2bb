"""Takes up the texts of the window and the core into the translations: `make texts`.

A file is sorted by context and source and names no places in the code. So a second run changes
nothing, and two changes seldom meet in a line. Says what is left to translate; translates nothing.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
SOURCES = "desktop"
TRANSLATIONS = ROOT / "resources" / "translations"
LUPDATE = Path(sys.executable).with_name("pyside6-lupdate")
OPTIONS = (
    *("-tr-function-alias", "QT_TR_NOOP+=translatable"),  # how the core marks what is for a person
    *("-locations", "none", "-sort-messages", "-no-obsolete", "-silent"),
    *("-disable-heuristic", "similartext"),  # a text that is nearly the same is another one
)


def take_up(file: Path) -> list[str]:
    """Bring `file` up to the texts of the code; returns those that are not translated.

    Raises:
        CalledProcessError: the texts could not be read; the file is as it was.
    """
    with tempfile.TemporaryDirectory() as folder:
        # Their number is above what a command line of Windows takes.
        listed, fresh = Path(folder, "sources"), Path(folder, file.name)
        names = sorted(path.as_posix() for path in Path(ROOT, SOURCES).rglob("*.py"))
        listed.write_text("\n".join(names), encoding="utf-8")
        shutil.copy(file, fresh)
        command = [str(LUPDATE), f"@{listed}", *OPTIONS, "-ts", str(fresh)]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        if fresh.read_bytes() != file.read_bytes():
            shutil.copy(fresh, file)
    return untranslated(file)


def untranslated(file: Path) -> list[str]:
    """The texts without a translation, or with one that nobody has looked at."""
    messages = ElementTree.parse(file).iter("message")  # noqa: S314 - our own file
    return [
        message.findtext("source", "")
        for message in messages
        if (node := message.find("translation")) is None or not node.text or "type" in node.attrib
    ]


def main() -> int:
    for file in sorted(TRANSLATIONS.glob("*.ts")):
        left = take_up(file)
        print(f"{file.name}: {len(left)} to translate", *left, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
