"""Reads CHANGELOG.md, and closes its `Unreleased` section.

`python -m resources.packaging.changelog VERSION` prints what changed in a version. The format is
that of Keep a Changelog. Must not know what else a release is made of, see `release`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).resolve().parents[2] / "CHANGELOG.md"
UNRELEASED = "Unreleased"
_HEADING = re.compile(
    r"^## \[(?P<version>[^\]]+)\](?: - (?P<date>\d{4}-\d\d-\d\d))?$", re.MULTILINE
)


class ChangelogError(Exception):
    """The file is not what a release needs; the text says why."""


class Section(NamedTuple):
    """What changed in one version; `date` is empty for what is not released."""

    version: str
    date: str
    body: str

    @property
    def has_changes(self) -> bool:
        """Whether any line is more than a heading."""
        return any(line and not line.startswith("#") for line in self.body.splitlines())


def sections(text: str) -> list[Section]:
    """All of them, the newest first, as they stand."""
    found = list(_HEADING.finditer(text))
    ends = [following.start() for following in found[1:]] + [len(text)]
    return [
        Section(one["version"], one["date"] or "", text[one.end() : end].strip())
        for one, end in zip(found, ends, strict=False)  # no section, and still an end
    ]


def section(text: str, version: str) -> Section | None:
    """The one of `version`, if there is one."""
    return next((one for one in sections(text) if one.version == version), None)


def close(text: str, version: str, date: str) -> str:
    """The text with what is unreleased under `version`, and an empty section above it.

    A version that has its section already stays as it is, as long as nothing newer is unreleased.

    Raises:
        ChangelogError: nothing is unreleased, or the version has been closed before.
    """
    unreleased = section(text, UNRELEASED)
    if unreleased is None:
        raise ChangelogError(f"there is no section [{UNRELEASED}]")
    if section(text, version) is not None:
        if unreleased.has_changes:
            raise ChangelogError(f"[{version}] is closed, yet there are unreleased changes")
        return text
    if not unreleased.has_changes:
        raise ChangelogError(f"nothing is written under [{UNRELEASED}]")
    heading = f"## [{UNRELEASED}]"
    closed = f"## [{version}] - {date}\n\n{_without_empty_headings(unreleased.body)}"
    return text.replace(f"{heading}\n\n{unreleased.body}", f"{heading}\n\n{closed}", 1)


def _without_empty_headings(body: str) -> str:
    parts = re.split(r"^(?=### )", body, flags=re.MULTILINE)
    return "\n\n".join(part.strip() for part in parts if "\n" in part.strip())


def main(arguments: list[str]) -> int:
    found = section(FILE.read_text(encoding="utf-8"), arguments[0]) if len(arguments) == 1 else None
    if found is None:
        sys.stderr.write("usage: python -m resources.packaging.changelog VERSION (of a section)\n")
        return 2
    sys.stdout.write(f"{found.body}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
