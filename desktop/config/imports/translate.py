"""Translates one entry of another client into the words of our own file.

Names a server that has none, or one that cannot be used here. Resolves what clients fill in at a
start: `${userHome}` and its like become what they mean, and `${input:x}` or `${user_config.x}`,
which another client asks a person for, become the environment variable `${X}`; the rest is left for
`warnings` to report. Must not touch the disk. What is wrong with a value is the parser's to say.
"""

from __future__ import annotations

import os
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct, field
from msgspec.structs import replace

from desktop.base.ascii_text import in_ascii
from desktop.base.command_line import split_words
from desktop.base.later_patterns import compile_later
from desktop.config.document import as_object, scalar_text
from desktop.config.imports.inputs import ImportInput
from desktop.config.imports.warnings import ImportWarning
from desktop.config.models import MAX_NAME_LENGTH, check_name
from desktop.config.spellings import (
    foreign_in,
    in_our_variables,
    in_our_words,
    to_fill_in,
)
from desktop.redaction.policy import is_secret_name
from desktop.values.json_schema import list_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from pathlib import Path

    from desktop.config.document import JsonObject
    from desktop.config.imports.clients import App
    from desktop.config.spellings import OurWords

_NOISE = compile_later(
    r"^(mcp[-_]server[-_]|server[-_]|mcp[-_])|([-_]mcp([-_]server)?|[-_]server)$"
)
_SUFFIX = compile_later(r"\.(py|[mc]?js|ts|exe)$")


_VERBS = frozenset({"run", "exec", "dlx", "x", "tool", "start"})
_OPTIONS_WITH_VALUE = frozenset(
    {
        *("-e", "--env", "--env-file", "-v", "--volume", "--mount", "--name", "-p", "--publish"),
        *("--network", "--directory", "--project", "--with", "--from", "--package", "--python"),
        *("--prefix", "--host", "--port", "-w", "--workdir", "--user", "-u", "--platform"),
    }
)
_BRIDGES = frozenset({"mcp-remote", "mcp-proxy", "supergateway"})
_PLAIN = frozenset({"index", "main", "server", "app", "build", "dist", "src", "bin", "out", "lib"})


def suggest_name(entry: JsonObject) -> str:
    """A name from the package or the address, for a server that came without one."""
    written = entry.get("args")
    args = cast("list[object]", written) if isinstance(written, list) else []
    named = _words([str(arg) for arg in args])
    source = next(named, "") or str(entry.get("command") or entry.get("url") or "")
    if source.split("@")[0] in _BRIDGES:
        source = next((word for word in named if "://" in word), source)
    if "://" in source:
        source = source.split("://", 1)[1].split("/")[0].split(":")[0]
    parts = [part for part in re.split(r"[/\\]", source.rstrip("/\\")) if part] or [""]
    shorter = [_shorter(part) for part in reversed(parts)]
    return next((name for name in shorter if name and name not in _PLAIN), "server")


def _words(args: list[str]) -> Iterator[str]:
    """The arguments that may name what is started: no options and their values, no verbs."""
    is_value = False
    for word in args:
        if not is_value and not word.startswith("-") and word not in _VERBS:
            yield word
        is_value = not is_value and word in _OPTIONS_WITH_VALUE


def _shorter(part: str) -> str:
    last = part.split("@")[0].split("=")[0].split(":")[0].split("[")[0]
    return _NOISE.sub("", _SUFFIX.sub("", last)).strip(".:")


def usable_name(name: str) -> str:
    """`name` where it can be used, else the nearest that can."""
    try:
        return check_name(name)
    except ValueError:
        pass
    kept = "".join(
        letter if letter.isprintable() and letter != ":" else "-" for letter in name[:200]
    )
    trimmed = re.sub(r"-{2,}", "-", kept)[:MAX_NAME_LENGTH].strip(" -")
    try:
        return check_name(trimmed)
    except ValueError:
        return "server"


