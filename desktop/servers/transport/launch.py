"""Makes a `LaunchSpec` of a server's config: variables expanded, command found, environment built.

A server gets the environment that a terminal would give it, without the person's other secrets and
without what only concerns this app. Must not start anything but the login shell that is asked for
its PATH.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections import ChainMap
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from uuid import uuid4

from msgspec import Struct
from msgspec.structs import replace

from desktop.base.did_you_mean import nearest_names
from desktop.base.errors import DesktopError, NextStep, ServerError
from desktop.base.later_patterns import compile_later
from desktop.base.paths import builtin_command
from desktop.base.translatable import join_texts, translatable
from desktop.config.containers import label_at, own_options_end
from desktop.config.effective import servers_folder
from desktop.config.secrets import inherited_secrets_of, kept_secrets_of, secrets_of
from desktop.config.variables import expand, secrets_in, unset_in
from desktop.processes.process import LaunchSpec
from desktop.redaction.policy import find_secret_values, is_secret_name
from desktop.servers.transport.login_shell import join_paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from desktop.config.document import JsonObject
    from desktop.config.models import Sandbox, ServerConfig
    from desktop.config.secret_store import SecretStore
    from desktop.servers.transport.login_shell import ShellPath

_KILL_CONTAINER = (
    'label=$1; shift; ids=$("$0" "$@" ps -q --filter "label=$label") && [ -n "$ids" ]'
    ' && exec "$0" "$@" kill $ids'
)
Confine: TypeAlias = "Callable[[ServerConfig, LaunchSpec], LaunchSpec]"
OURS = ("MCP_SERVERS", "MCP_DESKTOP_*", "PYTHONPATH", "PYTHONHOME", "QT_*", "_PYI_*", "_MEI*")
_SOURCES = compile_later(r"PROXY|INDEX|REGISTRY|MIRROR")
"""Variables whose URL a server may need with its password, to be downloaded or to reach the net."""
_MAX_SHOWN = 20
_PRODUCTS = {
    r"npx|npm|node": ("Node.js", "https://nodejs.org"),
    r"uvx|uv": ("uv", "https://docs.astral.sh/uv"),
    r"docker": ("Docker", "https://docs.docker.com/get-docker"),
    r"bunx|bun": ("Bun", "https://bun.sh"),
    r"deno": ("Deno", "https://deno.com"),
    r"python[0-9.]*|pip|pipx": ("Python", "https://www.python.org"),
}
_COMMON = ("npx", "npm", "node", "uvx", "uv", "python3", "python", "docker", "bunx", "deno", "pipx")
"""What servers are usually started with."""


class SandboxError(ServerError):
    """The server's sandbox or limits cannot be made: it is not started without them."""


def server_environment(
    environ: Mapping[str, str], path: str, config_env: Mapping[str, str]
) -> dict[str, str]:
    """The person's `environ` without secrets and our own names, with `path`; the config wins."""
    result = {name: value for name, value in environ.items() if _is_inherited(name, value)}
    if (original := result.pop("LD_LIBRARY_PATH_ORIG", None)) is not None:
        result["LD_LIBRARY_PATH"] = original  # the frozen app's loader had replaced it
    _set(result, "PATH", join_paths(path, environ.get("PATH", "")))
    for name, value in config_env.items():
        _set(result, name, value)
    return result


@lru_cache(maxsize=1024)
def _is_inherited(name: str, value: str) -> bool:
    upper = name.upper()
    is_withheld = is_secret_name(name, "inherited") or any(
        fnmatchcase(upper, pattern) for pattern in OURS
    )
    if not _SOURCES.search(upper) and find_secret_values(value):
        return False  # DATABASE_URL with its password
    return not is_withheld and not value.startswith("()")  # an exported shell function is code


def withheld_variables(environ: Mapping[str, str], config_env: Mapping[str, str]) -> list[str]:
    """The names of the person's variables that a server does not get: they may be secrets."""
    return sorted(
        name
        for name, value in environ.items()
        if name not in config_env
        and not _is_inherited(name, value)
        and not value.startswith("()")
        and not any(fnmatchcase(name.upper(), pattern) for pattern in OURS)
    )


