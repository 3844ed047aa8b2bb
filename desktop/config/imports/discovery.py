"""Looks where each client keeps its file, and reads what is there. For a thread: it waits on disks.

A file that is not there is nothing; one that cannot be read is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.config.imports.apps import APPS
from desktop.config.imports.links import is_link
from desktop.config.imports.reading import NoServersError, Source, read_address, read_source
from desktop.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.config.imports.apps import App, ClientLocations
    from desktop.config.imports.reading import ReadSource
    from desktop.config.models import AppSettings


@dataclass(frozen=True, slots=True)
class DetectedClient:
    """A file that is there: what was read of it, or why it was not."""

    source: Source
    read: ReadSource | None = None
    error: str = ""

    @property
    def count(self) -> int:
        return len(self.read.servers) if self.read is not None else 0


def discover(places: ClientLocations, settings: AppSettings) -> list[DetectedClient]:
    """Every client's files that are there and have servers, or cannot be read."""
    return [found for app in APPS for found in found_of(app, places, settings)]


def found_of(app: App, places: ClientLocations, settings: AppSettings) -> Iterator[DetectedClient]:
    for path in places.files_of(app):
        if not _is_there(path):
            continue
        source = Source(path, app)
        try:
            yield DetectedClient(source, read_source(source, places, settings))
        except NoServersError:
            continue
        except ConfigError as error:
            yield DetectedClient(source, None, str(error))


def look_at(what: str, places: ClientLocations, settings: AppSettings) -> DetectedClient:
    """What a person handed over: the path of a file, or an install link."""
    source = Source()
    try:
        if is_link(what):
            return DetectedClient(source, read_address(what, places, settings))
        source = Source(Path(what).expanduser().absolute())
        read = read_source(source, places, settings)
        return DetectedClient(read.source, read)
    except (ConfigError, ValueError) as error:  # ValueError: a zero character in the path
        return DetectedClient(source, None, str(error))


def _is_there(path: Path) -> bool:
    """Also where it is a link to nowhere: that is told."""
    try:
        path.lstat()
    except OSError:
        return False
    return True
