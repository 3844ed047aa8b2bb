"""The published servers of `servers.toml`: how each is installed and started.

Knows npm and uv, and nothing of clients. Each server is installed into a folder of its own, which
is all that has to be removed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from tests.wild.bounded import run_bounded

if TYPE_CHECKING:
    from pathlib import Path

Source: TypeAlias = Literal["npm", "pypi"]
FOLDER = "{folder}"
"""Stands in arguments and variables for a new, empty folder."""


class InstallError(Exception):
    """Why a server is not installed, in the words of the installer."""


@dataclass(frozen=True, slots=True)
class PublishedServer:
    """One entry of the list. `program` is empty where the package has only one; `needs` is what
    the server lacks here.

    A server with `needs` (a key that works, a database, the network) is tried like the others and
    may fail with all clients alike.
    """

    name: str
    source: Source
    package: str
    program: str
    args: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict[str, str])
    needs: str = ""

    def entry(self, installed: Path, folder: Path) -> dict[str, Any]:
        """Its entry under `mcpServers`, once it is installed.

        Raises:
            InstallError: the package has no program, or several and none called like it.
        """
        bin_folder = "node_modules/.bin" if self.source == "npm" else "bin"
        args = [argument.replace(FOLDER, str(folder)) for argument in self.args]
        env = {name: value.replace(FOLDER, str(folder)) for name, value in self.env.items()}
        program = self.program or self._find_program(installed)
        return {"command": str(installed / bin_folder / program), "args": args, "env": env}

    def _find_program(self, installed: Path) -> str:
        alike = self.package.rpartition("/")[2]
        if self.source == "pypi":
            return alike
        manifest = json.loads(
            (installed / "node_modules" / self.package / "package.json").read_text("utf-8")
        )
        declared: str | dict[str, str] = manifest.get("bin", {})
        # npm leaves the scope out of a program's name, as it does where the package names none.
        names = [alike] if isinstance(declared, str) else declared
        programs = [name.rpartition("/")[2] for name in names]
        if alike in programs:
            return alike
        if len(programs) == 1:
            return programs[0]
        raise InstallError(f"say its program, one of: {', '.join(programs) or 'none'}")


def read_servers(file: Path) -> list[PublishedServer]:
    """The servers of the list, in its order.

    Raises:
        ValueError: an entry names no package, or has a key that is not known.
    """
    servers: list[PublishedServer] = []
    for name, entry in tomllib.loads(file.read_text("utf-8")).items():
        sources: list[Source] = [source for source in ("npm", "pypi") if source in entry]
        unknown = set(entry) - {"npm", "pypi", "program", "args", "env", "needs"}
        if len(sources) != 1 or unknown:
            raise ValueError(f"{file.name}: {name}: one of npm and pypi, and no {sorted(unknown)}")
        (source,) = sources
        package = entry[source]
        servers.append(
            PublishedServer(
                name,
                source,
                package,
                entry.get("program", ""),
                tuple(entry.get("args", ())),
                entry.get("env", {}),
                entry.get("needs", ""),
            )
        )
    return servers


def install(server: PublishedServer, folder: Path, uv: Path, limit: float) -> str:
    """Install into the new `folder` and return the version.

    Raises:
        InstallError: it took longer than `limit` seconds, or the installer failed.
    """
    folder.mkdir(parents=True)
    if server.source == "npm":
        # No script of a package runs here: some fetch a browser of 300 MB.
        options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        run("npm", "install", *options, "--prefix", folder, server.package, limit=limit)
        manifest = folder / "node_modules" / server.package / "package.json"
        return json.loads(manifest.read_text("utf-8"))["version"]
    run(uv, "venv", "--quiet", "--allow-existing", "--python", sys.executable, folder, limit=limit)
    # Compiled, or whichever client comes first waits for it.
    options = ["--quiet", "--compile-bytecode", "--python", folder]
    run(uv, "pip", "install", *options, server.package, limit=limit)
    listed = run(uv, "pip", "show", "--python", folder, server.package, limit=limit)
    lines = (line.partition(": ") for line in listed.splitlines())
    return next((value for key, _, value in lines if key == "Version"), "?")


def run(*command: str | Path, limit: float) -> str:
    """What an installer prints; it gives way to everything else on the machine.

    Raises:
        InstallError: it failed, or took longer than `limit` seconds.
    """
    gentle = (nice, "-n", "10") if (nice := shutil.which("nice")) else ()
    try:
        done = run_bounded([*gentle, *map(str, command)], limit)
    except subprocess.TimeoutExpired:
        raise InstallError(f"not installed within {limit:.0f} s") from None
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no reason"]
        raise InstallError(" ".join(lines)[:200])
    return done.stdout
