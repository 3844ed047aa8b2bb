"""Makes a release of what is checked out: `python -m resources.packaging.release VERSION`.

The version goes into `desktop/__init__.py`, what is unreleased in the changelog under its heading,
the address of the remote `origin` into `pyproject.toml`;
the checks run on exactly that; then it is committed and tagged. Nothing is pushed: the tag that a
person pushes is what makes CI build and publish. Where a step fails, all is as it was.
"""

from __future__ import annotations

import datetime
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TypeAlias

from resources.packaging import bundle_contents, changelog, project

ROOT = Path(__file__).resolve().parents[2]
VERSION_FILE = "desktop/__init__.py"
CHANGELOG_FILE = "CHANGELOG.md"
PROJECT_FILE = "pyproject.toml"
Commands: TypeAlias = tuple[tuple[str, ...], ...]
CHECKS: Commands = (("make", "check"), ("make", "wheel-test"))
"""What CI runs on every change, without the bundle: that is made from the tag."""
MAKE_VARIABLES = ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "VERSION")
_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:rc(\d+))?")


class ReleaseError(Exception):
    """Why there is no release; the text says what to do."""


def main(arguments: list[str]) -> int:
    if len(arguments) != 1 or not arguments[0]:
        sys.stderr.write("usage: make release VERSION=1.2.3\n")
        return 2
    try:
        release(ROOT, arguments[0], datetime.datetime.now(datetime.UTC).date().isoformat())
    except (ReleaseError, changelog.ChangelogError) as error:
        sys.stderr.write(f"no release: {error}\n")
        return 1
    return 0


def release(root: Path, version: str, today: str, checks: Commands = CHECKS) -> None:
    """Commit and tag `version` in the checkout `root`.

    Args:
        root: the folder of the checkout.
        version: as 1.2.3 or 1.2.3rc1.
        today: the date of the release, as 2026-11-22.
        checks: the commands that have to succeed before.

    Raises:
        ReleaseError: the checkout is not what can be released, or a check failed.
        changelog.ChangelogError: the changelog does not say what is released.
    """
    names = (VERSION_FILE, CHANGELOG_FILE, PROJECT_FILE)
    texts = {name: (root / name).read_text(encoding="utf-8") for name in names}
    refuse(root, version, bundle_contents.version(texts[VERSION_FILE]))
    changed = {
        VERSION_FILE: with_version(texts[VERSION_FILE], version),
        CHANGELOG_FILE: changelog.close(texts[CHANGELOG_FILE], version, today),
        PROJECT_FILE: with_address(root, texts[PROJECT_FILE]),
    }
    try:
        write(root, changed)
        for command in checks:
            run(root, command)
    except BaseException:
        write(root, texts)
        raise
    tag(root, version, changed)
    print(f"v{version} is committed and tagged. To publish it: git push --follow-tags")


def refuse(root: Path, version: str, current: str) -> None:
    """Raise `ReleaseError` unless this checkout can become `version`."""
    if order(version) < order(current):
        raise ReleaseError(f"{version} is older than what is here, {current}")
    if changes := git(root, "status", "--porcelain"):
        raise ReleaseError(f"there are changes that are not committed:\n{changes}")
    if git(root, "tag", "--list", f"v{version}"):
        raise ReleaseError(f"there is a tag v{version} already")


def order(version: str) -> tuple[int, int, int, float]:
    """What versions are compared by; a candidate comes before its release."""
    found = _VERSION.fullmatch(version)
    if found is None:
        raise ReleaseError(f"{version!r} is not a version such as 1.2.3 or 1.2.3rc1")
    major, minor, patch, candidate = found.groups()
    return int(major), int(minor), int(patch), float(candidate or "inf")


def with_version(text: str, version: str) -> str:
    """The source of `desktop/__init__.py` with another version."""
    old = bundle_contents.version(text)
    return text.replace(f'__version__ = "{old}"', f'__version__ = "{version}"')


def with_address(root: Path, text: str) -> str:
    """The text of pyproject.toml with the address of the remote `origin`, where it has one."""
    remotes = git(root, "remote").split()
    address = project.web_address(
        git(root, "remote", "get-url", "origin") if "origin" in remotes else ""
    )
    return project.with_repository(text, address) if address else text


def write(root: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (root / name).write_text(text, encoding="utf-8", newline="\n")


def tag(root: Path, version: str, changed: dict[str, str]) -> None:
    """Commit the files if they changed, and tag the commit with what the changelog says of it."""
    git(root, "add", *changed)
    if git(root, "diff", "--cached", "--name-only"):
        git(root, "commit", "--quiet", "--message", f"Release {version}")
    closed = changelog.section(changed[CHANGELOG_FILE], version)
    notes = f"mcp-desktop {version}\n\n{closed.body if closed else ''}\n"
    # Headings begin as comments do: they stay.
    git(root, "tag", "--annotate", f"v{version}", "--cleanup=whitespace", "--message", notes)


def run(root: Path, command: tuple[str, ...]) -> None:
    # Make tells its children what it was asked for: a `make` in here would read VERSION as its own.
    environment = {name: value for name, value in os.environ.items() if name not in MAKE_VARIABLES}
    done = subprocess.run(command, cwd=root, env=environment, check=False)
    if done.returncode:
        raise ReleaseError(f"{' '.join(command)} failed")


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise ReleaseError(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
