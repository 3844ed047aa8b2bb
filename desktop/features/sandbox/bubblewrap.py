"""Starts a server in its sandbox: what it may touch, and bubblewrap, which holds it to that.

Nothing is opened that holds all of the home folder, or this app's own files; links are followed
before a folder is judged. All that a server starts lives in a PID namespace. That ends with its
first process, and the process with the app's keeper. A package that npx or uvx runs is fetched
before a sandbox without network closes. Never starts anything without the sandbox that was asked
for. Source: bwrap(1) of bubblewrap 0.8.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from desktop.base.errors import NextStep
from desktop.base.file_url import is_file_url, path_of
from desktop.base.paths import program_command
from desktop.base.translatable import translatable
from desktop.processes.package_runners import PACKAGE_OPTIONS, find_runner
from desktop.servers.transport.launch import SandboxError
from desktop.values.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from desktop.base.paths import Paths
    from desktop.config.models import ServerConfig
    from desktop.processes.process import LaunchSpec

SYSTEM: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/gnu", "/etc",
)  # fmt: skip
"""Folders of the system, which every server may read."""
TOOLCHAINS: Final = (
    ".asdf", ".bun", ".cargo/bin", ".deno", ".fnm", ".linuxbrew", ".local/bin", ".local/lib",
    ".local/pipx", ".local/share/fnm", ".local/share/mise", ".local/share/pipx",
    ".local/share/pnpm", ".local/share/uv", ".npm-global", ".npm-packages", ".nvm", ".pyenv",
    ".rbenv", ".rustup", ".volta",
)  # fmt: skip
"""Where people have the programs that start servers, below their home; to be read alone."""
_SCRIPT: Final = re.compile(r"\.(py|[cm]?[jt]s|rb|php|jar)\Z")
_PROJECT: Final = ("package.json", "pyproject.toml", "deno.json", ".git")
"""What lies in the folder of a whole program; a script may load any of it."""
_CERTIFICATES: Final = ("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE")
_MAX_ABOVE: Final = 4
_CONTAINERS: Final = frozenset({"docker", "podman", "nerdctl"})
TRY_SECONDS: Final = 5.0
_HIDDEN: Final = (
    "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/krb5.keytab",
    "/etc/sudoers", "/etc/machine-id", "/proc/sysrq-trigger",
)  # fmt: skip
_HIDDEN_FOLDERS: Final = (
    "/etc/ssh", "/etc/ssl/private", "/etc/sudoers.d", "/etc/wireguard",
    "/etc/NetworkManager/system-connections",
)  # fmt: skip
_KERNEL: Final = tuple(map(Path, ("/proc", "/sys", "/dev", "/run")))
_EMPTY: Final = ("/tmp", "/var/tmp", "/run")  # noqa: S108 - empty ones of the server alone
_CONNECTIONS: Final = (
    "DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "DISPLAY", "GPG_AGENT_INFO",
    "SSH_AGENT_PID", "SSH_AUTH_SOCK", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "TMPDIR", "TMP", "TEMP",
)  # fmt: skip
"""Variables that lead to the person's desktop, keys and folders, none of which is there."""
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
_FETCHES: Final = {"npx": ("--package", ("-c", "true")), "uvx": ("--from", ("true",))}
"""By what people call a runner: its option for a package, and a program that does nothing."""


def confine(config: ServerConfig, launch: LaunchSpec, paths: Paths) -> LaunchSpec:
    """The same start inside its sandbox.

    Raises:
        SandboxError: there is no engine, or a folder cannot be opened.
    """
    program = _engine(config.name)
    walls = walls_of(config, launch, paths)
    command = [launch.command, *launch.args]
    fetch = [] if walls.has_network else _fetching(command)
    if fetch:
        walls = replace(walls, home=_home_of(fetch, walls.home))
    _make_home(config.name, walls.home)
    home = launch.environment.get("HOME") or str(walls.home)
    environment = _environment(launch.environment, config.env) | {"HOME": home}
    words = _behind_gate(wrap(program, walls, home, command, _OFFLINE if fetch else {}), walls)
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
    """What fetches has the network, and may run the package's scripts: it gets nothing to take."""
    sandbox = {"preset": "strict", "network": True}
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


