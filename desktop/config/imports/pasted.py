"""Understands what a person pastes or types to add a server, as a document of servers.

A command line, an address, a package, the command or link with which another client adds one, or
JSON, TOML and YAML, with prose around it. What the document says is read as that of a file is
(`reader`). Looks nothing up on the net; of the disk only whether a file that is named is there.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from desktop.base.command_line import split_words
from desktop.base.errors import ConfigError
from desktop.base.file_url import is_file_url, path_of
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.config.document import Document, parse
from desktop.config.imports import bundles
from desktop.config.imports.file_formats import read_toml
from desktop.config.imports.packages import is_link, read_link
from desktop.config.imports.translate import suggest_name
from desktop.config.yaml_text import yaml_document

if TYPE_CHECKING:
    from desktop.config.document import JsonObject

MAX_PASTED: Final = 1_000_000
"""Characters of what was copied; more is no configuration."""
_FENCE: Final = compile_later(
    r"^[ \t]*```[^\n]*\n(.*?)\n?[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE
)
_PROMPT: Final = compile_later(r"^\s*(?:PS [^>\n]*>|[$>%])\s+")
_ASSIGNMENT: Final = compile_later(r"[A-Za-z_][A-Za-z0-9_]*=")
_TABLE: Final = compile_later(r"^\s*\[\[?[\w.\"' -]+\]\]?\s*(?:#.*)?$", re.MULTILINE)
_YAML_KEY: Final = compile_later(r"^\s*(?:- )?[\w.\"'@/-]+:(?:\s|$)", re.MULTILINE)
_SUFFIXES: Final = frozenset({".json", ".jsonc", ".toml", ".yaml", ".yml", *bundles.SUFFIXES})
_EXAMPLE: Final = "npx -y @modelcontextprotocol/server-everything"


def read_text(text: str) -> Document | Path:
    """The servers in `text`, as a file would have them; or the file that it names.

    Raises:
        ConfigError: no server is in it, or what looks like one is written wrongly.
    """
    if len(text) > MAX_PASTED:
        raise ConfigError(translatable("The text is too long for the entry of a server"))
    blocks = [found[1] for found in _FENCE.finditer(text)]
    if not blocks:
        return _read(text.strip())
    errors: list[ConfigError] = []
    for block in blocks:
        try:
            return _read(block.strip())
        except ConfigError as error:
            errors.append(error)
    raise errors[0]


def _read(text: str) -> Document | Path:
    if "\n" not in text:
        if is_link(text):
            return read_link(text)
        if (path := _file(text)) is not None:
            return path
    if _is_json(text):
        return _json(text)
    if (found := _by_command(text)) is not None:
        return found
    if _TABLE.search(text):
        return Document(read_toml(text))
    if "\n" in text and len(_YAML_KEY.findall(text)) > 1:
        return yaml_document(text.encode(errors="replace"))
    if "{" in text and "}" in text:  # prose around it
        return _json(text[text.index("{") : text.rindex("}") + 1])
    raise ConfigError(
        translatable("No server was recognized in this text"),
        remedy=translatable("Example: {example}", example=_EXAMPLE),
    )


def _is_json(text: str) -> bool:
    return text.startswith(("{", "[{", "[\n", "[ ", "//", "/*")) or (
        text.startswith('"') and re.match(r'"[^"\n]*"\s*:', text) is not None
    )


def _json(text: str) -> Document:
    if text.startswith('"'):
        text = f"{{{text.rstrip(',')}}}"
    elif text.startswith("["):
        text = f'{{"mcpServers": {text}}}'
    try:
        return parse(text.encode(errors="replace"), translatable("The text"))
    except ConfigError as error:  # what is to be done about a file does not help here
        message = str(error.args[0])
        raise ConfigError(message, line=error.line, column=error.column) from None


def _by_command(text: str) -> Document | None:
    """What each line of a shell starts or adds; None where the text is no such lines."""
    servers: dict[str, object] = {}
    env: dict[str, str] = {}
    cwd = ""
    for line in (lines := _lines(text)):
        words = _words(line)
        if words is None or (len(lines) > 1 and not _can_run(words)):
            return None
        if " ".join(words[:2]) in _INSTALLS:
            continue
        if words[:1] in (["export"], ["set"]):
            env |= _assigned(words[1:])[0]
        elif words[:1] == ["cd"] and len(words) == 2:
            cwd = words[1]
        elif (found := _one(line, words, env, cwd)) is not None:
            servers |= found
        else:
            return None
    if not servers:
        return None
    return Document({"mcpServers": servers})


_RUNNERS: Final = frozenset(
    {
        *("npx", "bunx", "pnpm", "yarn", "node", "bun", "deno", "uvx", "uv", "pipx", "python"),
        *("python3", "docker", "podman", "go", "dotnet", "java", "env", "export", "set", "cd"),
    }
)
_INSTALLS: Final = frozenset(
    f"{program} {verb}"
    for program in ("npm", "pnpm", "yarn", "pip", "pip3", "pipx", "uv", "brew", "apt", "git")
    for verb in ("install", "i", "add", "sync", "pip", "tool", "clone", "ci", "build")
)
"""What a README has done before the server is started."""


def _can_run(words: list[str]) -> bool:
    """Whether a line begins as a command does: among several lines, some may be prose."""
    rest = _assigned(words)[1]
    return not rest or rest[0] in _RUNNERS or shutil.which(rest[0]) is not None


def _lines(text: str) -> list[str]:
    """The lines of a shell, without prompts and comments; one that goes on is one."""
    whole = re.sub(r"[ \t]*[\\^`][ \t]*\r?\n[ \t]*", " ", text)
    # The quotes of a web page that were copied with a command are no part of it.
    lines = [_PROMPT.sub("", line).strip(" \t“”") for line in whole.splitlines()]
    parts = [part for line in lines for part in re.split(r"\s+&&\s+|;\s+", line)]
    return [part for part in parts if part and not part.startswith("#")]


def _words(line: str) -> list[str] | None:
    try:
        return split_words(line)
    except ValueError:
        return None


def _one(line: str, words: list[str], env: dict[str, str], cwd: str) -> JsonObject | None:
    """The server that one line starts, by its name."""
    if (added := _added_by_client(line)) is not None:
        return added
    entry = _entry(words) if "{" not in line or _can_run(words) else None  # else JSON in prose
    if entry is None:
        return None
    if env and "command" in entry:
        entry["env"] = {**env, **entry.get("env", {})}
    if cwd and "command" in entry:
        entry["cwd"] = cwd
    return {suggest_name(entry): entry}


def _entry(words: list[str]) -> JsonObject | None:
    """An address, a package, or a program with its arguments and variables."""
    env, rest = _assigned(words)
    if len(rest) == 1 and not env:
        return _address(rest[0]) or _package(rest[0]) or _program(rest[0])
    if not rest or any(word in {"|", "||", ">", "<", "&"} for word in rest):
        return None
    if not env and not _can_run(rest) and all(map(_PLAIN_WORD.fullmatch, rest)):
        return None  # a sentence
    return _command(rest, env)


_PLAIN_WORD: Final = compile_later(r"[A-Za-z]+[,.;:!?]*|[A-Za-z]+'[a-z]+")


def _command(words: list[str], env: dict[str, str]) -> JsonObject:
    entry: JsonObject = {"command": words[0], "args": words[1:]}
    return {**entry, "env": env} if env else entry


def _assigned(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """The variables in front of a command, and the command."""
    rest = words[1:] if words[:1] == ["env"] else list(words)
    env: dict[str, str] = {}
    while rest and _ASSIGNMENT.match(rest[0]):
        name, _, value = rest.pop(0).partition("=")
        env[name] = value
    return env, rest


# --- one word ---------------------------------------------------------------------------------

_HOST: Final = compile_later(
    r"(?P<local>localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:/\S*)?"
    r"|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::\d+)?/(?:[\w/-]+/)?(?:mcp|sse)/?(?:\?\S*)?"
)
_PROJECTS: Final = frozenset({"github.com", "gitlab.com", "bitbucket.org", "codeberg.org"})


def _address(word: str) -> JsonObject | None:
    """The server at an address, or the package that a page is about."""
    word = word.strip("<>")
    if (found := _HOST.fullmatch(word)) is not None:
        word = f"{'http' if found['local'] else 'https'}://{word}"
    if not re.fullmatch(r"https?://\S+", word, re.IGNORECASE):
        return None
    try:
        parts = urlsplit(word)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError:
        return {"url": word}  # the parser says what is wrong with it
    path = unquote(parts.path).strip("/")
    if host == "npmjs.com" and path.startswith("package/"):
        return _package(path.removeprefix("package/").split("/v/")[0], "npx")
    if host == "pypi.org" and path.startswith("project/"):
        return _package(path.split("/")[1], "uvx")
    if host in _PROJECTS:
        raise ConfigError(
            translatable("This is the page of a project, not the address of a server"),
            remedy=translatable("Copy the JSON or the command from its README."),
        )
    return {"url": word}


_SCOPED: Final = compile_later(r"@[a-z0-9][\w.-]*/[a-z0-9][\w.-]*(?:@[\w.^~-]+)?", re.IGNORECASE)
_PYTHON: Final = compile_later(r"[A-Za-z][\w.-]*(?:\[[\w,-]+\])?(?:(?:[=~]=|>=|@)[\w.]+)?")
_PACKAGE: Final = compile_later(r"[a-z0-9]+(?:[._-][a-z0-9]+)+(?:@[\w.^~-]+)?")
_IMAGE: Final = compile_later(r"(?:mcp|docker\.io/[\w-]+|ghcr\.io/[\w-]+)/[\w./-]+(?::[\w.-]+)?")


def _package(word: str, runner: str = "") -> JsonObject | None:
    """What runs a package: npx, uvx or docker, by how it is written."""
    prefix, colon, name = word.partition(":")
    runner = runner or {"npm": "npx", "pypi": "uvx", "docker": "docker"}.get(prefix, "")
    if colon and runner and name:
        word = name
    if runner == "docker" or (not runner and _IMAGE.fullmatch(word)):
        return {"command": "docker", "args": ["run", "-i", "--rm", word]}
    if not runner and _SCOPED.fullmatch(word):
        runner = "npx"
    if not runner and ("[" in word or "==" in word) and _PYTHON.fullmatch(word):
        runner = "uvx"
    if not runner and is_unsure(word):
        runner = "uvx" if re.search(r"[_.]", word.partition("@")[0]) else "npx"
    if not runner:
        return None
    return {"command": runner, "args": ["-y", word] if runner == "npx" else [word]}


def is_unsure(word: str) -> bool:
    """Whether this is the name of a package that npm or PyPI may have: nothing says which."""
    return (
        _PACKAGE.fullmatch(word) is not None
        and re.search("mcp|server", word) is not None
        and not word.endswith((".py", ".js", ".ts", ".exe", ".sh"))
        and shutil.which(word) is None
    )


_INTERPRETERS: Final = {".py": "python3", ".js": "node", ".mjs": "node", ".cjs": "node"}


def _program(word: str) -> JsonObject | None:
    """A program that is here, or a script with what runs it."""
    path = Path(word).expanduser()
    suffix = path.suffix.lower()
    if suffix in _INTERPRETERS and re.search(r"[/\\]", word):
        runner = _INTERPRETERS[suffix]
        runner = "python" if runner == "python3" and sys.platform == "win32" else runner
        return {"command": runner, "args": [word]}
    is_path = os.path.isabs(path) and path.is_file()
    return {"command": word, "args": []} if is_path or shutil.which(word) else None


def _file(text: str) -> Path | None:
    """The file with servers that a path or a `file:` address names, if it is there."""
    if is_file_url(text):
        try:
            text = path_of(text)
        except ValueError as error:
            problem = error.args[0]
            raise ConfigError(
                translatable("The address of the file {problem}.", problem=problem)
            ) from error
    text = text.strip("\"'")
    is_path = text.startswith(("/", "\\\\", "~", "./", "../")) or re.match(r"[A-Za-z]:[\\/]", text)
    path = Path(text).expanduser() if is_path else None
    if path is None or path.suffix.lower() not in _SUFFIXES:
        return None
    return path if path.is_file() else None


# --- the commands of other clients ------------------------------------------------------------

_ADD: Final = compile_later(r"(?:\S+ )*?\S+ mcp (add(?:-json)?)\s+")
_ADD_JSON: Final = compile_later(r"\S+ --add-mcp[ =]")
_OPTIONS_WITH_VALUE: Final = {
    **dict.fromkeys(("-e", "--env"), "env"),
    **dict.fromkeys(("-H", "--header"), "headers"),
    **dict.fromkeys(("-t", "--transport", "--type"), "type"),
    **dict.fromkeys(("-s", "--scope"), ""),
    "--url": "url",
    "--command": "command",
    "--timeout": "timeout",
    "--bearer-token-env-var": "bearer_token_env_var",
    **dict.fromkeys(("--description", "--include-tools", "--exclude-tools", "--client-id"), ""),
}


def _added_by_client(line: str) -> JsonObject | None:
    """The server of `claude mcp add NAME -- COMMAND`, as Claude Code, Codex and Gemini take it."""
    if _ADD_JSON.match(line):
        words = _words(line.replace("--add-mcp=", "--add-mcp ", 1)) or []
        data = _json(words[-1]).data if words else {}
        return {str(data.get("name") or suggest_name(data)): data} if data else None
    verb = _ADD.match(line)
    words = _words(line[verb.end() :]) if verb is not None else None
    if verb is None or words is None:
        return None
    entry: JsonObject = {}
    given: list[str] = []
    while words and words[0] != "--" and (len(given) < 2 or words[0].startswith("http")):
        _take_word(words, given, entry)
    name, *more = given or [""]
    command = [*more, *(words[1:] if words[:1] == ["--"] else words)]
    if verb[1] == "add-json" and command:
        return {name: _json(command[0]).data}
    _put_command(entry, command)
    return {name: entry} if name and entry else None


def _put_command(entry: JsonObject, command: list[str]) -> None:
    """The program with its arguments, or the address with the options after it."""
    if command and command[0].startswith(("http://", "https://")):
        entry["url"] = command.pop(0)
        while command:
            _take_word(command, [], entry)
    elif command:
        entry |= {"command": command[0], "args": command[1:]}
    if isinstance(entry.get("timeout"), str):
        del entry["timeout"]  # some count seconds, some milliseconds


def _take_word(words: list[str], given: list[str], entry: JsonObject) -> None:
    """Take the next option with its value, or the next word that is none."""
    word = words.pop(0)
    option, equals, value = word.partition("=")
    if option in _OPTIONS_WITH_VALUE:
        value = value if equals else (words.pop(0) if words else "")
        _put_option(entry, _OPTIONS_WITH_VALUE[option], value)
    elif _ASSIGNMENT.match(word) and "env" in entry:  # Claude Code takes several after one -e
        _put_option(entry, "env", word)
    elif not word.startswith("-"):
        given.append(word)


def _put_option(entry: JsonObject, key: str, value: str) -> None:
    if key in {"env", "headers"}:
        name, _, rest = value.partition("=" if key == "env" else ":")
        entry.setdefault(key, {})[name.strip()] = rest.strip()
    elif key:
        entry[key] = value


# --- what was put in the place of a command -------------------------------------------------


def entry_of_line(text: str) -> JsonObject:
    """The entry that a text stands for which was given as a command; empty where it is one.

    A whole command line is taken apart, unless it may be the path of a program with blanks in it.
    Quotes that do not match leave the text as it is.
    """
    line = _PROMPT.sub("", text).strip()
    if re.fullmatch(r"https?://\S+", line, re.IGNORECASE):
        return {"url": line}
    words = _words(line)
    if words is None or shutil.which(line) or Path(line).expanduser().is_file():
        return {}
    env, rest = _assigned(words)
    if not rest or (len(rest) == 1 and not env):
        return {}
    is_path = re.search(r"[/\\]", rest[0]) is not None
    return {} if is_path and not Path(rest[0]).expanduser().is_file() else _command(rest, env)
