"""The engine on Linux: bubblewrap, which gives a server its own view of files, processes, network.

Everything that it starts lives in a PID namespace that ends with its first process, and that ends
with the app's keeper. Source: bwrap(1) of bubblewrap 0.8. Must not decide what is open.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from desktop.features.sandbox.walls import SYSTEM
from desktop.values.tool_types import EMPTY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.features.sandbox.walls import Walls

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
) -> list[str]:
    """The whole command line.

    Args:
        program: of bubblewrap.
        walls: what is open.
        home: the path of the person's home folder, where the server's own is seen.
        command: what runs inside, a full path first.
        variables: are set inside.
    """
    words = [program, "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    words += ["--die-with-parent", "--cap-drop", "ALL"]
    words += [] if walls.has_network else ["--unshare-net"]
    for folder in SYSTEM:
        words += _system(folder)
    words += ["--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"]
    for folder in _EMPTY:
        words += ["--tmpfs", folder]
    for file in _HIDDEN:
        words += ["--ro-bind", "/dev/null", file] if os.path.exists(file) else []
    for folder in _HIDDEN_FOLDERS:
        words += ["--tmpfs", folder] if os.path.isdir(folder) else []
    if walls.has_network and os.path.islink("/etc/resolv.conf"):
        real = os.path.realpath("/etc/resolv.conf")
        words += ["--ro-bind-try", real, real]
    words += ["--bind", str(walls.home), home]
    for real, place in walls.links:
        words += ["--dir", str(place.parent), "--symlink", str(real), str(place)]
    for place in walls.read:
        words += ["--ro-bind", str(place), str(place)]
    for place in walls.write:
        words += ["--bind", str(place), str(place)]
    for name, value in variables.items():
        words += ["--setenv", name, value]
    return [*words, "--chdir", str(walls.cwd), "--", *command]


def _system(folder: str) -> list[str]:
    if os.path.islink(folder):
        return ["--symlink", os.readlink(folder), folder]
    return ["--ro-bind", folder, folder] if os.path.isdir(folder) else []


def environment(given: Mapping[str, str], chosen: Mapping[str, str]) -> dict[str, str]:
    """The variables of a server without those that lead outside, unless its config has them."""
    return {
        name: value for name, value in given.items() if name not in _CONNECTIONS or name in chosen
    }


def make_home(walls: Walls) -> None:
    """Make the folder that is the server's home; an empty one, where nothing of it is kept."""
    walls.home.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    walls.home.mkdir(mode=0o700, exist_ok=True)


def is_offered() -> bool:
    """Whether there can be an engine on this system."""
    return sys.platform == "linux"
