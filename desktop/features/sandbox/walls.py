"""What a server in a sandbox may touch: the folders and files, the hosts, and what is refused.

Nothing is opened that holds all of the home folder, or this app's own files; links are followed
before a folder is judged. Must know no engine that holds a server to it.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from desktop.base.errors import NextStep
from desktop.base.file_url import is_file_url, path_of
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import translatable
from desktop.servers.transport.launch import SandboxError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from desktop.base.paths import Paths
    from desktop.config.models import ServerConfig
    from desktop.processes.process import LaunchSpec

SYSTEM: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix", "/gnu", "/etc",
)  # fmt: skip
"""Folders of the system, which every server may read."""
TOOLCHAINS: Final = (
    ".asdf", ".bun/bin", ".cargo/bin", ".deno/bin", ".fnm", ".linuxbrew", ".local/bin",
    ".local/lib", ".local/pipx", ".local/share/fnm", ".local/share/mise", ".local/share/pipx",
    ".local/share/pnpm", ".local/share/uv/python", ".npm-global", ".npm-packages", ".nvm", ".pyenv",
    ".rbenv", ".rustup", ".volta",
)  # fmt: skip
"""Where people have the programs that start servers, below their home; to be read alone."""
_SCRIPT: Final = compile_later(r"\.(py|[cm]?[jt]s|rb|php|jar)\Z")
_PROJECT: Final = ("package.json", "pyproject.toml", "deno.json", ".git")
"""What lies in the folder of a whole program; a script may load any of it."""
_CERTIFICATES: Final = ("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE")
_MAX_ABOVE: Final = 4
_KERNEL: Final = tuple(map(Path, ("/proc", "/sys", "/dev", "/run")))


class Walls(Struct, frozen=True):
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
        SandboxError: a folder is not there, or opens too much.
    """
    home = Path(launch.environment.get("HOME") or Path.home())
    judge = PlaceCheck(config.name, home, paths)
    sandbox = config.sandbox
    read = [judge.named(text) for text in sandbox.read]
    write = [judge.named(text) for text in sandbox.write]
    bundle = _bundle(config, paths)
    programs = [*_programs(config, launch, home), *_named_files(config, launch)]
    programs = [each for each in programs if is_within(each, bundle) or not judge.is_ours(each)]
    read += {Path(os.path.realpath(each)) for each in programs}
    read += bundle
    if sandbox.preset != "strict":
        folders = [each for each in own_folders(config, launch) if not is_within(each, bundle)]
        write += [judge.own(folder) for folder in folders]
        cwd = _chosen_cwd(config, launch, home, paths)
        if cwd is not None and not is_within(cwd, bundle):
            (read if config.source == "given" else write).append(judge.own(cwd))
    write = _outermost(write)
    read = [each for each in _outermost(read) if not is_within(each, write)]
    cwd = Path(launch.cwd or home)
    is_seen = is_within(Path(os.path.realpath(cwd)), [*read, *write, *map(Path, SYSTEM)])
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


class PlaceCheck:
    """Refuses what would open too much."""

    def __init__(self, server: str, home: Path, paths: Paths) -> None:
        self._server = server
        # An entry may say another home than the person's.
        self._homes = [Path(os.path.realpath(each)) for each in (home, Path.home())]
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
        if any(real == home or real in home.parents for home in self._homes):
            raise self._refusal(translatable("{place} holds all of your home", place=str(place)))
        if self.is_ours(real):
            raise self._refusal(
                translatable("{place} holds files of mcp-desktop itself", place=str(place))
            )
        if is_within(real, _KERNEL):
            raise self._refusal(translatable("{place} is the system's", place=str(place)))
        return real

    def is_ours(self, place: Path) -> bool:
        """Whether it is or holds files of this app."""
        real = Path(os.path.realpath(place))
        return any(
            real == ours or real in ours.parents or ours in real.parents for ours in self._ours
        )

    def _refusal(self, why: str) -> SandboxError:
        return SandboxError(
            self._server,
            translatable("Its sandbox cannot be made: {why}", why=why),
            remedy=translatable("Name a folder below it, or take it out."),
            steps=(NextStep("edit"),),
        )


def own_folders(config: ServerConfig, launch: LaunchSpec) -> Iterator[Path]:
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


def _bundle(config: ServerConfig, paths: Paths) -> list[Path]:
    """The folder of the MCP bundle that it runs from: this app's, but this server may read it."""
    if str(paths.bundles) not in " ".join((config.command, *config.args, config.cwd or "")):
        return []
    from desktop.config.imports.bundles import folder_of

    folder = folder_of(config, paths.bundles)
    return [Path(os.path.realpath(folder))] if folder is not None and folder.is_dir() else []


def _programs(config: ServerConfig, launch: LaunchSpec, home: Path) -> list[Path]:
    """What is read to run it, as it is named: the command and its surroundings, scripts, tools."""
    found = [home / each for each in TOOLCHAINS]
    if "PATH" not in config.env:  # else an entry could open any folder in the name of a program
        path = launch.environment.get("PATH", "")
        found += [Path(each) for each in path.split(os.pathsep) if each]
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
        if real != place and not is_within(place, [*opened, *linked]) and not _is_system(place):
            linked.append(place)
            yield real, place


def _is_file(file: Path) -> bool:
    try:
        return file.is_file()
    except (OSError, ValueError):
        return False


def _prefix(command: Path, home: Path) -> Path:
    """The folder of an installation or a virtual environment, else the program's own file."""
    if (modules := _node_modules(command)) is not None:
        return modules
    above = command.parent.parent
    is_whole = (above / "pyvenv.cfg").is_file() or (above / "lib").is_dir()
    is_wide = above in (home, home / ".local", *home.parents)
    return above if command.parent.name == "bin" and is_whole and not is_wide else command


def _project(script: Path, home: Path) -> Path:
    """The folder of the program that a script belongs to; in the home itself the script alone."""
    real = Path(os.path.realpath(script))
    if (modules := _node_modules(real)) is not None:
        return modules
    folder = real.parent
    for above in [folder, *folder.parents][:_MAX_ABOVE]:
        if above in (home, *home.parents):
            break
        if any((above / name).exists() for name in _PROJECT):
            return above
    return real if folder in (home, *home.parents) else folder


def _node_modules(file: Path) -> Path | None:
    """The outermost folder of this name that a file is in: packages there load each other."""
    parts = file.parts
    return Path(*parts[: parts.index("node_modules") + 1]) if "node_modules" in parts else None


def _is_system(place: Path) -> bool:
    return is_within(place, map(Path, SYSTEM))


def is_within(place: Path, folders: Iterable[Path]) -> bool:
    return any(place == each or each in place.parents for each in folders)


def _outermost(places: Iterable[Path]) -> list[Path]:
    """Without those that lie in another: a server could put a link in the place of such a one."""
    kept: list[Path] = []
    for place in sorted(set(places), key=lambda each: (len(each.parts), each)):
        if not is_within(place, kept):
            kept.append(place)
    return kept
