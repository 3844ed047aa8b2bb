"""Programs that fetch a package and run it (npx, uvx, docker run): what a command line really runs.

`npm exec @scope/server ~/Documents` runs the package `@scope/server`, and `sh -c mcp-server` that
server. Also tells whether such a program still fetches. Guesses from outside, and says nothing
where it cannot know. Starts and ends nothing.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import psutil
from msgspec import Struct

from desktop.base.later_patterns import compile_later
from desktop.processes.process_table import read_words
from desktop.processes.process_tree import descendants, find

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_RUNNERS: Mapping[tuple[str, ...], str] = {
    ("npx",): "npx",
    ("npm", "exec"): "npx",
    ("npm", "x"): "npx",
    ("pnpx",): "pnpm",
    ("pnpm", "dlx"): "pnpm",
    ("yarn", "dlx"): "yarn",
    ("bunx",): "bunx",
    ("bun", "x"): "bunx",
    ("uvx",): "uvx",
    ("uv", "tool", "uvx"): "uvx",
    ("uv", "tool", "run"): "uvx",
    ("uv", "run"): "uv",
    ("pipx", "run"): "pipx",
    ("docker", "run"): "docker",
    ("podman", "run"): "podman",
}
"""The words that such a command line begins with, and what a person calls it."""
PACKAGE_OPTIONS = frozenset({"-p", "--package", "--from"})
"""Options whose value is the package, where the next word is only a program in it."""
_VALUE_OPTIONS = frozenset((
    "--call", "-c", "--registry", "--cache", "--userconfig", "--prefix", "--workspace", "-w",
    "--python", "--with", "--index", "--index-url", "--default-index", "--extra-index-url",
    "--directory", "--project", "--env-file", "-e", "--env", "-v", "--volume", "--mount",
    "--name", "--network", "--net", "-u", "--user", "--entrypoint", "--workdir", "--platform",
    "-l", "--label", "--add-host", "-h", "--hostname", "--gpus", "--memory", "--cpus", "--pull",
))  # fmt: skip
_INTERPRETERS = compile_later(r"node|nodejs|bun|deno|python[0-9.]*|pypy[0-9.]*|ruby|perl")
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ash", "ksh"})
_GENERIC = frozenset((
    "index", "main", "server", "app", "cli", "run", "start", "__main__",
    "build", "dist", "src", "lib", "out", "bin",
))  # fmt: skip
"""Names of files and folders that say nothing without the folder they are in."""
_MAX_DEPTH = 4
"""Programs within programs that are looked through."""
_CONNECTED = frozenset({psutil.CONN_ESTABLISHED, psutil.CONN_SYN_SENT})


class PackageCommand(Struct, frozen=True):
    """A command line of a runner: what a person calls it, and the package that it runs."""

    runner: str
    package: str


def find_runner(words: Sequence[str], depth: int = 0) -> PackageCommand | None:
    """The runner of a command line, through interpreters and shells; None where it is none."""
    if not words or depth > _MAX_DEPTH:
        return None
    words = split_title(words)
    program = _stem(words[0])
    if inner := _inner(program, words):
        return find_runner(inner, depth + 1)
    if program in _SHELLS:
        return None
    script = _script(words) if _INTERPRETERS.fullmatch(program) else None
    if script is not None and (_stem(script[0]),) in _RUNNERS:
        return find_runner(script, depth + 1)
    for start, runner in _RUNNERS.items():
        if (program, *words[1 : len(start)]) == start:
            return PackageCommand(runner, _first_package(words[len(start) :]))
    return None


def program_name(words: Sequence[str], depth: int = 0) -> str:
    """What a command line runs: a package, a script, a module, or the program itself."""
    if not words or depth > _MAX_DEPTH:
        return ""
    words = split_title(words)
    if (runner := find_runner(words)) is not None and runner.package:
        return runner.package
    program = _stem(words[0])
    if inner := _inner(program, words):
        return program_name(inner, depth + 1)
    if _INTERPRETERS.fullmatch(program) and (script := _script(words)) is not None:
        if script[1:2] == ["builtin"] and len(script) > 2:  # a server that comes with the app
            return script[2]
        if script[1:] == ["guardian"]:
            return "guardian"
        return _script_name(script[0])
    return PurePath(words[0]).name


def split_title(words: Sequence[str]) -> list[str]:
    """A process that gave itself a title (as npm does) has all of its words in the first one."""
    if len(words) == 1 and " " in words[0] and not os.path.exists(words[0]):
        return words[0].split()
    return list(words)


def readable(words: Sequence[str]) -> list[str]:
    """The same command as a person would have typed it: no title, no quotes within quotes."""
    words = split_title(words)
    if words and _stem(words[0]) in _SHELLS and (inner := _shell_words(words)):
        return [*words[:2], *inner] if words[1] == "-c" else words
    return words


def _stem(word: str) -> str:
    return re.sub(r"(-cli)?\.(exe|cmd|bat|js|cjs|mjs)$", "", PurePath(word).name.lower())


def _inner(program: str, words: Sequence[str]) -> list[str]:
    """What a shell runs, or a sandbox: a command line in this one; empty where there is none."""
    if program in _SHELLS:
        return _shell_words(words)
    is_sandbox = program == "bwrap" and "--" in words
    return list(words[words.index("--") + 1 :]) if is_sandbox else []


def _shell_words(words: Sequence[str]) -> list[str]:
    """What `sh -c` runs; a program with its arguments, or nothing where it is more than that."""
    if len(words) < 3 or words[1] != "-c":
        return list(words[1:]) if len(words) > 1 and not words[1].startswith("-") else []
    try:
        inner = shlex.split(words[2].rpartition("; exec ")[2])
    except ValueError:
        return []
    return inner[1:] if inner[:1] == ["exec"] else inner


def _script(words: Sequence[str]) -> list[str] | None:
    """What an interpreter runs, with its arguments: a file, or the module of `-m`."""
    rest = list(words[1:])
    if rest[:1] == ["run"]:  # of deno and bun
        rest = rest[1:]
    while rest and rest[0].startswith("-"):
        if rest[0] in {"-c", "-e", "--eval", "-p", "--print", "-"}:
            return None
        takes_value = rest[0] in {"-r", "--require", "--import", "--loader", "-W", "-X"}
        rest = rest[2 if takes_value else 1 :]
    return rest or None


def _script_name(script: str) -> str:
    """The package that a script is in, where its path says so; else its file's name."""
    path = PurePath(script)
    parts = path.parts
    if "node_modules" in parts:
        at = len(parts) - 1 - parts[::-1].index("node_modules")
        below = parts[at + 1 :]
        if below[:1] == (".bin",):
            return below[-1]
        if below[:1] and below[0].startswith("@"):
            return "/".join(below[:2])
        return below[0] if below else parts[-1]
    generic = {*_GENERIC, path.anchor}
    named = [n for n, part in enumerate(parts) if part.split(".")[0] not in generic]
    return "/".join(parts[named[-1] :]) if named else script


