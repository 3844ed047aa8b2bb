"""Snapshots that no saved call uses any more: their call was deleted, renamed or expects none now.

Found beside the files of saved calls, and removed only where somebody asked for it. Left alone is
whatever might be somebody else's: links, other files, snapshots of a later version of the app, and
all snapshots of a file that cannot be read.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from desktop.base.translatable import translatable
from desktop.features.saved_calls.saved_call_files import (
    MAX_FILES,
    SUFFIX,
    CallFileError,
    read_calls,
    walk_folders,
)
from desktop.features.saved_calls.snapshots import FOLDER_SUFFIX, is_snapshot, snapshot_path

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path


def find_leftovers(place: Path) -> list[Path]:
    """The snapshots that are left over, by name; at most `MAX_FILES` of a folder are looked at.

    Args: place: a file of saved calls, or a folder that has some.
    """
    if place.is_dir():
        folders = [each for each in walk_folders(place) if each.name.endswith(FOLDER_SUFFIX)]
    else:
        folders = [place.with_name(place.stem + FOLDER_SUFFIX)]
    return sorted(path for folder in folders for path in _left_in(folder))


def remove_leftovers(place: Path, wanted: Collection[Path]) -> list[Path]:
    """Delete those of `wanted` that are still left over, and folders that have nothing then.

    Args: wanted: what somebody has seen and wants to be gone.

    Returns: what was deleted.

    Raises:
        CallFileError: one cannot be deleted; those before it are.
    """
    gone: list[Path] = []
    for path in find_leftovers(place):
        if path not in wanted:
            continue
        try:
            path.unlink()
        except OSError as error:
            raise CallFileError(
                translatable(
                    "{file} cannot be deleted: {why}.", file=path, why=error.strerror or ""
                )
            ) from error
        gone.append(path)
        with suppress(OSError):  # it has other files
            path.parent.rmdir()
    return gone


def _left_in(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        return
    used = _used(folder)
    if used is None:
        return
    for path in _files(folder):
        if path.suffix == SUFFIX and path.name not in used and is_snapshot(path):
            yield path


def _used(folder: Path) -> set[str] | None:
    """The names of the snapshots that calls expect; None where a file of calls cannot be read."""
    stem = folder.name.removesuffix(FOLDER_SUFFIX)
    used: set[str] = set()
    for path in _files(folder.parent):
        if path.stem != stem:
            continue
        try:
            calls = read_calls(path).calls
        except CallFileError:
            if path.suffix.lower() == SUFFIX:
                return None
            continue  # a text beside them
        used |= {snapshot_path(path, each.name).name for each in calls if each.expect.snapshot}
    return used


def _files(folder: Path) -> Iterator[Path]:
    with suppress(OSError), os.scandir(folder) as entries:
        for _, entry in zip(range(10 * MAX_FILES), entries, strict=False):
            if entry.is_file(follow_symlinks=False):
                yield folder / entry.name
