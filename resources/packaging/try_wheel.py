"""Tries what pip installs: `python -m resources.packaging.try_wheel FOLDER`.

From a clean copy of the checkout: the sdist and the wheel are built and compared, and the wheel is
installed into empty environments, with each extra and with none. Each runs its self-test; one also
starts in all the ways people start it, and shows a window in Chinese. uv builds and installs,
because five environments take pip minutes. Must not look into the checkout once the copy is made.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("desktop", "builtin_servers")
LIMIT = 300
"""Seconds for each command."""
UV = (sys.executable, "-m", "uv", "--quiet")
AT_ONCE = 2
"""Environments tried side by side: a self-test mostly waits."""
LANGUAGE, FIRST_PAGE = "zh_CN", "服务器"
"""What the first page is called in it."""

_SHOW = """\
import json, os, signal, sys, threading, time
from pathlib import Path
from desktop.__main__ import main

def look():
    from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
    shown = [w.text() for w in QApplication.allWidgets() if isinstance(w, QAbstractButton | QLabel)]
    print(json.dumps(shown), flush=True)
    os.kill(os.getpid(), signal.SIGTERM)

def watch(trace):
    while not (trace.exists() and '"ready"' in trace.read_text("utf-8")):
        time.sleep(0.05)
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication
    QTimer.singleShot(0, QApplication.instance(), look)

