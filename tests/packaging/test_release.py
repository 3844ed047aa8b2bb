"""Releases of a small repository, with git for real and checks that a test chooses."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from resources.packaging import changelog, project, release

if TYPE_CHECKING:
    from pathlib import Path

TODAY = "2027-01-02"
CHANGES = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A page.\n"
PROJECT = '[tool.mcp-desktop]\nrepository = ""\n'
PASSES = ((sys.executable, "-c", ""),)


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "desktop").mkdir()
    (tmp_path / release.VERSION_FILE).write_text('"""It."""\n\n__version__ = "0.1.0"\n', "utf-8")
    (tmp_path / release.CHANGELOG_FILE).write_text(CHANGES, "utf-8")
    (tmp_path / release.PROJECT_FILE).write_text(PROJECT, "utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "config", "user.name", "somebody")
    git(tmp_path, "config", "user.email", "somebody@localhost")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    return tmp_path


def test_version_and_changelog_are_committed_and_tagged(checkout: Path) -> None:
    release.release(checkout, "0.2.0", TODAY, PASSES)
    text = (checkout / release.CHANGELOG_FILE).read_text("utf-8")
    assert '__version__ = "0.2.0"' in (checkout / release.VERSION_FILE).read_text("utf-8")
    assert f"## [Unreleased]\n\n## [0.2.0] - {TODAY}\n\n### Added" in text
    assert git(checkout, "status", "--porcelain") == ""
    assert git(checkout, "log", "--format=%s", "-1") == "Release 0.2.0"
    assert git(checkout, "rev-list", "-1", "v0.2.0") == git(checkout, "rev-parse", "HEAD")
    assert "### Added\n\n- A page." in git(checkout, "tag", "--list", "--format=%(contents)")


def test_the_project_has_the_address_of_the_remote_from_its_release_on(checkout: Path) -> None:
    git(checkout, "remote", "add", "origin", "git@example.org:team/app.git")
    release.release(checkout, "0.2.0", TODAY, PASSES)
    text = git(checkout, "show", f"v0.2.0:{release.PROJECT_FILE}")
    assert project.repository(text) == "https://example.org/team/app"


def test_the_checks_see_the_release_and_a_failed_one_leaves_all_as_it_was(checkout: Path) -> None:
    look = f"assert '0.2.0' in open('{release.VERSION_FILE}').read(); raise SystemExit(3)"
    with pytest.raises(release.ReleaseError, match="failed"):
        release.release(checkout, "0.2.0", TODAY, ((sys.executable, "-c", look),))
    assert git(checkout, "status", "--porcelain") == ""
    assert git(checkout, "tag") == ""
    assert (checkout / release.CHANGELOG_FILE).read_text("utf-8") == CHANGES


def test_a_version_whose_section_stands_already_is_tagged_where_it_is(checkout: Path) -> None:
    text = changelog.close(CHANGES, "0.1.0", TODAY)
    (checkout / release.CHANGELOG_FILE).write_text(text, "utf-8")
    git(checkout, "commit", "--quiet", "--all", "--message", "Close 0.1.0")
    before = git(checkout, "rev-parse", "HEAD")
    release.release(checkout, "0.1.0", TODAY, PASSES)
    assert git(checkout, "rev-list", "-1", "v0.1.0") == before


@pytest.mark.parametrize("version", ["0.2", "v0.2.0", "0.2.0-beta", "00.2.0", "0.0.9", "0.1.0rc1"])
def test_what_is_no_version_or_an_older_one_is_refused(checkout: Path, version: str) -> None:
    with pytest.raises(release.ReleaseError, match=r"is not a version|is older"):
        release.release(checkout, version, TODAY, PASSES)


def test_changes_that_are_not_committed_are_refused(checkout: Path) -> None:
    (checkout / "new.txt").touch()
    with pytest.raises(release.ReleaseError, match=r"not committed:\n\?\? new\.txt"):
        release.release(checkout, "0.2.0", TODAY, PASSES)


def test_a_tag_is_never_moved(checkout: Path) -> None:
    git(checkout, "tag", "v0.2.0")
    with pytest.raises(release.ReleaseError, match=r"a tag v0\.2\.0 already"):
        release.release(checkout, "0.2.0", TODAY, PASSES)


def test_nothing_unreleased_is_no_release(checkout: Path) -> None:
    release.release(checkout, "0.2.0", TODAY, PASSES)
    with pytest.raises(changelog.ChangelogError, match="nothing is written"):
        release.release(checkout, "0.3.0", TODAY, PASSES)


def test_it_wants_a_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main([""]) == 2
    assert "make release VERSION=" in capsys.readouterr().err
