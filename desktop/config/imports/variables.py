"""What other clients fill into a server's values when they start it: resolved, or made ours.

`${userHome}` and its like become what they mean; `${input:x}` and `${user_config.x}`, which another
client asks a person for, become the environment variable `${X}`. Whatever is left is found by
`findings`. Pure; must not look at the disk.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from desktop.config.document import as_object, scalar_text
from desktop.config.imports.findings import ImportWarning

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.config.document import JsonObject

_ASKED = re.compile(r"\$\{(?:input:|user_config\.)([^}]{1,100})\}")
_KNOWN_VARIABLES = re.compile(
    r"\$\{(userHome|workspaceFolder|workspaceFolderBasename|pathSeparator|/|__dirname)\}"
)
_VALUES = ("command", "args", "env", "cwd", "url", "headers", "envFile")
_PROJECT_FOLDERS = frozenset({".vscode", ".cursor", ".roo", ".gemini", ".zed"})


@dataclass(slots=True)
class Variables:
    """What the file at `file` means by its variables; remembers what a person has to be told."""

    file: Path | None
    home: Path
    inputs: JsonObject = field(default_factory=dict[str, Any])
    """What is asked for, by id: objects with `description`/`title`, `default`."""
    findings: list[ImportWarning] = field(default_factory=list[ImportWarning])

    def fill(self, entry: JsonObject) -> JsonObject:
        """A copy of `entry` with the variables of the other client replaced."""
        return {
            key: self._value(key, value) if key in _VALUES else value
            for key, value in entry.items()
        }

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
                return [self._text(place, one) if isinstance(one, str) else one for one in items]
        return [self._text(place, item)]

    def _text(self, place: str, text: str) -> str:
        known = _KNOWN_VARIABLES.sub(self._known, text)
        return _ASKED.sub(lambda found: self._ask(place, found[1]), known)

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

    def _ask(self, place: str, name: str) -> str:
        asked = as_object(self.inputs.get(name)) or {}
        default = scalar_text(asked.get("default"))
        is_secret = asked.get("password") is True or asked.get("sensitive") is True
        variable = variable_name(name)
        if default and not is_secret and not set(default) & set("${}"):
            return f"${{{variable}:-{default}}}"
        words = asked.get("description") or asked.get("title") or name
        self.findings.append(ImportWarning("input", place, variable, str(words)[:200]))
        return f"${{{variable}}}"


def variable_name(text: str) -> str:
    """`text` as environment variables are called: `api-key` is `API_KEY`."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_").upper()[:64] or "VALUE"
    return f"_{name}" if name[0].isdigit() else name