trace = Path(os.environ["MCP_DESKTOP_TRACE"])
threading.Thread(target=watch, args=[trace], daemon=True).start()
sys.exit(main([]))
"""
"""Opens the window as a person does, prints the texts of its labels and buttons, and quits it."""


class TrialError(Exception):
    """What was tried did not do as expected."""


@dataclass(frozen=True, slots=True)
class Installed:
    """An environment that holds the wheel with one extra, or with none."""

    folder: Path
    extra: str

    @property
    def name(self) -> str:
        return f"with {self.extra}" if self.extra else "with no extra"

    def program(self, name: str) -> str:
        return str(self.folder / ("Scripts" if sys.platform == "win32" else "bin") / name)

    def run(self, *command: str, **variables: str) -> str:
        """What a command of it prints, in a home of its own and away from the checkout."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        places = {
            "HOME": str(home),
            "QT_QPA_PLATFORM": "offscreen",
            "MCP_DESKTOP_CONFIG": str(home / "mcp.json"),
            "MCP_DESKTOP_DATA": str(home / "data"),
        }
        return run(*command, cwd=home, env=_without_python(os.environ) | places | variables)


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m resources.packaging.try_wheel FOLDER\n")
        return 2
    folder = Path(arguments[0]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    try:
        wheel = build(folder)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            tried = [pool.submit(try_extra, folder, wheel, one) for one in ("", *extras())]
            for one in tried:
                print(one.result(), flush=True)
    except TrialError as error:
        print(f"failed: {error}")
        return 1
    return 0


def extras() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return list(project["project"]["optional-dependencies"])


def build(folder: Path) -> Path:
    """Build the wheel in both ways, hold them against each other and the checkout; returns it."""
    clone = copy_checkout(folder / "clone")
    run(*UV, "build", "--out-dir", str(folder / "dist"), str(clone))
    (sdist,), (wheel,) = (folder / "dist").glob("*.tar.gz"), (folder / "dist").glob("*.whl")
    # As clean as before: else the second build would take what the first one compiled.
    for compiled in clone.rglob("*.qm"):
        compiled.unlink()
    run(*UV, "build", "--wheel", "--out-dir", str(folder / "direct"), str(clone))
    direct = folder / "direct" / wheel.name
    if direct.read_bytes() != wheel.read_bytes():
        raise TrialError(f"{direct} and the wheel of the sdist differ: {compare(direct, wheel)}")
    inside, expected = contents(wheel), expected_contents(clone)
    if wrong := inside ^ expected:
        raise TrialError(f"the wheel should not have, or lacks: {sorted(wrong)}")
    with tarfile.open(sdist) as packed:
        count = len(packed.getnames())
    print(f"sdist {sdist.stat().st_size / 1e6:.1f} MB, {count} files: builds the same wheel")
    print(f"wheel {wheel.stat().st_size / 1e6:.1f} MB, {len(inside)} files: what runs, no more")
    return wheel


def copy_checkout(target: Path) -> Path:
    """What a clone of the working tree would hold, without the files that were made in it."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():  # neither deleted nor a link to a folder
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    return target


def contents(wheel: Path) -> set[str]:
    """Its files but for what pip needs to know."""
    with zipfile.ZipFile(wheel) as packed:
        return {name for name in packed.namelist() if ".dist-info/" not in name}


def expected_contents(clone: Path) -> set[str]:
    """Code, icons, pages, compiled translations of a checkout, under their names in the wheel."""
    code = [
        file.relative_to(clone).as_posix()
        for package in PACKAGES
        for file in (clone / package).rglob("*")
        if file.suffix in {".py", ".pyi", ".json"} or file.name == "py.typed"
    ]
    resources = clone / "resources"
    read = [
        *(resources / "icons").rglob("*.svg"),
        *(resources / "mcp_apps").glob("host.*"),
        *(resources / "translations").glob("*.ts"),
    ]
    names = [PurePosixPath(file.relative_to(resources).as_posix()) for file in read]
    made = [name.with_suffix(".qm") if name.suffix == ".ts" else name for name in names]
    return {*code, *(f"desktop/_resources/{name}" for name in made)}


def compare(one: Path, other: Path) -> list[str]:
    """The files that only one of two archives has, or that differ."""
    found: list[set[tuple[str, int]]] = []
    for wheel in (one, other):
        with zipfile.ZipFile(wheel) as packed:
            found.append({(info.filename, info.CRC) for info in packed.infolist()})
    return sorted({name for name, _ in found[0] ^ found[1]})


def try_extra(folder: Path, wheel: Path, extra: str) -> str:
    """Install it into an empty environment and run it; what was seen, a line each.

    Raises:
        TrialError: something failed.
    """
    installed = install(folder / f"env-{extra or 'plain'}", wheel, extra)
    lines = [self_test(installed)]
    if not extra:
        lines += [start_in_all_ways(installed, wheel), see_translated(installed)]
    return "\n".join(f"{installed.name}: {line}" for line in lines)


def install(environment: Path, wheel: Path, extra: str) -> Installed:
    """The wheel and the versions that CI tests, and nothing else."""
    run(*UV, "venv", "--python", sys.executable, str(environment))
    wanted = f"mcp-desktop[{extra}] @ {wheel.as_uri()}" if extra else str(wheel)
    constraints = ("--constraints", str(ROOT / "constraints.txt"))
    run(*UV, "pip", "install", "--python", str(environment), *constraints, wanted)
    return Installed(environment, extra)


def self_test(installed: Installed) -> str:
    """Run it; what asks the model providers is there with every extra and with none."""
    said: dict[str, Any] = json.loads(
        installed.run(installed.program("mcp-desktop"), "self-test", "--json")
    )
    outcomes: dict[str, str] = {check["name"]: check["outcome"] for check in said["checks"]}
    if not said["ok"] or said["frozen"] or outcomes["model clients"] != "ok":
        raise TrialError(f"self-test {installed.name}: {json.dumps(said, indent=1)}")
    passed = sum(outcome == "ok" for outcome in outcomes.values())
    return f"self-test {passed} of {len(outcomes)} ok, the rest does not apply"


def start_in_all_ways(installed: Installed, wheel: Path) -> str:
    """The command, the package and uvx print the same."""
    uvx = (*UV, "tool", "run", "--python", sys.executable, "--from", str(wheel))
    ways = {
        "mcp-desktop": (installed.program("mcp-desktop"),),
        "python -m desktop": (installed.program("python"), "-m", "desktop"),
        "uvx mcp-desktop": (*uvx, "mcp-desktop"),
    }
    said = {
        way: [installed.run(*command, *args) for args in (["--version"], ["servers", "--json"])]
        for way, command in ways.items()
    }
    if len({json.dumps(printed) for printed in said.values()}) != 1:
        raise TrialError(f"not every way prints the same: {said}")
    return f"{', '.join(ways)} print the same"


def see_translated(installed: Installed) -> str:
    """Open the window in Chinese and find the name of its first page."""
    home = installed.folder / "home"
    settings = {"mcpDesktop": {"settings": {"language": LANGUAGE}}, "mcpServers": {}}
    (home / "mcp.json").write_text(json.dumps(settings), encoding="utf-8")
    program = (installed.program("python"), "-P", "-c", _SHOW)
    shown = json.loads(installed.run(*program, MCP_DESKTOP_TRACE=str(home / "trace.jsonl")))
    if FIRST_PAGE not in shown:
        raise TrialError(f"no {FIRST_PAGE} in the window: {shown}")
    return f"the window says {FIRST_PAGE}"


def run(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """What a command prints on stdout.

    Raises:
        TrialError: it failed, or took longer than `LIMIT`.
    """
    try:
        return subprocess.run(
            command,
            cwd=cwd,
            env=env,
            capture_output=True,
            encoding="utf-8",
            timeout=LIMIT,
            check=True,
        ).stdout
    except subprocess.CalledProcessError as error:
        words = f"exit code {error.returncode}: {' '.join(command)}"
        raise TrialError(f"{words}\n{error.stdout}\n{error.stderr}") from error
    except subprocess.TimeoutExpired as error:
        raise TrialError(f"no end within {LIMIT} s: {' '.join(command)}") from error


def _without_python(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without what would let an empty environment find more than it has."""
    return {name: value for name, value in environ.items() if not name.startswith("PYTHON")}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
