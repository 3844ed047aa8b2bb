"""Starts a server in its sandbox, or proposes one: bubblewrap holds it to its walls.

All that a server starts lives in a PID namespace. That ends with its first process, and the process
with the app's keeper. A package that npx or uvx runs is fetched before a sandbox without network
closes. Never starts anything without the sandbox that was asked for. Source: bwrap(1), 0.8.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop.base.errors import NextStep
from desktop.base.paths import program_command
from desktop.base.translatable import translatable
from desktop.config.containers import makes_container
from desktop.config.models import Sandbox, SandboxProposal
from desktop.features.sandbox.walls import (
    SYSTEM,
    PlaceCheck,
    Walls,
    own_folders,
    walls_of,
)
from desktop.processes.package_runners import PACKAGE_OPTIONS, find_runner
from desktop.processes.process import LaunchSpec
from desktop.servers.transport.launch import SandboxError
from desktop.values.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from desktop.base.paths import Paths
    from desktop.config.models import ServerConfig

TRY_SECONDS: Final = 5.0
_HIDDEN: Final = (
    "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/krb5.keytab",
    "/etc/sudoers", "/etc/machine-id", "/proc/sysrq-trigger",
)  # fmt: skip
_HIDDEN_FOLDERS: Final = (
    "/etc/ssh", "/etc/ssl/private", "/etc/sudoers.d", "/etc/wireguard",
    "/etc/NetworkManager/system-connections",
)  # fmt: skip
_EMPTY: Final = ("/tmp", "/var/tmp", "/run")  # noqa: S108 - empty ones of the server alone
_CONNECTIONS: Final = (
    "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "DISPLAY", "GPG_AGENT_INFO",
    "SSH_AGENT_PID", "SSH_AUTH_SOCK", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TMPDIR", "TMP", "TEMP",
)  # fmt: skip
"""Variables that lead to the person's desktop, keys and folders, none of which is there."""
_LOADING: Final = re.compile(
    r"LD_|GLIBC_|GCONV_|MALLOC_|BASH|PYTHON|LOCPATH|NLSPATH|SHELLOPTS|PS4|ENV\Z|IFS\Z|PERL"
)
"""Variables of the loader, the C library, shells and Python that name code or files."""
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
"""A shell's function, which is code, has another name."""
_OFFLINE: Final = {"npm_config_offline": "true", "UV_OFFLINE": "1"}
_PROXIES: Final = tuple(
    f"{kind}{end}"
    for kinds, end in (
        (("http", "https", "all", "no"), "_proxy"),
        (("HTTP", "HTTPS", "ALL", "NO"), "_PROXY"),
    )
    for kind in kinds
)
"""Variables of a proxy, which the gate uses in the server's place."""
_OF_FETCHING: Final = re.compile(r"(?i)proxy|index|registry|mirror|npm_config|\Auv_")
"""Names of variables that a download needs."""
_KEY_FILES: Final = ("/.npmrc", "/.netrc", "/uv.toml", "/pip.conf")
_FETCHES: Final = {"npx": ("--package", ("-c", "true")), "uvx": ("--from", ("true",))}
"""By what people call a runner: its option for a package, and a program that does nothing."""


def confine(config: ServerConfig, launch: LaunchSpec, paths: Paths) -> LaunchSpec:
    """The same start inside its sandbox; unchanged where it has none, or is a container.

    Raises:
        SandboxError: there is no engine, or a folder cannot be opened.
    """
    if not config.sandbox.is_on or makes_container(config.command):
        return launch
    program = _engine(config.name)
    walls = walls_of(config, launch, paths)
    command = [launch.command, *launch.args]
    fetch = [] if walls.has_network else _fetching(command)
    if fetch:
        walls = replace(walls, home=_home_of(fetch, walls.home))
    _make_home(config.name, walls.home)
    home = launch.environment.get("HOME") or str(walls.home)
    environment = _environment(launch.environment, config.env) | {"HOME": home}
    inside = {name: value for name, value in environment.items() if _acts_outside(name)}
    for name in inside:
        del environment[name]
    variables = inside | (_OFFLINE if fetch else {})
    words = _behind_gate(wrap(program, walls, home, command, variables), walls)
    if fetch:
        bare = walls_of(_bare(config), replace(launch, args=()), paths)
        secret = [name for name in config.env if not _OF_FETCHING.search(name)]
        opened = replace(bare, home=walls.home)
        fetching = wrap(program, opened, home, fetch, without=secret)
        words = _after_fetching(walls.home, fetching, words)
    return replace(launch, command=words[0], args=tuple(words[1:]), environment=environment)