# --- what a server may touch ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Walls:
    """The folders and files that a server may `read` and `write`, by their real places.

    `links` are other ways to them, each with where it leads. Without all of the network, `hosts`
    are those that it may reach.
    `home` stands in the place of the person's home folder, and is this server's alone.
    """

    read: tuple[Path, ...]
    write: tuple[Path, ...]
    links: tuple[tuple[Path, Path], ...]
    has_network: bool
    hosts: tuple[str, ...]
    home: Path
    cwd: Path


def walls_of(config: ServerConfig, launch: LaunchSpec, paths: Paths) -> Walls:
    """What a server may touch.

    Args:
        config: with its variables replaced, its sandbox on.
        launch: what would be started without one.
        paths: of this app, whose files no server may touch.

    Raises:
        SandboxError: a folder is not there, or opens too much; or it runs in a container.
    """
    if PurePath(launch.command).name in _CONTAINERS:
        raise SandboxError(
            config.name,
            translatable("A server in a container has walls of its own"),
            remedy=translatable(
                'Say in its command what it may touch, and set "sandbox" to "off".'
            ),
            steps=(NextStep("edit"),),
        )
    home = Path(launch.environment.get("HOME") or Path.home())
    judge = _Judge(config.name, home, paths)
    sandbox = config.sandbox
    read = [judge.named(text) for text in sandbox.read]
    write = [judge.named(text) for text in sandbox.write]
    programs = [*_programs(launch, home), *_named_files(config, launch)]
    read += {Path(os.path.realpath(each)) for each in programs}
    if sandbox.preset != "strict":
        write += [judge.own(folder) for folder in _own_folders(config, launch)]
        if (cwd := _chosen_cwd(config, launch, home, paths)) is not None:
            (read if config.source == "given" else write).append(judge.own(cwd))
    write = _outermost(write)
    read = [each for each in _outermost(read) if not _is_within(each, write)]
    cwd = Path(launch.cwd or home)
    is_seen = _is_within(Path(os.path.realpath(cwd)), [*read, *write, *map(Path, SYSTEM)])
    return Walls(
        tuple(read),
        tuple(write),
        tuple(_links(programs, [*read, *write])),
        sandbox.has_network,
        sandbox.hosts,
        private_home(paths, config.name),
        cwd if is_seen else home,
    )