def free_name(name: str, taken: Container[str], origin: str = "") -> str:
    """`name`, or where it is taken `name-origin`, `name-2` ..., within the limit."""
    if name not in taken:
        return name
    tails = [f"-{origin}"] if origin else []
    number = 1
    while True:
        for tail in tails:
            found = f"{name[: MAX_NAME_LENGTH - len(tail)]}{tail}"
            if found not in taken:
                return found
        number += 1
        tails = [f"-{origin}-{number}" if origin else f"-{number}"]


_ASKED = compile_later(r"\$\{(?:input:|user_config\.)([^}]{1,100})\}")
_KNOWN_VARIABLES = compile_later(
    r"\$\{(userHome|workspaceFolder|workspaceFolderBasename|pathSeparator|/|__dirname)\}"
)
_BARE = compile_later(r"(?<![$\w])\$([A-Za-z_][A-Za-z0-9_]{0,100})")
_VALUES = ("command", "args", "env", "cwd", "url", "headers", "oauth")
_MAX_CHOICES = 100
_PROJECT_FOLDERS = frozenset({".vscode", ".cursor", ".roo", ".gemini", ".zed"})


class Variables(Struct):
    """What the file at `file` means by its variables; remembers what a person has to be told."""

    file: Path | None
    home: Path
    inputs: JsonObject = field(default_factory=dict[str, Any])
    """What is asked for, by id: objects with `description`/`title`, `default`."""
    app: App | None = None
    findings: list[ImportWarning] = field(default_factory=list[ImportWarning])
    asked: list[ImportInput] = field(default_factory=list["ImportInput"])
    """The questions that the entry refers to, each once."""

    def fill(self, entry: JsonObject) -> JsonObject:
        """A copy of `entry` with the variables of the other client replaced.

        A relative `cwd` is made absolute: it is meant from the project, or from where the file is.
        """
        filled = {
            key: self._value(key, value) if key in _VALUES else value
            for key, value in entry.items()
        }
        cwd: object = filled.get("cwd")
        base = self._project or (self.file.parent if self.file is not None else None)
        if isinstance(cwd, str) and cwd.startswith(".") and base is not None:
            filled["cwd"] = os.path.normpath(base / cwd)
        return filled

    def in_finding(self, finding: ImportWarning) -> ImportWarning:
        """A finding about a file, with its path as it is meant."""
        if finding.kind != "env_file":
            return finding
        return replace(finding, subject=self._text(finding.place, finding.subject))

    def _value(self, place: str, value: object) -> object:
        if isinstance(value, str):
            return self._text(place, value)
        if isinstance(value, list):
            items = enumerate(cast("list[object]", value))
            parts = [self._parts(f"{place}[{index}]", item) for index, item in items]
            return [item for part in parts for item in part]
        if (texts := as_object(value)) is not None:
            return {
                name: self._text(f"{place}.{name}", text) if isinstance(text, str) else text
                for name, text in texts.items()
            }
        return value

    def _parts(self, place: str, item: object) -> list[object]:
        """An argument; one that stands for a list of folders becomes that many."""
        if not isinstance(item, str):
            return [item]
        if (whole := _ASKED.fullmatch(item)) is not None:
            default: object = (as_object(self.inputs.get(whole[1])) or {}).get("default")
            if isinstance(default, list):
                items = cast("list[object]", default)
                return [
                    self._text(place, item) if isinstance(item, str) else item for item in items
                ]
        return [self._text(place, item)]

    def _text(self, place: str, text: str) -> str:
        if self.app is not None and self.app.bare_variables:
            text = _BARE.sub(r"${\1}", text)
        known = _KNOWN_VARIABLES.sub(self._known, text)
        asked = _ASKED.sub(lambda found: self._ask(place, found[1]), known)
        ours = in_our_variables(asked, is_url=place == "url")
        for foreign in foreign_in(ours):
            self.findings.append(ImportWarning("foreign", place, foreign))
        return self._filled_in(place, ours)

    def _filled_in(self, place: str, text: str) -> str:
        """What a README leaves to the reader is asked for, as an input is."""
        for found in reversed(list(to_fill_in(text))):
            name = (place.partition(".")[2] if found[0] == text else "") or found[0]
            is_path = bool(found["path"])
            self.inputs.setdefault(name, {"password": is_secret_name(name), "is_path": is_path})
            asked = self._ask(place, name, variable_name(name))
            text = text[: found.start()] + asked + text[found.end() :]
        return text

    def _known(self, found: re.Match[str]) -> str:
        project = self._project
        values = {
            "userHome": str(self.home),
            "pathSeparator": os.sep,
            "/": os.sep,
            "workspaceFolder": str(project) if project is not None else None,
            "workspaceFolderBasename": project.name if project is not None else None,
            "__dirname": str(self.file.parent) if self.file is not None else None,
        }
        return values[found[1]] or found[0]

    @property
    def _project(self) -> Path | None:
        """The folder whose settings folder the file is in."""
        if self.file is None or self.file.parent.name not in _PROJECT_FOLDERS:
            return None
        project = self.file.parent.parent
        return project if project != self.home else None

    def _ask(self, place: str, name: str, variable: str = "") -> str:
        asked = as_object(self.inputs.get(name)) or {}
        default = scalar_text(asked.get("default"))
        is_secret = asked.get("password") is True or asked.get("sensitive") is True
        variable = variable or variable_name(name)
        words = asked.get("description") or asked.get("title") or name
        has_default = default and not is_secret and not set(default) & set("${}")
        reference = f"${{{variable}:-{default}}}" if has_default else f"${{{variable}}}"
        choices = tuple(map(str, list_of(asked.get("options"))))[:_MAX_CHOICES]
        question = ImportInput(
            name,
            reference,
            variable,
            str(words)[:200],
            is_secret,
            str(default) if has_default else "",
            choices,
            is_path=asked.get("is_path") is True,
        )
        if question not in self.asked:
            self.asked.append(question)
        if has_default:
            return reference
        self.findings.append(ImportWarning("input", place, variable, str(words)[:200]))
        return reference


