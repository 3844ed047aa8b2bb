"""Results as they were accepted, each in a file beside its saved call, and what differs from them.

`notes.json` has its snapshots in the folder `notes.snapshots`, one JSON file a call: the structured
content or the output as JSON, the output line by line, media by their size and hash, an error by
its code and words. Secrets are left out, and so is what the call ignores. A file is only read or
written inside that folder: a link is refused. Must not run anything; does not decide when to write.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from msgspec import Struct

from desktop.base.translatable import translatable
from desktop.features.saved_calls.expectations import result_value
from desktop.features.saved_calls.saved_call_files import (
    CallFileError,
    file_stem,
    read_json,
    to_text,
)
from desktop.features.saved_calls.value_paths import MISSING, parse_pattern, replaced
from desktop.history.diff import Part, compare_texts
from desktop.redaction.arguments import redact_arguments
from desktop.redaction.redactor import Redaction
from desktop.values.json_schema import object_of, same_json

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from desktop.features.saved_calls.saved_call import SavedCall, SnapshotOptions
    from desktop.values.tool_types import Content, JsonObject, ToolResult

FORMAT: Final = "mcp-desktop snapshot"
VERSION: Final = 1
FOLDER_SUFFIX: Final = ".snapshots"
IGNORED: Final = "‹ignored›"
MAX_BYTES: Final = 5_000_000
"""Bytes of a snapshot: nobody reviews more, and a repository should not have it."""
_NO_PART: Final = Part(())
Status: TypeAlias = Literal["same", "missing", "differs", "unusable"]


class SnapshotFinding(Struct, frozen=True):
    """How a result compares with its snapshot.

    `document` is what to write to accept the result; None where that is not possible. `words` say
    what is wrong of one that is not the `same`, `part` has the lines that differ.
    """

    path: Path
    status: Status
    document: JsonObject | None = None
    words: str = ""
    part: Part = _NO_PART


def snapshot_path(file: Path, name: str) -> Path:
    """Where the snapshot of the call `name` of a file is, whatever is in the name."""
    stem = file_stem(name)
    if stem != name:  # another name may have the same stem
        stem += f"-{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:6]}"
    return file.with_name(file.stem + FOLDER_SUFFIX) / f"{stem}.json"


def normalized(
    result: ToolResult, options: SnapshotOptions, secrets: Iterable[str] = ()
) -> dict[str, Any]:
    """What a snapshot has of a result.

    Raises:
        RecursionError: it is nested too deeply.
    """
    redaction = Redaction(secrets)
    value = result_value(result)
    found: dict[str, Any] = {}
    if value is not MISSING:
        kind = "structured" if result.structured is not None else "json"
        hidden = redact_arguments({"": value}, {}, redaction.secrets).arguments[""]
        found[kind] = _ignoring(hidden, options)
    if options.text and result.error is None and not _says_the_same(result, value):
        found["text"] = redaction.text(result.output).split("\n")
    media = [_medium(block) for block in result.content if block.data]
    if media:
        found["content"] = media
    if (error := result.error) is not None:
        lines = redaction.text(error.message).split("\n")
        found["error"] = {"code": error.code.value, "message": lines}
    return found


def check_snapshot(
    file: Path, call: SavedCall, result: ToolResult, secrets: Iterable[str] = ()
) -> SnapshotFinding:
    """Compare a result with the snapshot of its call. Reads the disk, bounded; never raises.

    Args:
        file: where the call is.
        call: one that expects a snapshot.
        result: what it answered.
        secrets: what is left out besides what looks like a secret.
    """
    path = snapshot_path(file, call.name)
    options = call.expect.snapshot
    if options is None:
        raise ValueError(f"{call.name} expects no snapshot")
    try:
        new = normalized(result, options, secrets)
        document = {FORMAT: VERSION, "call": call.name, "tool": call.tool, "result": new}
        size = len(to_text(document).encode())
    except (RecursionError, ValueError):
        words = translatable("the result is nested too deeply to be kept")
        return SnapshotFinding(path, "unusable", words=words)
    if size > MAX_BYTES:
        words = translatable(
            "the result is too large for a snapshot ({size} MB); ignore parts of it",
            size=f"{size / 1e6:.1f}",
        )
        return SnapshotFinding(path, "unusable", words=words)
    try:
        old = _read(path)
    except FileNotFoundError:
        part = compare_texts("", as_text(new))
        words = translatable("there is no snapshot of it yet")
        return SnapshotFinding(path, "missing", document, words, part)
    except _OtherVersionError as error:
        return SnapshotFinding(path, "unusable", words=str(error))
    except (OSError, CallFileError) as error:
        is_ours = not path.is_symlink() and not path.parent.is_symlink()
        return SnapshotFinding(path, "unusable", document if is_ours else None, str(error))
    return _compared(path, document, _ignoring_old(old, options), new)


def is_snapshot(path: Path) -> bool:
    """Whether a file is one of this version of the app, and no link. Reads it, bounded."""
    try:
        _read(path)
    except (OSError, CallFileError, _OtherVersionError):
        return False
    return True


def write_snapshot(finding: SnapshotFinding) -> None:
    """Accept the new result. Raises `CallFileError`."""
    from desktop.base.atomic_file import write_file
    from desktop.base.damaged_files import set_aside
    from desktop.base.errors import ConfigError

    if finding.document is None:
        raise CallFileError(f"{finding.path}: {finding.words}")
    _refuse_links(finding.path)
    try:
        if finding.status == "unusable":
            set_aside(finding.path)
        write_file(finding.path, to_text(finding.document).encode())
    except ConfigError as error:
        raise CallFileError(str(error.args[0]), remedy=error.remedy) from error
    except OSError as error:
        raise CallFileError(f"{finding.path}: {error.strerror or error}") from error


class _OtherVersionError(Exception):
    """A file that a later version of the app wrote: it is not ours to replace."""


def _compared(
    path: Path, document: JsonObject, old: JsonObject, new: JsonObject
) -> SnapshotFinding:
    if same_json(old, new):
        return SnapshotFinding(path, "same", document)
    words = translatable("the result is not as in its snapshot")
    part = compare_texts(as_text(old), as_text(new))
    return SnapshotFinding(path, "differs", document, words, part)


def _read(path: Path) -> JsonObject:
    _refuse_links(path)
    if not path.exists():
        raise FileNotFoundError(path)
    whole = read_json(path, MAX_BYTES)
    version = object_of(whole).get(FORMAT)
    if type(version) is int and version > VERSION:
        raise _OtherVersionError(
            translatable(
                "{file} has format {version}, this version reads {ours}: use a newer version",
                file=path,
                version=version,
                ours=VERSION,
            )
        )
    result: Any = object_of(whole).get("result")
    if version != VERSION or not isinstance(result, dict):
        raise CallFileError(
            translatable("{file} is no snapshot: restore it, or accept the result anew.", file=path)
        )
    return cast("JsonObject", result)


def _refuse_links(path: Path) -> None:
    for each in (path.parent, path):
        if each.is_symlink():
            raise CallFileError(
                translatable(
                    "{file} is a link; snapshots are not read or written through one.", file=each
                )
            )


def _ignoring(value: Any, options: SnapshotOptions) -> Any:
    return replaced(value, map(parse_pattern, options.ignore), IGNORED)


def _ignoring_old(old: JsonObject, options: SnapshotOptions) -> JsonObject:
    """The stored result as this call wants it: it may ignore more by now than when it was kept."""
    changed = dict(old)
    for kind in ("structured", "json"):
        if kind in changed:
            changed[kind] = _ignoring(changed[kind], options)
    if not options.text:
        changed.pop("text", None)
    return changed


def _says_the_same(result: ToolResult, value: Any) -> bool:
    """Whether the output is no more than the value: many servers send it as text, too."""
    if value is MISSING or result.structured is None:
        return value is not MISSING
    if not result.output:
        return True
    from msgspec.structs import replace

    spoken = result_value(replace(result, structured=None))
    return spoken is not MISSING and same_json(spoken, value)


def _medium(block: Content) -> dict[str, Any]:
    return {**block.to_json(), "sha256": hashlib.sha256(block.data).hexdigest()}


def as_text(result: JsonObject) -> str:
    """What `normalized` found, as it is compared line by line."""
    return json.dumps(result, ensure_ascii=False, indent=2, sort_keys=True) if result else ""


def shown_path(path: Path) -> str:
    """A path as a person types it, from where they are if it is below."""
    try:
        return os.path.relpath(path) if path.is_relative_to(path.cwd()) else str(path)
    except (OSError, ValueError):
        return str(path)