def private_home(paths: Paths, server: str) -> Path:
    """The folder that a server has for its home; it is not made here."""
    slug = re.sub(r"[^A-Za-z0-9._-]+", "_", server).strip("._") or "server"
    digits = hashlib.sha256(server.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return paths.data / "sandbox" / f"{slug[:40]}-{digits}" / "home"


class _Judge:
    """Refuses what would open too much."""

    def __init__(self, server: str, home: Path, paths: Paths) -> None:
        self._server, self._home = server, Path(os.path.realpath(home))
        self._ours = [Path(os.path.realpath(each)) for each in (paths.data, paths.config)]

    def named(self, text: str) -> Path:
        """A place that the sandbox names."""
        place = Path(os.path.expanduser(text))
        if not place.is_absolute() or "${" in text:
            raise self._refusal(translatable("{place} is not a whole path", place=text))
        if not place.exists():
            raise self._refusal(translatable("{place} does not exist", place=text))
        return self.own(place)

    def own(self, place: Path) -> Path:
        """A place that exists."""
        real = Path(os.path.realpath(place))
        if real == self._home or real in self._home.parents:
            raise self._refusal(translatable("{place} holds all of your home", place=str(place)))
        for ours in self._ours:
            if real == ours or real in ours.parents or ours in real.parents:
                raise self._refusal(
                    translatable("{place} holds files of mcp-desktop itself", place=str(place))
                )
        if _is_within(real, _KERNEL):
            raise self._refusal(translatable("{place} is the system's", place=str(place)))
        return real

    def _refusal(self, why: str) -> SandboxError:
        return SandboxError(
            self._server,
            translatable("Its sandbox cannot be made: {why}", why=why),
            remedy=translatable("Name a folder below it, or take it out."),
            steps=(NextStep("edit"),),
        )


def _own_folders(config: ServerConfig, launch: LaunchSpec) -> Iterator[Path]:
    """The folders that its roots and its arguments name, and that are there."""
    for root in config.roots:
        yield from _folder(path_of(root) if is_file_url(root) else root, launch)
    for argument in launch.args:
        yield from _folder(argument.partition("=")[2] if argument[:1] == "-" else argument, launch)


def _folder(text: str, launch: LaunchSpec) -> Iterator[Path]:
    if not text or "/" not in text:
        return
    place = Path(launch.cwd or "/") / os.path.expanduser(text)
    if place.is_dir():
        yield place


def _chosen_cwd(config: ServerConfig, launch: LaunchSpec, home: Path, paths: Paths) -> Path | None:
    """The folder it runs in, where somebody chose that: not the home, nor what holds it."""
    cwd = Path(os.path.realpath(launch.cwd or home))
    real_home = Path(os.path.realpath(home))
    usual = Path(os.path.realpath(paths.folder))
    if cwd in (real_home, usual) or cwd in real_home.parents or str(cwd) == "/":
        return None
    return cwd if cwd.is_dir() else None


def _programs(launch: LaunchSpec, home: Path) -> list[Path]:
    """What is read to run it, as it is named: the command and its surroundings, scripts, tools."""
    found = [home / each for each in TOOLCHAINS]
    found += [Path(each) for each in launch.environment.get("PATH", "").split(os.pathsep) if each]
    for command in (launch.command, os.path.realpath(launch.command)):
        found.append(_prefix(Path(command), home))
    for argument in launch.args:
        file = Path(launch.cwd or "/") / os.path.expanduser(argument)
        if "\0" not in argument and _is_file(file):
            found.append(_project(file, home) if _SCRIPT.search(argument) else file)
    there = {Path(os.path.normpath(each)) for each in found if each.is_absolute()}
    shut = (home, *home.parents)
    return sorted(
        each
        for each in there
        if each.exists()
        and not _is_system(Path(os.path.realpath(each)))
        and Path(os.path.realpath(each)) not in shut
    )


def _named_files(config: ServerConfig, launch: LaunchSpec) -> list[Path]:
    """The files that its variables name: credentials that the config gives it, certificates."""
    values = [*config.env.values(), *(launch.environment.get(name, "") for name in _CERTIFICATES)]
    named = {Path(value) for value in values if value.startswith("/") and "\0" not in value}
    return sorted(each for each in named if _is_file(each) and not _is_system(each))


def _links(programs: Iterable[Path], opened: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """The programs that are named by another way than their real one, with that."""
    linked: list[Path] = []
    for place in programs:  # sorted: a folder before what lies in it
        real = Path(os.path.realpath(place))
        if real != place and not _is_within(place, [*opened, *linked]) and not _is_system(place):
            linked.append(place)
            yield real, place


def _is_file(file: Path) -> bool:
    try:
        return file.is_file()
    except (OSError, ValueError):
        return False


def _prefix(command: Path, home: Path) -> Path:
    """The folder of an installation or a virtual environment, else the program's own file."""
    above = command.parent.parent
    is_whole = (above / "pyvenv.cfg").is_file() or (above / "lib").is_dir()
    is_wide = above in (home, home / ".local", *home.parents)
    return above if command.parent.name == "bin" and is_whole and not is_wide else command


def _project(script: Path, home: Path) -> Path:
    """The folder of the program that a script belongs to; in the home itself the script alone."""
    real = Path(os.path.realpath(script))
    folder = real.parent
    for above in [folder, *folder.parents][:_MAX_ABOVE]:
        if above in (home, *home.parents):
            break
        if any((above / name).exists() for name in _PROJECT):
            return above
    return real if folder in (home, *home.parents) else folder


def _is_system(place: Path) -> bool:
    return _is_within(place, map(Path, SYSTEM))


def _is_within(place: Path, folders: Iterable[Path]) -> bool:
    return any(place == each or each in place.parents for each in folders)


def _outermost(places: Iterable[Path]) -> list[Path]:
    """Without those that lie in another: a server could put a link in the place of such a one."""
    kept: list[Path] = []
    for place in sorted(set(places), key=lambda each: (len(each.parts), each)):
        if not _is_within(place, kept):
            kept.append(place)
    return kept