def _behind_gate(words: list[str], walls: Walls) -> list[str]:
    """The same behind the gate, where it may reach some hosts alone."""
    return [*program_command("gate"), *walls.hosts, "--", *words] if walls.hosts else words


def _engine(server: str) -> str:
    """The program, which works here."""
    if not is_offered():
        raise SandboxError(
            server,
            translatable("Its config asks for a sandbox, which there is on Linux alone"),
            remedy=translatable('Set "sandbox" to "off" to start it without one.'),
            steps=(NextStep("edit"),),
        )
    program = find()
    if program is None:
        raise SandboxError(
            server,
            translatable("Its config asks for a sandbox, and bubblewrap is not installed"),
            remedy=translatable(
                "Install it (Debian and Ubuntu: apt install bubblewrap), then restart the server."
            ),
        )
    if why := why_not(program):
        raise SandboxError(
            server,
            translatable("The system does not let bubblewrap work: {why}", why=why),
            remedy=translatable(
                "On Ubuntu, allow it in AppArmor: docs/sandbox.md says how. It is not started"
                " without its sandbox."
            ),
        )
    return program


def _fetching(command: list[str]) -> list[str]:
    """What fetches the package that a command runs, and runs none of it; empty where it is none."""
    found = find_runner(command)
    if found is None or not found.package or found.runner not in _FETCHES:
        return []
    option, nothing = _FETCHES[found.runner]
    at = next((n for n, word in enumerate(command) if word.endswith(found.package)), 0)
    is_named = command[at].startswith("-") or command[at - 1] in PACKAGE_OPTIONS
    start = command[: at + 1] if is_named else [*command[:at], option, command[at]]
    return [*start, *nothing]


def _bare(config: ServerConfig) -> ServerConfig:
    """What fetches has the network, and may run the package's scripts: it gets nothing to take.

    But a person's file with the key of a registry, where they named that for the server.
    """
    keys = tuple(each for each in config.sandbox.read if each.endswith(_KEY_FILES))
    sandbox = {"preset": "strict", "network": True, "read": keys}
    return config.changed(sandbox=sandbox, env={}, roots=(), cwd=None)


def _home_of(fetch: list[str], home: Path) -> Path:
    """A home of its own for what is fetched: no server has written into it before.

    Else one could leave there what it read, and a program that the next fetch would run.
    """
    return home.with_name(f"home-{hashlib.sha256(shlex.join(fetch).encode()).hexdigest()[:16]}")


def _after_fetching(home: Path, fetching: list[str], words: list[str]) -> list[str]:
    """A shell that fetches once, with the network, and then becomes the server without it."""
    command = shlex.join(fetching)
    mark = home.with_name(f"{home.name}.fetched")  # where the server cannot take it away
    marked = shlex.quote(str(mark))
    script = (
        f"[ -e {marked} ] || {{ echo 'Fetching the package before the sandbox closes' >&2; "
        f"{command} </dev/null >&2 && : > {marked} || exit; }}; exec {shlex.join(words)}"
    )
    return ["/bin/sh", "-c", script]


def find() -> str | None:
    """The program; None where it is not installed."""
    return shutil.which("bwrap", path=os.defpath + ":/usr/local/bin:/usr/bin:/bin")


@lru_cache(maxsize=8)
def why_not(program: str) -> str:
    """What the system says when it forbids the program to work; empty where it works."""
    test = [program, "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--", "/bin/true"]
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            test, capture_output=True, text=True, errors="replace", timeout=TRY_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = done.stderr.strip().splitlines()
    return "" if done.returncode == 0 else (said[-1] if said else f"exit code {done.returncode}")