def _first_package(words: Sequence[str]) -> str:
    rest = list(words)
    while rest:
        word = rest.pop(0)
        option, _, value = word.partition("=")
        if option in PACKAGE_OPTIONS:
            return value or (rest[0] if rest else "")
        if word in _VALUE_OPTIONS:
            rest = rest[1:]
        elif not word.startswith("-"):
            return word
    return ""


# --- whether it still fetches -----------------------------------------------------------------


class PackageFetch(Struct, frozen=True):
    """A runner that has not started its package yet; `is_downloading` where that can be seen."""

    runner: str
    package: str
    is_downloading: bool


def find_fetch(pid: int) -> PackageFetch | None:
    """What the process `pid` of a server that is starting still has to fetch.

    None where it runs no package, or where the package's own process is there. A runner of npm
    downloads what its cache does not hold yet; the others while they hold a connection open.
    """
    below = [process for process in (find(pid), *descendants(pid)) if process is not None]
    runners = [find_runner(words) for process in below if (words := read_words(process))]
    known = next((runner for runner in runners if runner is not None), None)
    if known is None or None in runners:
        return None
    if known.runner == "npx":
        is_downloading = not _is_in_npm_cache(known.package, _environment(pid))
    else:
        is_downloading = any(map(_is_connected, below))
    return PackageFetch(known.runner, known.package, is_downloading)


def _environment(pid: int) -> Mapping[str, str]:
    try:
        return psutil.Process(pid).environ()
    except (psutil.Error, OSError):
        return os.environ


def _is_in_npm_cache(package: str, environ: Mapping[str, str]) -> bool:
    """Whether npx has installed it to the end: npm writes its hidden lock file last."""
    if os.name == "nt":
        usual = Path(environ.get("LOCALAPPDATA", Path.home())) / "npm-cache"
    else:
        usual = Path(environ.get("HOME", Path.home())) / ".npm"
    named = next((environ[key] for key in environ if key.lower() == "npm_config_cache"), "")
    name = re.sub(r"(?<=.)@[^@/]*$", "", package)
    return any(
        (folder / name / "package.json").is_file()
        for folder in _folders(Path(named or usual) / "_npx")
        if (folder / ".package-lock.json").is_file()
    )


def _folders(cache: Path) -> Iterable[Path]:
    try:
        return [folder / "node_modules" for folder in cache.iterdir()]
    except OSError:
        return []


def _is_connected(process: psutil.Process) -> bool:
    try:
        connections = process.net_connections("tcp")
    except (psutil.Error, OSError):
        return False
    return any(each.raddr and each.status in _CONNECTED for each in connections)