def _set(variables: dict[str, str], name: str, value: str) -> None:
    """Windows knows one variable whatever its case."""
    if os.name == "nt":
        for other in [key for key in variables if key.upper() == name.upper()]:
            del variables[other]
    variables[name] = value


def find_command(
    command: str,
    path: str,
    cwd: str | None = None,
    *,
    server: str = "",
    suffixes: Sequence[str] | None = None,
) -> str:
    """The file that `command` names, as the server's own start would find it.

    Args:
        command: A name that is looked up in `path`, or a path; a relative one starts at `cwd`.
        path: The PATH of the server's environment.
        cwd: The server's folder, which has to exist.
        server: The name that the error carries.
        suffixes: Tried in order; by default those of PATHEXT on Windows, and none elsewhere.

    Raises:
        ServerError: It is not there or cannot be run; says where it was looked for.
    """
    if cwd and not Path(cwd).is_dir():
        raise ServerError(
            server,
            translatable("The folder {cwd} (cwd) does not exist", cwd=cwd),
            remedy=translatable('Correct "cwd".'),
            steps=(NextStep("edit"),),
        )
    suffixes = _suffixes() if suffixes is None else suffixes
    blocked: list[str] = []
    for candidate in _candidates(command, path, cwd, suffixes):
        if os.path.isfile(candidate):  # Path.is_file raises for some foolish names
            if os.access(candidate, os.X_OK):
                return candidate
            blocked.append(candidate)
        elif _is_path(command) and os.path.isdir(candidate):
            raise ServerError(
                server,
                translatable("{folder} is a folder, not a program", folder=candidate),
                remedy=translatable("Give the file in it that is to be started."),
                steps=(NextStep("edit"),),
            )
    if blocked:
        remedy = translatable("Make it executable: chmod +x {blocked}", blocked=blocked[0])
        raise ServerError(
            server,
            translatable("{blocked} is not an executable file", blocked=blocked[0]),
            remedy=remedy,
            steps=(NextStep("edit"),),
        )
    words, steps = _remedy(command), _next_steps(command, path, suffixes)
    raise ServerError(server, _searched(command, path, cwd), remedy=words, steps=steps)


def _suffixes() -> list[str]:
    if os.name != "nt":
        return [""]
    return os.environ.get("PATHEXT", ".COM;.EXE;.BAT;.CMD").lower().split(";")


def _is_path(command: str) -> bool:
    return os.path.dirname(command) != ""  # Path drops the "./" that tells


def _candidates(command: str, path: str, cwd: str | None, suffixes: Sequence[str]) -> Iterator[str]:
    if not command:
        return
    folders = [os.path.abspath(cwd or os.curdir)] if _is_path(command) else _folders(path)
    has_suffix = command.lower().endswith(tuple(suffix for suffix in suffixes if suffix))
    for folder in folders:
        file = os.path.join(folder, command)
        yield from [file] if has_suffix else [file + suffix for suffix in suffixes]


def _folders(path: str) -> list[str]:
    return [folder for folder in join_paths(path).split(os.pathsep) if folder]


def _searched(command: str, path: str, cwd: str | None) -> str:
    if _is_path(command):
        if cwd and not Path(command).is_absolute():
            return translatable(
                'The command "{command}" does not exist in the folder {cwd}',
                command=command,
                cwd=cwd,
            )
        return translatable('The command "{command}" does not exist', command=command)
    folders = _folders(path)
    if not folders:
        return translatable(
            'The command "{command}" was not found: the PATH is empty', command=command
        )
    lines = [f"  {folder}" for folder in folders[:_MAX_SHOWN]]
    if len(folders) > _MAX_SHOWN:
        lines.append(f"  ... and {len(folders) - _MAX_SHOWN} more")
    left_out = [one for one in path.split(os.pathsep) if one and one not in folders]
    lines += [
        translatable("  {folder} (passed over: not a full path)", folder=one)
        for one in left_out[:_MAX_SHOWN]
    ]
    words = translatable('The command "{command}" was not found. Searched PATH:', command=command)
    return join_texts("\n", words, *lines)


