"""Linux without what macOS lacks, as `darwin`: for the tests of `make test-platforms`.

Takes away /proc (of all code but psutil's, which has another way there), pidfds, memfds and
SO_PEERCRED, and gives what macOS has: a kqueue that reports the end of a child with its status,
LOCAL_PEERCRED, and a `ps` that lists environments. Every interpreter that has this folder in its
PYTHONPATH is emulated: that of the tests, and those of the programs that they start.
"""

from __future__ import annotations

import asyncio
import builtins
import ctypes.util
import importlib.util
import inspect
import io
import multiprocessing
import os
import select
import socket
import ssl
import struct
import subprocess
import sys
import sysconfig
import tempfile
import urllib.request
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import psutil as _psutil

if sys.platform != "linux":
    raise ImportError("this is for Linux")

if TYPE_CHECKING:
    from collections.abc import Callable

_ALREADY = (
    *(asyncio, ctypes.util, multiprocessing, ssl, subprocess, tempfile, urllib.request, uuid),
    _psutil,
)
"""What looks at `sys.platform` when it is imported: the interpreter itself stays that of Linux."""

HERE = Path(__file__).parent
LOCAL_PEERCRED = 1


def _hide_proc(function: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(path: Any, *args: Any, **kwargs: Any) -> Any:
        if isinstance(path, str | bytes | os.PathLike) and not isinstance(path, int):
            text = os.fspath(cast("str | bytes | os.PathLike[str]", path))
            name = os.fsdecode(text)
            is_there = name == "/proc" or name.startswith("/proc/")
            if is_there and not _is_trusted(inspect.currentframe()):
                raise FileNotFoundError(2, "No such file or directory", name)
        return function(path, *args, **kwargs)

    return guarded


def _is_trusted(frame: Any) -> bool:
    """Whether psutil asks, or the interpreter itself."""
    for _ in range(5):
        if frame is None:
            return False
        name = frame.f_globals.get("__name__", "")
        if name.partition(".")[0] in ("psutil", "subprocess", "multiprocessing", "_pytest"):
            return True
        frame = frame.f_back
    return False


class _Event:
    """`select.kevent`."""

    def __init__(self, ident: int, filter: int = 0, flags: int = 0, fflags: int = 0) -> None:
        self.ident, self.filter, self.flags, self.fflags = ident, filter, flags, fflags
        self.data = 0


class _Queue:
    """`select.kqueue`, for one child at a time."""

    def control(self, wanted: list[_Event], _most: int, _limit: None) -> list[_Event]:
        event = wanted[0]
        # An ended child is not found there any more, although nobody has reaped it.
        ended = os.WEXITED | os.WNOWAIT
        if _waitid(os.P_PID, event.ident, ended | os.WNOHANG) is not None:
            raise ProcessLookupError(3, "No such process")
        told = _waitid(os.P_PID, event.ident, ended)
        assert told is not None
        exited = told.si_code == os.CLD_EXITED
        event.data = told.si_status << 8 if exited else told.si_status
        return [event]

    def close(self) -> None: ...


def _getsockopt(self: socket.socket, level: int, option: int, size: int = 0) -> Any:
    if (level, option) != (0, LOCAL_PEERCRED):
        return socket.SocketType.getsockopt(self, level, option, size)
    told = socket.SocketType.getsockopt(self, socket.SOL_SOCKET, _SO_PEERCRED, 12)
    _, uid, gid = struct.unpack("3i", told)
    # xucred of sys/ucred.h: version, effective user, number of groups, sixteen groups.
    return struct.pack("IIh2x16I", 0, uid, 1, gid, *[0] * 15)[:size]


_waitid = os.waitid
_SO_PEERCRED = socket.SO_PEERCRED


def emulate() -> None:
    """Do it, once."""
    sysconfig.get_config_vars()  # kept: it reads a file with the name of the platform
    sys.platform = "darwin"
    for module, name in ((os, "pidfd_open"), (os, "memfd_create"), (socket, "SO_PEERCRED")):
        if hasattr(module, name):
            delattr(module, name)
    for module, name in ((builtins, "open"), (io, "open"), (os, "listdir"), (os, "readlink")):
        setattr(module, name, _hide_proc(getattr(module, name)))
    cast("Any", socket.socket).getsockopt = _getsockopt
    for name, value in (
        ("kqueue", _Queue),
        ("kevent", _Event),
        ("KQ_FILTER_PROC", -5),
        ("KQ_EV_ADD", 1),
        ("KQ_EV_ONESHOT", 0x10),
        ("KQ_EV_ERROR", 0x4000),
        ("KQ_NOTE_EXIT", 0x80000000),
    ):
        setattr(select, name, value)
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [str(HERE), *filter(None, [os.environ.get("PYTHONPATH", "")])]
    )
    _emulate_watcher()


def _emulate_watcher() -> None:
    """The watcher runs without site-packages, so without `sitecustomize`."""
    from desktop.base import paths
    from desktop.processes import macos

    macos.PS = str(HERE / "ps")
    before = paths.guardian_command

    def guardian_command() -> list[str]:
        _, *_, word = before()
        return [sys.executable, str(HERE / "watcher.py"), word]

    macos.guardian_command = guardian_command


if importlib.util.find_spec("desktop") is not None:
    emulate()
