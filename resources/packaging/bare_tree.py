"""A bare Debian tree, made once by `debootstrap`: what a bundle needs, a display, and no Python.

Commands run in it with processes and mounts of their own. That takes Linux and root. Knows nothing
of what is tried in it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from shlex import quote

from resources.packaging import debian_package

TREE = Path(__file__).resolve().parents[2] / "build/bare-debian"
PERSON = "/home/person"
"""The home of an ordinary user of the tree, and where commands run."""
USER = "1000:1000"
PACKAGES = (
    *debian_package.LIBRARIES,
    *("fonts-dejavu-core", "xvfb", "xauth", "xdotool"),
    # What a desktop opens files and links with.
    *("libglib2.0-bin", "desktop-file-utils", "shared-mime-info"),
)
_ENVIRONMENT = f"HOME={PERSON} SHELL=/bin/bash LANG=C.UTF-8"


def why_not() -> str:
    """Why there can be no bare tree here; empty if there can."""
    if sys.platform != "linux":
        return "this is not Linux"
    if os.geteuid() != 0:
        return "that takes root"
    missing = [name for name in ("debootstrap", "unshare", "chroot") if not shutil.which(name)]
    return f"{', '.join(missing)} not found" if missing else ""


def make() -> None:
    """The tree of the Debian at hand, unless it is there already.

    Raises:
        subprocess.CalledProcessError: debootstrap failed.
        RuntimeError: there is a Python in it, so that it would show nothing.
    """
    done = TREE / "made"
    if not done.exists():
        shutil.rmtree(TREE, ignore_errors=True)
        TREE.mkdir(parents=True)
        options = ["--variant=minbase", f"--include={','.join(PACKAGES)}"]
        subprocess.run(["debootstrap", *options, codename(), TREE], check=True, stdout=2)
        done.touch()
    if pythons := list((TREE / "usr/bin").glob("python*")):
        raise RuntimeError(f"the bare tree has {pythons[0].name}")


def codename() -> str:
    """Of the Debian this is; elsewhere the stable one."""
    text = Path("/etc/os-release").read_text(encoding="utf-8")
    fields = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    is_debian = fields.get("ID", "").strip('"') == "debian"
    return fields.get("VERSION_CODENAME", "stable").strip('"') if is_debian else "stable"


def new_home() -> None:
    """An empty home for the person."""
    home = TREE / PERSON[1:]
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    if sys.platform == "win32":
        raise OSError("there is no bare tree on Windows")
    os.chown(home, 1000, 1000)


def as_person(command: str) -> str:
    """A step for `inside`: `command` by an ordinary user with the variables of a bare session."""
    script = quote(f"cd {PERSON}; {command}")
    enter = f"chroot --userspec={USER} . /usr/bin/env -i PATH=/usr/bin:/bin"
    return f"{enter} {_ENVIRONMENT} /bin/sh -c {script}"


def as_root(command: str) -> str:
    """A step for `inside`: `command` by root."""
    path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin"
    return f"chroot . /usr/bin/env -i {path} {_ENVIRONMENT} /bin/sh -c {quote(command)}"


def inside(step: str) -> list[str]:
    """The command that does a step in the tree.

    A shell stays above them: Xvfb tells no parent that is process 1 that it is ready. Whatever is
    left running is killed with it.
    """
    mounts = ("mount -t proc proc proc", "mount --bind /dev dev", "mount -t tmpfs none tmp")
    script = " && ".join([f"cd {quote(str(TREE))}", *mounts, "chmod 1777 tmp"])
    script = f"{script} && {step}; exit $?"
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-c", script]
