"""Runs a bundle's self-test where there is no Python and no checkout: `try_bundle.py BUNDLE`.

As an ordinary user in a bare Debian tree that `debootstrap` makes once, first without a display,
then under Xvfb. That needs Linux and root; elsewhere the self-test runs on this machine with an
empty environment, and it is said that this shows less.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TREE = ROOT / "build/bare-debian"
LIMIT = 300
"""Seconds for one self-test."""
# What the .deb depends on, and a display; no Python.
PACKAGES = (
    "libdbus-1-3,libegl1,libgl1,libfontconfig1,libfreetype6,libx11-6,libx11-xcb1,libxcb1,"
    "fonts-dejavu-core,xvfb,xauth"
)
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}  # noqa: S108 - of the tree
USER = "1000:1000"


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        sys.stderr.write("usage: try_bundle.py BUNDLE\n")
        return 2
    bundle = Path(arguments[0]).resolve()
    reason = why_not()
    if reason:
        print(f"not tried in a bare tree: {reason}.")
        print("Tried on this machine instead, where Python and its libraries may be found:")
        return report("this machine", [str(bundle / executable()), "self-test", "--json"])
    make_tree()
    inside = TREE / "opt/mcp-desktop"
    shutil.rmtree(inside, ignore_errors=True)
    shutil.copytree(bundle, inside, symlinks=True)
    plain = report("bare tree, no display", in_tree("/opt/mcp-desktop/mcp-desktop"))
    shown = report("bare tree, Xvfb", in_tree("xvfb-run -a /opt/mcp-desktop/mcp-desktop"))
    return plain or shown


def why_not() -> str:
    """Why there can be no bare tree here; empty if there can."""
    if not sys.platform.startswith("linux"):
        return "this is not Linux"
    if os.geteuid() != 0:
        return "that takes root"
    missing = [name for name in ("debootstrap", "unshare", "chroot") if not shutil.which(name)]
    return f"{', '.join(missing)} not found" if missing else ""


def executable() -> str:
    return "mcp-desktop.exe" if sys.platform == "win32" else "mcp-desktop"


def make_tree() -> None:
    """The tree of the Debian at hand, unless it is there already."""
    if (TREE / "usr/bin/xvfb-run").exists():
        return
    TREE.mkdir(parents=True, exist_ok=True)
    options = ["--variant=minbase", f"--include={PACKAGES}"]
    subprocess.run(["debootstrap", *options, codename(), TREE], check=True, stdout=2)


def codename() -> str:
    """Of the Debian this is; elsewhere the stable one."""
    text = Path("/etc/os-release").read_text(encoding="utf-8")
    fields = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    is_debian = fields.get("ID", "").strip('"') == "debian"
    return fields.get("VERSION_CODENAME", "stable").strip('"') if is_debian else "stable"


def in_tree(program: str) -> list[str]:
    """The command that runs `program self-test` in the tree, with its own processes and mounts.

    A shell stays above it: Xvfb tells no parent that is process 1 that it is ready.
    """
    variables = " ".join(f"{name}={value}" for name, value in ENVIRONMENT.items())
    script = (
        f"mount -t proc proc {TREE}/proc; mount --bind /dev {TREE}/dev; "
        f"chroot --userspec={USER} {TREE} /usr/bin/env -i {variables} "
        f"/bin/sh -c 'cd /tmp; {program} self-test --json; exit $?'; exit $?"
    )
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", script]


def report(where: str, command: list[str]) -> int:
    """Run it, print its checks; 0 if all is well."""
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        env={"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")},
        encoding="utf-8",
        timeout=LIMIT,
        check=False,
    )
    print(f"\n{where}: exit code {done.returncode}")
    try:
        said: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        print(done.stdout)
        return 1
    for check in said["checks"]:
        print("{outcome:<8}{name:<20}{milliseconds:>6} ms  {words}".format(**check))
    return 0 if done.returncode == 0 and said["frozen"] and said["ok"] else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