def _remedy(command: str) -> str:
    entry = _meant(command)
    if "url" in entry:
        return translatable("This is the address of a server, not a program.")
    if entry:
        return translatable('A command cannot contain arguments; move them to "args".')
    if (known := _product(command)) is not None:
        product, address = known
        return translatable(
            "{program} comes with {product}: install it from {address}, then restart the server.",
            program=_stem(command),
            product=product,
            address=address,
        )
    return translatable("Check the spelling, install it, or enter its full path.")


def _meant(command: str) -> JsonObject:
    """The entry that a person meant who wrote a command line, or an address, as the command."""
    from desktop.config.imports.pasted import entry_of_line  # for what has failed alone

    return entry_of_line(command)


def _stem(command: str) -> str:
    return re.sub(r"\.(exe|cmd|bat)$", "", Path(command).name.lower())


def _product(command: str) -> tuple[str, str] | None:
    """What a command comes with, and where that is had."""
    found = (_PRODUCTS[one] for one in _PRODUCTS if re.fullmatch(one, _stem(command)))
    return next(found, None)


def _next_steps(command: str, path: str, suffixes: Sequence[str]) -> tuple[NextStep, ...]:
    """For a command that is not there: one that is spelled like it, and what it comes with."""
    if entry := _meant(command):
        return NextStep("use_url" if "url" in entry else "take_apart"), NextStep("edit")
    known = _product(command)
    if known is not None:
        return NextStep("install", *known), NextStep("edit")
    near = "" if _is_path(command) else _nearest(command, path, suffixes)
    return (*([NextStep("use_command", near)] if near else ()), NextStep("edit"))


def _nearest(command: str, path: str, suffixes: Sequence[str]) -> str:
    """The command of the PATH that was meant: a known one first, then one that begins alike."""
    common = [one for one in _COMMON if _is_there(one, path, suffixes)]
    if near := nearest_names(command, common, 1):
        return near[0]
    names: list[str] = []
    for folder in _folders(path):
        with contextlib.suppress(OSError):
            names += [name for name in os.listdir(folder) if name[:1] == command[:1]]
    near = nearest_names(command, names, 5)
    return next((name for name in near if _is_there(name, path, suffixes)), "")


def _is_there(command: str, path: str, suffixes: Sequence[str]) -> bool:
    candidates = _candidates(command, path, None, suffixes)
    return any(os.path.isfile(one) and os.access(one, os.X_OK) for one in candidates)


def _labelled(launch: LaunchSpec) -> LaunchSpec:
    """A container is its daemon's, and outlives the program that asked for it: it is killed, too.

    By a label, which no other start has: a name may be another's. The daemon is asked that the
    command's own options name.
    """
    at = label_at(launch.command, launch.args)
    if not at or os.name == "nt":  # where there is no shell of this kind
        return launch
    label = f"mcp-desktop={uuid4().hex}"
    args = (*launch.args[:at], f"--label={label}", *launch.args[at:])
    own = launch.args[: own_options_end(launch.args)]
    at_kill = ("/bin/sh", "-c", _KILL_CONTAINER, launch.command, label, *own)
    return replace(launch, args=args, at_kill=at_kill)


