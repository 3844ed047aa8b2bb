"""The JSON tab of the server dialog: a text field, and below it what was understood of the text.

Accepts what READMEs print: one server or several, wrapped, bare, or without a name. The formats
themselves are known by `desktop.config.parser`. Must not store anything.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit

from desktop.base.errors import ConfigError
from desktop.base.translatable import translatable
from desktop.config.document import Document, JsonObject, as_object, parse, render
from desktop.config.editor import put_server
from desktop.config.imports.file_formats import find_written
from desktop.config.imports.translate import free_name, suggest_name
from desktop.config.parser import Remarks, read_servers
from desktop.gui.layouts import in_column
from desktop.gui.servers import labels
from desktop.gui.servers.form_fields import split_command_line
from desktop.gui.theme import Role, style
from desktop.gui.translations import spoken
from desktop.gui.widgets.labels import ElidedLabel
from desktop.values.json_schema import dump_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.config.models import AppSettings, ServerConfig
    from desktop.config.parser import Problems, Servers
    from desktop.config.store import ConfigStore
    from desktop.gui.theme import Theme
    from desktop.values.tool_types import JsonPath

_FENCE = re.compile(r"^\s*```\w*\s*\n(.*?)\n?\s*```\s*$", re.DOTALL | re.MULTILINE)
_PASTE_EXAMPLE = '{"mcpServers": {"name": {"command": "...", "args": [...]}}}'


def read_pasted(text: str, settings: AppSettings) -> tuple[Servers, Problems, Remarks]:
    """The servers in `text`, what is wrong with which of them, and what of them is odd.

    Raises:
        ConfigError: it is not JSON, or no server is in it.
    """
    document = _parse(text)
    entries: JsonObject = {}
    doubled: dict[JsonPath, tuple[int, ...]] = {}
    for found in find_written(document.data):
        name = free_name(found.name, entries)
        entries[name] = found.entry
        if lines := document.duplicates.get(found.path):
            doubled["mcpServers", name] = lines
    if not entries:
        raise ConfigError(
            translatable("This JSON contains no server"),
            remedy=translatable("Example: {example}.", example=_PASTE_EXAMPLE),
        )
    remarks: Remarks = {}
    whole = Document({"mcpServers": entries}, duplicates=doubled)
    return *read_servers(whole, settings, remarks=remarks), remarks


def written_json(
    config: ServerConfig, settings: AppSettings, old: ServerConfig | None, entry: object
) -> str:
    """`config` as it would stand in the file; `entry` is how `old` stands there now."""
    name = old.name if old is not None else config.name
    data: JsonObject = {"mcpServers": {name: entry} if as_object(entry) is not None else {}}
    put_server(data, name, old if as_object(entry) is not None else None, config, settings)
    return render(data)


def entry_json(name: str, entry: object) -> str:
    """An entry as it stands in the file, right or wrong."""
    return render({"mcpServers": {name: entry}})


def pasted_json(text: str) -> str:
    """What was copied as JSON of servers: JSON as it is, a command line or an address as an entry.

    Empty where it is none of them.
    """
    stripped = text.strip()
    if len(stripped) > MAX_PASTED:
        return ""
    if (words := _COMMAND_OF_CLIENT.match(stripped)) is not None:
        return _added_by_client(stripped, is_json=words[1] != "add")
    if "{" in stripped or stripped.startswith('"'):
        return stripped
    entry: JsonObject = {}
    if re.fullmatch(r"https?://\S+", stripped):
        entry = {"url": stripped}
    elif "\n" not in stripped and (line := split_command_line(stripped)) is not None:
        entry = {"command": line.command, "args": list(line.args)}
        if line.env:
            entry["env"] = line.env
    return entry_json(suggest_name(entry), entry) if entry else ""


_COMMAND_OF_CLIENT = re.compile(r"(?:\$ )?\S+ mcp (add(?:-json)?)\s")
_OPTIONS_WITH_VALUE = {
    **dict.fromkeys(("-e", "--env"), "env"),
    **dict.fromkeys(("-H", "--header"), "headers"),
    **dict.fromkeys(("-t", "--transport"), "type"),
    **dict.fromkeys(("-s", "--scope"), ""),
    "--url": "url",
    "--bearer-token-env-var": "bearer_token_env_var",
}


def _put_option(entry: JsonObject, key: str, value: str) -> None:
    if key in {"env", "headers"}:
        name, _, rest = value.partition("=" if key == "env" else ":")
        entry.setdefault(key, {})[name.strip()] = rest.strip()
    elif key:
        entry[key] = value


def _added_by_client(text: str, *, is_json: bool) -> str:
    """The server of `claude mcp add NAME -- COMMAND`, as Claude Code, Codex and Gemini take it."""
    try:
        words = shlex.split(text.removeprefix("$ ").replace("\\\n", " "))[3:]
    except ValueError:
        return ""
    entry: JsonObject = {}
    given: list[str] = []
    while words and words[0] != "--" and (len(given) < 2 or words[0].startswith("http")):
        word = words.pop(0)
        option, equals, value = word.partition("=")
        if option in _OPTIONS_WITH_VALUE:
            value = value if equals else (words.pop(0) if words else "")
            _put_option(entry, _OPTIONS_WITH_VALUE[option], value)
        elif not word.startswith("-"):
            given.append(word)
    name, *more = given or [""]
    command = [*more, *(words[1:] if words[:1] == ["--"] else words)]
    if is_json and command:
        return f'{{"mcpServers": {{{dump_json(name)}: {command[0]}}}}}'
    if command and command[0].startswith(("http://", "https://")):
        entry["url"] = command[0]
    elif command:
        entry |= {"command": command[0], "args": command[1:]}
    return entry_json(name, entry) if name and entry else ""


def _parse(text: str) -> Document:
    if (fenced := _FENCE.search(text)) is not None:
        text = fenced[1]
    if text.lstrip().startswith('"'):
        text = f"{{{text.rstrip().rstrip(',')}}}"
    try:
        return parse(text.encode(errors="replace"), translatable("The text"))
    except ConfigError as error:
        message = str(error.args[0])
        raise ConfigError(message, line=error.line, column=error.column) from None


MAX_PASTED = 1_000_000
"""Characters of what was copied; more is no configuration."""
_PAUSE_MS = 150
_MAX_SHOWN = 8
_EXAMPLE = """{
  "mcpServers": {
    "everything": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-everything"]
    }
  }
}"""


class JsonForm(QFrame):
    """The text, and one line a server: ready, or why not."""

    changed = Signal()

    def __init__(self, theme: Theme, store: ConfigStore, refuse: Callable[[str], str]) -> None:
        """Args: refuse: why a server cannot have this name; empty when it can."""
        super().__init__()
        self._store, self._refuse = store, refuse
        self._lines: list[QLabel] = []
        self.is_dirty = False
        self.text = QPlainTextEdit()
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setPlaceholderText(_EXAMPLE)
        self.text.setFont(theme.mono_font())
        style(self.text, "mono")
        self._hint = QLabel(
            self.tr("Paste the JSON from a README: one or several servers, of any client.")
        )
        self._hint.setWordWrap(True)
        style(self._hint, "muted", "small")
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self.check)
        self.text.textChanged.connect(self._typed)
        self._column = in_column(self, self._hint, (self.text, 1), margins=(5, 4, 5, 4))
        self.text.setAccessibleName(self.tr("JSON of one or several servers"))

    @property
    def messages(self) -> tuple[str, ...]:
        return tuple(line.accessibleName() or line.text() for line in self._lines)

    def show_text(self, text: str) -> None:
        """Replace the text by what the program made; it does not count as typed."""
        self.text.setPlainText(text)
        self.is_dirty = False
        self.check()

    def servers(self) -> Servers:
        """The servers to add.

        Raises:
            ConfigError: something in the text is wrong; nothing of it is to be added.
        """
        servers, problems, _ = read_pasted(self.text.toPlainText(), self._store.settings)
        for problem in problems.values():
            raise problem
        for name in servers:
            if reason := self._refuse(name):
                raise ConfigError(reason)
        return servers

    def check(self) -> None:
        """Say what was understood."""
        self._timer.stop()
        for line in self._lines:
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        self._lines = []
        text = self.text.toPlainText()
        is_right = True
        if text.strip():
            is_right = self._tell(text)
        style(self.text, "mono", *(() if is_right else ("invalid",)))

    def _typed(self) -> None:
        self.is_dirty = True
        self._timer.start()
        self.changed.emit()

    def _tell(self, text: str) -> bool:
        try:
            servers, problems, remarks = read_pasted(text, self._store.settings)
        except ConfigError as error:
            self._add(spoken(str(error)), "danger")
            return False
        self._tell_servers(servers)
        self._tell_problems(problems)
        for name, said in list(remarks.items())[:_MAX_SHOWN]:
            for remark in said:
                self._add(f"{name}: {spoken(remark)}", "warning")
        return not problems

    def _tell_servers(self, servers: Servers) -> None:
        for config in list(servers.values())[:_MAX_SHOWN]:
            reason = self._refuse(config.name)
            self._add(reason or _line(config), "danger" if reason else "success")
        if len(servers) > _MAX_SHOWN:
            more = self.tr("and {count} more").format(count=len(servers) - _MAX_SHOWN)
            self._add(more, "muted")

    def _tell_problems(self, problems: Problems) -> None:
        for problem in list(problems.values())[:_MAX_SHOWN]:
            self._add(spoken(str(problem)), "danger")

    def _add(self, text: str, tone: Role) -> None:
        if tone == "success":
            label: QLabel = ElidedLabel()
            assert isinstance(label, ElidedLabel)  # noqa: S101 - for the type checker
            label.show_text(text)
        else:
            label = QLabel(text)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        style(label, tone, "small")
        self._lines.append(label)
        self._column.addWidget(label)


def _line(config: ServerConfig) -> str:
    transport = labels.transport_label(config.transport)
    return f"✓ {config.name}  ·  {transport}  ·  {labels.target_label(config)}"
