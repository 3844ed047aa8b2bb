"""Decides what this run is: a built-in server, the guardian, a terminal command, or the window.

Imports nothing heavy before it knows: a built-in server starts in a few milliseconds, the window
is painted before the SDK is imported. Also runs as a script with `-I -S`, without site-packages.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main(argv: list[str] | None = None) -> int:
    """Run with `argv` (without the program's name); returns the exit code."""
    args = sys.argv[1:] if argv is None else argv
    if args[:1] == ["builtin"] and len(args) > 1 and not args[1].startswith("-"):
        return _serve_builtin(args[1], args[2:])
    if args == ["guardian"]:
        return _guard()
    if args[:1] == ["program"]:
        return _run_program(args[1:])
    from desktop.diagnostics import startup_trace

    startup_trace.record_event("start")
    gc.disable()  # until all is imported: an import leaves no garbage, but would be searched
    if _wants_window(args):
        from desktop.cli.commands import why_no_window

        if reason := why_no_window():
            sys.stderr.write(f"mcp-desktop: {reason}\n")
            return 1
        _import_qt()
        from desktop.app import run_window

        return run_window(args)
    code = _run_attached(args)
    if code is None:
        code = _run_alone(args)
    startup_trace.record_event("quit")
    return code


def run() -> NoReturn:
    """Run as a program: `main`, and the end of the process."""
    code = main()
    if not _wants_window(sys.argv[1:]):
        _leave(code)
    sys.exit(code)


def _leave(code: int) -> None:
    """End at once, without freeing each object; returns where something still has to be waited for.

    That takes 15 ms of a command, and nobody needs it: the system frees the memory.
    """
    threading = sys.modules.get("threading")
    if threading is not None and threading.active_count() > 1:
        return
    try:
        atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage] - as the interpreter would
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:  # pyright: ignore[reportUnnecessaryComparison] - on Windows
                stream.flush()
    except (OSError, ValueError):  # the reader left: the interpreter says so as ever
        return
    os._exit(code)


def _serve_builtin(name: str, arguments: list[str]) -> int:
    from builtin_servers.launch import run

    return run(name, arguments)


def _guard() -> int:
    if sys.platform == "linux":
        from desktop.processes.guardian_process import run
    elif sys.platform != "win32":
        from desktop.processes.macos import run
    else:  # nobody starts it there
        return 2
    return run()


def _run_program(args: list[str]) -> int:
    from desktop.features.launch import run_program

    return run_program(args)


def _run_attached(args: list[str]) -> int | None:
    """Leave a command to the run that has the servers already; None where there is none."""
    from desktop.cli.commands import ATTACH

    for name in ATTACH:
        __import__(name)  # without `importlib`, which takes longer than what it would import
        return sys.modules[name].run_attached(args)
    return None


def _run_alone(args: list[str]) -> int:
    from desktop.patches.imports import import_standard_library_lightly

    import_standard_library_lightly()
    from desktop.cli.main import run_command

    try:
        return run_command(args, _run_in_window)
    finally:
        gc.enable()


def _run_in_window(module: str, args: list[str]) -> int:
    """Have a command do its work in the window."""
    _import_qt()
    from importlib import import_module

    from desktop.app import open_for
    from desktop.cli.commands import has_screen

    if not has_screen():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"  # Qt would abort
    return import_module(module).run(args, open_for)


def _import_qt() -> None:
    """Import Qt before the window's modules, which are then imported a little faster."""
    from desktop.patches.qt import import_qt_lightly, skip_feature_search

    import_qt_lightly()
    skip_feature_search()


def _wants_window(args: list[str]) -> bool:
    """Without a command, and with a screen to show it on."""
    from desktop.cli.commands import has_command, has_screen

    return not has_command(args) and has_screen()


if __name__ == "__main__":
    # Started by path (`desktop.base.paths.builtin_command`): the packages are beside this folder.
    _root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path[:] = [_root, *(entry for entry in sys.path if entry != os.path.dirname(__file__))]
    run()