class LaunchResolver(Struct, frozen=True):
    """Knows the person's environment and the PATH of their login shell.

    `own_path_first`: the run was started from a terminal or by a program, whose PATH is the one
    that is meant; the login shell is only asked for what is not found there. An app started from an
    icon has the system's PATH alone, where an old `npx` may hide the person's own.
    `data`: where built-in servers that remember something keep it.
    `folder`: where servers run, and relative folders start; None: the current one.
    """

    environ: Mapping[str, str]
    shell_path: ShellPath
    own_path_first: bool = False
    data: Path | None = None
    kept: SecretStore | None = None
    """The secrets that configs name; without it there are none."""
    folder: Path | None = None
    confine: Confine | None = None
    """Puts a server into the sandbox and limits that its config asks for; else `SandboxError`."""
    sandbox: Sandbox | None = None
    """That of all servers in this run, whatever their configs say."""

    async def load_secrets(self, config: ServerConfig) -> None:
        """Read what `expanded` needs: from the keyring, which may have to be unlocked first.

        And from the login shell, where a variable is not set here: an app that was started from its
        icon has none of those that the shell's own files set.

        Raises:
            KeyringError: it did not answer.
        """
        if unset_in(config, self.environ):
            await self.shell_path.get()
        if self.kept is not None and (names := secrets_in(config)):
            await self.kept.load(names)

    def expanded(self, config: ServerConfig) -> ServerConfig:
        """`config` with its variables replaced, and the command of a built-in server filled in.

        Raises:
            ConfigError: a variable without default is not set, or a secret was not loaded.
        """
        expanded = self._placed(expand(config, self._variables, self._kept))
        if not expanded.builtin:
            return expanded
        command, args = builtin_command(expanded.builtin)
        kept = {"MCP_DESKTOP_DATA": str(self.data)} if self.data is not None else {}
        return expanded.changed(
            builtin="", command=command, args=(*args, *expanded.args), env={**kept, **expanded.env}
        )

    def _placed(self, config: ServerConfig) -> ServerConfig:
        """Never in the folder where a command is typed: what lies there is not what was meant."""
        folder = self.folder
        if config.source == "environment":
            folder = servers_folder(self.environ) or folder
        if folder is None or os.path.isabs(config.cwd or ""):
            return config
        cwd = os.path.normpath(folder / (config.cwd or ""))
        return config.model_copy(update={"cwd": cwd})

    def secrets(self, config: ServerConfig) -> frozenset[str]:
        """The secret values that the server gets, of its config as written, and expanded."""
        found = secrets_of(config) | inherited_secrets_of(config, self.environ)
        found |= kept_secrets_of(config, self._kept)
        try:
            expanded = self.expanded(config)
        except DesktopError:  # it cannot be started, so it is given no more than this
            return found
        return found if expanded is config else found | secrets_of(expanded)

    @property
    def _variables(self) -> Mapping[str, str]:
        """Ours, and of the login shell those that we do not have; PATH is what a server gets."""
        if (shell := self.shell_path.known) is None:
            return self.environ
        own = self.environ.get("PATH", "")
        path = join_paths(own, shell) if self.own_path_first else join_paths(shell, own)
        return ChainMap({"PATH": path}, dict(self.environ), dict(self.shell_path.variables))

    @property
    def _kept(self) -> Mapping[str, str]:
        return self.kept.known if self.kept is not None else {}

    async def prepare(self, config: ServerConfig) -> LaunchSpec:
        """What to start for an expanded stdio `config`.

        Raises:
            DesktopError: the command is not found, or there can be no such sandbox.
        """
        launch = await self.prepare_now(config)
        return launch or await self._launch(config, await self.shell_path.get())

    async def prepare_now(self, config: ServerConfig) -> LaunchSpec | None:
        """The same without asking the login shell; None where it has to be asked."""
        path = self.environ.get("PATH", "") if self.own_path_first else self.shell_path.known
        if path is None:
            return None
        try:
            return await self._launch(config, path)
        except SandboxError:
            raise
        except ServerError:
            return None

    async def _launch(self, config: ServerConfig, path: str) -> LaunchSpec:
        if self.sandbox is not None:
            config = config.model_copy(update={"sandbox": self.sandbox})
        around = self.environ
        if not self.own_path_first:
            around = {**self.shell_path.network, **around}
        environment = server_environment(around, path, config.env)
        search = environment.get("PATH", path)
        command = find_command(config.command, search, config.cwd, server=config.name)
        launch = LaunchSpec(command, config.args, environment, config.cwd)
        is_held = config.sandbox.is_on or config.limits.are_set
        return _labelled(await self._confined(config, launch) if is_held else launch)

    async def _confined(self, config: ServerConfig, launch: LaunchSpec) -> LaunchSpec:
        """The same in its sandbox and limits: never without those that the config asks for."""
        if self.confine is None:
            raise SandboxError(
                config.name,
                translatable("Its config asks for a sandbox or limits, which this app has not"),
            )
        # In a thread: it looks at many files, and once tries whether there can be a sandbox.
        return await asyncio.to_thread(self.confine, config, launch)
