"""Where the frozen app begins. From the sources it is `python -m desktop`.

Imports nothing before it knows what the run is, see `desktop.__main__`.
"""

from __future__ import annotations

import os
import sys

LIBRARY_PATH = "LD_LIBRARY_PATH"
LOADERS = "_PYI_"
"""Begins every variable in which PyInstaller's loader tells a child that it is one."""


def forget_loader() -> None:
    """Take out of the environment what only this process was meant to have.

    Our libraries have been found by then (the linker read the variable before the first line of
    Python); in a server or a login shell, the same variable would replace theirs by ours. Once more
    started, the app has to set it anew: as "a child" it would take for granted that it is set.
    """
    for name in [name for name in os.environ if name.startswith(LOADERS)]:
        del os.environ[name]
    if sys.platform.startswith("linux"):
        original = os.environ.pop(f"{LIBRARY_PATH}_ORIG", None)
        os.environ.pop(LIBRARY_PATH, None)
        if original is not None:
            os.environ[LIBRARY_PATH] = original


def open_missing_streams() -> None:
    """Give a run without any its three streams: on Windows, a window has none, and Python has None.

    Whatever writes to one goes on writing, to nobody; who reads finds the end.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - for good


if __name__ == "__main__":
    forget_loader()
    open_missing_streams()
    from desktop.__main__ import run

    run()
