from __future__ import annotations

import pytest

from desktop import __version__
from resources.packaging import changelog

BEFORE = """\
# Changelog

Words about it.

## [Unreleased]

### Added

- A page.

### Changed

### Fixed

- A fault
  of two lines.

## [0.1.0] - 2026-11-22

### Added

- All of it.
"""
AFTER = """\
# Changelog

Words about it.

## [Unreleased]

## [0.2.0] - 2027-01-02

### Added

- A page.

### Fixed

- A fault
  of two lines.

## [0.1.0] - 2026-11-22

### Added

- All of it.
"""


def test_what_is_unreleased_moves_under_its_version_without_empty_headings() -> None:
    assert changelog.close(BEFORE, "0.2.0", "2027-01-02") == AFTER


def test_a_version_that_has_its_section_is_released_as_it_stands() -> None:
    assert changelog.close(AFTER, "0.2.0", "2027-01-03") == AFTER


def test_nothing_is_released_twice_or_out_of_nothing() -> None:
    with pytest.raises(changelog.ChangelogError, match="yet there are unreleased changes"):
        changelog.close(BEFORE, "0.1.0", "2027-01-02")
    with pytest.raises(changelog.ChangelogError, match="nothing is written"):
        changelog.close(AFTER, "0.3.0", "2027-01-02")
    with pytest.raises(changelog.ChangelogError, match="no section"):
        changelog.close("# Changelog\n", "0.3.0", "2027-01-02")


def test_the_sections_are_read_with_their_dates() -> None:
    found = [(one.version, one.date, one.has_changes) for one in changelog.sections(AFTER)]
    assert found == [
        ("Unreleased", "", False),
        ("0.2.0", "2027-01-02", True),
        ("0.1.0", "2026-11-22", True),
    ]


def test_our_own_file_knows_the_version_of_the_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert changelog.main([__version__]) == 0
    assert "### Servers" in capsys.readouterr().out
    assert changelog.section(changelog.FILE.read_text(encoding="utf-8"), "Unreleased")


def test_a_version_without_a_section_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert changelog.main(["99.0.0"]) == 2
    assert "usage" in capsys.readouterr().err