def wrap(
    program: str,
    walls: Walls,
    home: str,
    command: Sequence[str],
    variables: Mapping[str, str] = EMPTY,
    without: Iterable[str] = (),
) -> list[str]:
    """The whole command line.

    Args:
        program: of bubblewrap.
        walls: what is open.
        home: the path of the person's home folder, where the server's own is seen.
        command: what runs inside, a full path first.
        variables: are set inside.
        without: names of variables that are not there inside.
    """
    words = [program, *_machine(has_network=walls.has_network)]
    if walls.hosts:
        words += _names_from_the_gate()
        without = [*without, *_PROXIES]
    words += ["--bind", str(walls.home), home]
    for real, place in walls.links:
        words += ["--dir", str(place.parent), "--symlink", str(real), str(place)]
    for place in walls.read:
        words += ["--ro-bind", str(place), str(place)]
    for place in walls.write:
        words += ["--bind", str(place), str(place)]
    for name, value in variables.items():
        words += ["--setenv", name, value]
    for name in without:
        words += ["--unsetenv", name]
    return [*words, "--chdir", str(walls.cwd), "--", *command]


def _machine(*, has_network: bool) -> list[str]:
    """The namespaces, and the system as each server sees it."""
    words = ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    words += ["--die-with-parent", "--cap-drop", "ALL"]
    words += [] if has_network else ["--unshare-net"]
    for folder in SYSTEM:
        words += _system(folder)
    words += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"]
    for folder in _EMPTY:
        words += ["--tmpfs", folder]
    for file in _HIDDEN:
        words += ["--ro-bind", "/dev/null", file] if os.path.exists(file) else []
    for folder in _HIDDEN_FOLDERS:
        words += ["--tmpfs", folder] if os.path.isdir(folder) else []
    if has_network and os.path.islink("/etc/resolv.conf"):
        real = os.path.realpath("/etc/resolv.conf")
        words += ["--ro-bind-try", real, real]
    return words


def _names_from_the_gate() -> list[str]:
    """An empty list of resolvers: programs ask the loopback then, where the gate answers."""
    real = os.path.realpath("/etc/resolv.conf")
    return ["--ro-bind", "/dev/null", real] if os.path.lexists("/etc/resolv.conf") else []


def _system(folder: str) -> list[str]:
    if os.path.islink(folder):
        return ["--symlink", os.readlink(folder), folder]
    return ["--ro-bind", folder, folder] if os.path.isdir(folder) else []


def _environment(given: Mapping[str, str], chosen: Mapping[str, str]) -> dict[str, str]:
    """The variables of a server without those that lead outside, unless its config has them."""
    return {
        name: value for name, value in given.items() if name not in _CONNECTIONS or name in chosen
    }


def _acts_outside(name: str) -> bool:
    """Whether a variable could have bubblewrap, the gate or a shell run code: all are outside.

    The server gets it from bubblewrap's arguments.
    """
    return _LOADING.match(name) is not None or _PLAIN.fullmatch(name) is None


def _make_home(server: str, home: Path) -> None:
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SandboxError(
            server,
            translatable(
                "Its sandbox needs the folder {folder}, which cannot be made: {why}",
                folder=str(home),
                why=error.strerror or str(error),
            ),
        ) from None


def is_offered() -> bool:
    """Whether there can be an engine on this system."""
    return sys.platform == "linux"


# --- for servers from elsewhere --------------------------------------------------------------


def propose(config: ServerConfig, paths: Paths) -> SandboxProposal:
    """What is proposed for a server that was not written here, or why nothing is.

    A server at a URL, and one of the app, has nothing to be asked about.
    """
    if config.transport != "stdio" or config.builtin:
        return SandboxProposal()
    why = _why_no_sandbox(config, paths)
    return SandboxProposal(None if why else Sandbox(preset="folders"), why)


def _why_no_sandbox(config: ServerConfig, paths: Paths) -> str:
    if not is_offered():
        return translatable("There are sandboxes on Linux alone.")
    program = find()
    if program is None:
        return translatable("There is no sandbox here: bubblewrap is not installed.")
    if said := why_not(program):
        return translatable("The system does not let bubblewrap work: {why}", why=said)
    if makes_container(config.command):
        return translatable("A server in a container has walls of its own.")
    judge = PlaceCheck(config.name, Path.home(), paths)
    launch = LaunchSpec(os.path.basename(config.command), config.args, {}, config.cwd)
    for folder in own_folders(config, launch):
        try:
            judge.own(folder)
        except SandboxError:
            return translatable("It asks for {folder}, which no sandbox opens.", folder=str(folder))
    return ""
