"""Linux without what Windows lacks, as `win32`, for imports alone: a plugin of `--collect-only`.

Takes away the modules and functions of POSIX, so that a test file which cannot even be collected
there is found here: on a real Windows, one of those ends the run of all tests. Runs nothing.
"""

from __future__ import annotations

import asyncio
import builtins
import ctypes.util
import importlib
import multiprocessing
import os
import platform
import signal
import socket
import ssl
import subprocess
import sys
import sysconfig
import tempfile
import uuid
import webbrowser
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Scope = Mapping[str, object] | None

_ALREADY = (
    *(asyncio, ctypes.util, multiprocessing, platform, ssl, subprocess, tempfile, uuid, webbrowser),
)
"""What looks at the system when it is imported: the interpreter itself stays that of Linux."""
_MODULES = frozenset({"fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"})
_OS = (
    *("chown", "chroot", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgroups"),
    *("getpgid", "getpgrp", "getresuid", "getsid", "getuid", "initgroups", "killpg", "lchown"),
    *("memfd_create", "mkfifo", "mknod", "nice", "openpty", "pidfd_open", "posix_spawn", "pread"),
    *("sched_getaffinity", "setegid", "seteuid", "setgid", "setgroups", "setpgid", "setpriority"),
    *("setsid", "setuid", "statvfs", "sysconf", "ttyname", "uname", "wait", "wait3", "wait4"),
    *("waitid", "waitstatus_to_exitcode", "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK"),
    *("P_PID", "P_PIDFD", "WNOHANG", "WNOWAIT", "WEXITED", "SCHED_IDLE", "EFD_CLOEXEC"),
)
_SIGNALS = (
    *("SIGKILL", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGCHLD"),
    *("SIGCONT", "SIGSTOP", "SIGTSTP", "pthread_sigmask", "sigwait", "setitimer", "SIG_BLOCK"),
)
_SOCKET = ("AF_UNIX", "send_fds", "recv_fds", "SO_PEERCRED", "SCM_RIGHTS", "MSG_DONTWAIT")


def _without_posix(before: Callable[..., Any]) -> Callable[..., Any]:
    def imported(name: str, globals: Scope = None, *rest: Any, **named: Any) -> Any:
        asker = str((globals or {}).get("__name__")).partition(".")[0]
        if name in _MODULES and asker in ("desktop", "builtin_servers", "tests", "conftest"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return before(name, globals, *rest, **named)

    return imported


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Do it, once."""
    sysconfig.get_config_vars()  # kept: it reads a file with the name of the platform
    for name in ("psutil", "PySide6.QtWidgets", "qasync", "mcp"):
        importlib.import_module(name)
    sys.platform = "win32"
    builtins.__import__ = _without_posix(builtins.__import__)
    for module, names in ((os, _OS), (signal, _SIGNALS), (socket, _SOCKET)):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
