"""Reads the servers of other clients' files and links, each with what a person should know of it.

Also looks where each client keeps its file: a file that does not exist is skipped, one that cannot
be read is reported. Waits on disks, so it is for a thread. Must not know the servers that exist
already (see `plan`).
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from desktop.base.errors import ConfigError
from desktop.base.translatable import join_list, translatable
from desktop.config.document import Document, as_object
from desktop.config.imports.bundles import MANIFEST, SUFFIXES, Bundle, find_bundle
from desktop.config.imports.clients import APPS, app_of
from desktop.config.imports.dangers import dangers_of
from desktop.config.imports.file_formats import MAX_SERVERS, find_written, read_document
from desktop.config.imports.packages import is_link, read_link
from desktop.config.imports.pasted import read_text
from desktop.config.imports.translate import Variables, to_ours, usable_name
from desktop.config.imports.warnings import ImportWarning, findings_of
from desktop.config.parser import read_server, unknown_keys
from desktop.config.secrets import machine_secrets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.config.imports.clients import App, ClientLocations
    from desktop.config.imports.file_formats import FoundEntry
    from desktop.config.imports.inputs import ImportInput
    from desktop.config.models import AppSettings, ServerConfig


class NoServersError(ConfigError):
    """The file was read, and has no server in it."""


class Source(Struct, frozen=True):
    """Where servers come from: a file of a client, any file, or (`path` None) a link."""

    path: Path | None = None
    app: App | None = None

    @property
    def label(self) -> str:
        """Short, for a list: the client's or the file's name."""
        if self.app is not None:
            return self.app.title
        return self.path.name if self.path is not None else "mcp-desktop://"


class ReadServer(Struct, frozen=True):
    """One server of a source: `config`, switched off, or why there is none."""

    name: str
    config: ServerConfig | None
    error: ConfigError | None = None
    scope: str = ""
    findings: tuple[ImportWarning, ...] = ()
    inputs: tuple[ImportInput, ...] = ()
    """What the other client would ask a person for."""
    remarks: tuple[str, ...] = ()
    """What is odd about its keys."""


class ReadSource(Struct, frozen=True):
    """A source and all its servers; `notices` are about the file as a whole."""

    source: Source
    servers: tuple[ReadServer, ...] = ()
    notices: tuple[str, ...] = field(default=())
    bundle: Bundle | None = None
    """What has to be unpacked before the servers can be started."""
    is_own: bool = False
    """Whether the person's own client has the file; else anybody may have written it."""
    secrets: frozenset[str] = frozenset()
    """What this machine knows as secrets; not shown even where it stands in a source."""


def read_source(source: Source, places: ClientLocations, settings: AppSettings) -> ReadSource:
    """Raises `ConfigError`: the file cannot be read as a whole, or no server is in it."""
    if source.path is None:
        raise ConfigError(translatable("A link cannot be read as a file"))
    document = read_document(source.path)
    if source.app is None:
        source = replace(source, app=app_of(source.path))
    return _Reader(places, settings).read(source, document)


def read_address(text: str, places: ClientLocations, settings: AppSettings) -> ReadSource:
    """The servers in an install link; raises `ConfigError`."""
    return _Reader(places, settings).read(Source(), read_link(text))


def read_pasted(text: str, places: ClientLocations, settings: AppSettings) -> ReadSource:
    """The servers in what a person pasted or typed; raises `ConfigError`."""
    found = read_text(text)
    if isinstance(found, Document):
        return _Reader(places, settings).read(Source(), found)
    return read_source(Source(found), places, settings)


