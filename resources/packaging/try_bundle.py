"""Tries a bundle where there is no Python and no checkout: `try_bundle.py BUNDLE`.

In a bare Debian tree, as an ordinary user: its self-test without a display and under Xvfb; then
installed from the .deb and from its own installer, used from the menu, and removed again. Where
there can be no such tree, the self-test runs on this machine, and it is said that this shows less.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from resources.packaging import bare_tree

HERE = Path(__file__).resolve().parent

LIMIT = 300
"""Seconds for one trial."""


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        sys.stderr.write("usage: try_bundle.py BUNDLE\n")
        return 2
    bundle = Path(arguments[0]).resolve()
    if reason := bare_tree.why_not() or _made():
        print(f"not tried in a bare tree: {reason}.")
        print("Tried on this machine instead, where Python and its libraries may be found:")
        return report("this machine", [str(bundle / executable()), "self-test", "--json"])
    put(bundle)
    program = "/opt/mcp-desktop/mcp-desktop self-test --json"
    plain, shown = bare_tree.as_person(program), bare_tree.as_person(f"xvfb-run -a {program}")
    failed = [
        report("bare tree, no display", bare_tree.inside(plain)),
        report("bare tree, Xvfb", bare_tree.inside(shown)),
        *(try_installed(way) for way in ("deb", "folder")),
    ]
    return int(any(failed))


def put(bundle: Path) -> None:
    """Into the tree: the bundle, the .deb that was made beside it, and what tries them."""
    opt = bare_tree.TREE / "opt"
    shutil.rmtree(opt)
    shutil.copytree(bundle, opt / "mcp-desktop", symlinks=True)
    for script in ("try_installed.sh", "use_installed.sh"):
        shutil.copy(HERE / script, opt)
    (package,) = bundle.parent.glob("mcp-desktop_*.deb")
    shutil.copy(package, opt / "mcp-desktop.deb")
    bare_tree.new_home()


def try_installed(way: str) -> int:
    """Install it as a person does, use it, remove it; 0 if all is well."""
    bare_tree.new_home()
    step = bare_tree.as_root(f"sh /opt/try_installed.sh {way}")
    return report_lines(f"installed ({way})", bare_tree.inside(step))


def executable() -> str:
    return "mcp-desktop.exe" if sys.platform == "win32" else "mcp-desktop"


def report(where: str, command: list[str]) -> int:
    """Run a self-test, print its checks; 0 if all is well."""
    code, out = _run(where, command)
    try:
        said: dict[str, Any] = json.loads(out)
    except ValueError:
        print(out)
        return 1
    for check in said["checks"]:
        print("{outcome:<8}{name:<20}{milliseconds:>6} ms  {words}".format(**check))
    return 0 if code == 0 and said["frozen"] and said["ok"] else 1


def report_lines(where: str, command: list[str]) -> int:
    """Run a trial that says a check a line, its parts between tabs; 0 if all is well."""
    code, out = _run(where, command)
    lines = [line.split("\t", 2) for line in out.splitlines()]
    for line in lines:
        print("{:<8}{:<20}{}".format(*line) if len(line) == 3 else line[0])
    is_good = any(line[0] == "ok" for line in lines) and all(line[0] != "failed" for line in lines)
    return 0 if code == 0 and is_good else 1


def _run(where: str, command: list[str]) -> tuple[int, str]:
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            env=_environment(),
            encoding="utf-8",
            timeout=LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        print(f"\n{where}: no end within {LIMIT} s")
        return 1, (error.stdout or b"").decode("utf-8", "replace")
    print(f"\n{where}: exit code {done.returncode}")
    return done.returncode, done.stdout


def _environment() -> dict[str, str]:
    """As a session without Python has it. On Windows nothing runs without the system's own."""
    if sys.platform == "win32":
        return {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    return {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}


def _made() -> str:
    """Make the tree; why there is none, or empty."""
    try:
        bare_tree.make()
    except (OSError, subprocess.CalledProcessError) as error:
        return f"debootstrap did not make one ({error})"
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