def variable_name(text: str) -> str:
    """`text` as environment variables are called: `api-key` is `API_KEY`, in any script."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", in_ascii(text)).strip("_").upper()[:64] or "VALUE"
    return f"_{name}" if name[0].isdigit() else name


def to_ours(entry: JsonObject, app: App | None) -> tuple[JsonObject, list[ImportWarning]]:
    """The entry with our keys, and what of it is told or left out.

    Raises:
        ConfigError: there is nothing in it that another host could start or reach.
    """
    words = in_our_words(
        entry,
        is_foreign=True,
        in_milliseconds=app is not None and app.in_milliseconds,
        url_is_sse=app is not None and app.url_is_sse,
    )
    findings: list[ImportWarning] = []
    if words.env_file:
        findings.append(ImportWarning("env_file", "envFile", words.env_file))
    # No file that came from elsewhere says which folders a server is told of: the person does.
    ours = [
        key for key in ("roots", "sandbox", "limits") if words.fields.pop(key, None) is not None
    ]
    left = [*words.unknown, *ours]
    left += [key for key in words.fields if _is_no_limit(key, entry, words)]
    if left:
        findings.append(ImportWarning("left_out", "", ", ".join(sorted(left)[:20])[:300]))
    kept = {key: value for key, value in words.fields.items() if key not in left}
    if isinstance(line := kept.get("args"), str):
        kept["args"] = _split(line)
    return kept, findings


def _split(line: str) -> list[str] | str:
    """The arguments in one text, as a person may write them; left whole where no quote ends."""
    try:
        return split_words(line)
    except ValueError:
        return line


def _is_no_limit(key: str, entry: JsonObject, words: OurWords) -> bool:
    """Whether a time is zero or less, which means to some clients that there is no limit."""
    name = {"timeout": "timeout", "connectTimeout": "connect_timeout"}.get(key, "")
    value: object = entry.get(words.spelled.get(name, ""))
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool) and value <= 0