class _Reader(Struct, frozen=True):
    """Reads for one person; `settings` give the time limits that an entry does not."""

    places: ClientLocations
    settings: AppSettings

    def read(self, source: Source, document: Document) -> ReadSource:
        written = list(islice(find_written(document.data), MAX_SERVERS + 1))
        if not written:
            raise NoServersError(
                translatable("No MCP servers found in {what}", what=source.path or "the text")
            )
        notices: list[str] = []
        if len(written) > MAX_SERVERS:
            notices.append(
                translatable("Only the first {most} servers are read.", most=MAX_SERVERS)
            )
        notices += _repeated_keys(document, written)
        bundle = self._bundle(source, written[0])
        servers = [
            self._read_entry(found, source, document, bundle) for found in written[:MAX_SERVERS]
        ]
        secrets = machine_secrets(self.places.environ)
        is_own = self._is_own(source)
        return ReadSource(source, tuple(servers), tuple(notices), bundle, is_own, secrets)

    def _is_own(self, source: Source) -> bool:
        return source.path is not None and self.places.is_own(source.path)

    def _bundle(self, source: Source, found: FoundEntry) -> Bundle | None:
        """The bundle that a server is packed in, if it can be unpacked."""
        if source.path is None or not _is_packed(found, source):
            return None
        if self.places.bundles is None:
            return None
        return find_bundle(source.path, self.places.bundles, found.name)

    def _read_entry(
        self, found: FoundEntry, source: Source, document: Document, bundle: Bundle | None
    ) -> ReadServer:
        name = usable_name(found.name)
        findings = [ImportWarning("renamed", "", name)] if name != found.name else []
        try:
            _refuse_doubled(found, document)
            config, told, inputs = self._config(name, found, source, bundle)
        except ConfigError as error:
            return ReadServer(found.name, None, error, found.scope, tuple(findings))
        remarks = unknown_keys(found.entry)
        findings += told
        return ReadServer(found.name, config, None, found.scope, tuple(findings), inputs, remarks)

    def _config(
        self, name: str, found: FoundEntry, source: Source, bundle: Bundle | None
    ) -> tuple[ServerConfig, list[ImportWarning], tuple[ImportInput, ...]]:
        if (entry := as_object(found.entry)) is None:
            raise ConfigError(translatable("Must be an object that describes one server"))
        if bundle is None and source.path is not None and _is_packed(found, source):
            raise _still_packed(source.path)
        file = bundle.folder / MANIFEST if bundle is not None else source.path
        variables = Variables(file, self.places.home, found.inputs, source.app)
        ours, told = to_ours(entry, source.app)
        config = read_server(name, variables.fill(ours), self.settings)
        told = [variables.in_finding(one) for one in told]
        config = config.changed(catalogue={})  # who wrote this may say anything of where it is from
        if source.path is None and "assertionFile" in config.oauth:
            # A link names no file of this computer to be sent away.
            kept = {key: text for key, text in config.oauth.items() if key != "assertionFile"}
            config = config.changed(oauth=kept)
            told = [*told, ImportWarning("left_out", "", "oauth.assertionFile")]
        asked = {finding.subject for finding in variables.findings}
        seen = [
            finding
            for finding in findings_of(config, self.places.environ)
            if (finding.kind != "unset" or finding.subject not in asked)
            and not (bundle is not None and finding.kind == "missing")  # it comes with the bundle
        ]
        unset = [
            finding for finding in variables.findings if finding.subject not in self.places.environ
        ]
        dangers = list(dict.fromkeys(dangers_of(config)))
        if self._is_own(source):
            # Its variables are given to it by the other client already.
            dangers = [danger for danger in dangers if danger.kind != "gives"]
        else:
            dangers.insert(0, ImportWarning("stranger"))
        return config, [*dangers, *dict.fromkeys(unset), *seen, *told], tuple(variables.asked)


_MAX_REPEATED = 20


def _repeated_keys(document: Document, written: list[FoundEntry]) -> list[str]:
    """What is said of keys that stand twice: what stood under the first of them is lost."""
    told = {found.path for found in written}
    return [
        translatable(
            '"{key}" stands twice in the file (lines {lines}): only what is under the last one '
            "is read",
            key=path[-1],
            lines=join_list(map(str, lines)),
        )
        for path, lines in islice(document.duplicates.items(), _MAX_REPEATED)
        if path not in told
    ]


def _refuse_doubled(found: FoundEntry, document: Document) -> None:
    if found.path in document.duplicates:
        raise ConfigError(translatable("Appears twice in the file"))


def _is_packed(found: FoundEntry, source: Source) -> bool:
    """Whether the server is a file inside of the bundle that was read."""
    is_bundle = source.path is not None and source.path.suffix.lower() in SUFFIXES
    return is_bundle and "${__dirname}" in repr(found.entry)


def _still_packed(file: Path) -> ConfigError:
    return ConfigError(
        translatable("Its files are inside the bundle."),
        remedy=translatable(
            "Unpack {name} (a zip) into a folder, and import the manifest.json there.",
            name=file.name,
        ),
    )


class DetectedClient(Struct, frozen=True):
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
