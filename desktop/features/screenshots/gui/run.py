"""Opens the window for the command `screenshots`, has it pictured, and says which files there are.

Must not know how a window is opened.
"""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Protocol, cast

from desktop.features.screenshots.cli.screenshots import read
from desktop.features.screenshots.gui.demo import demo_paths
from desktop.features.screenshots.gui.film import grab_film
from desktop.features.screenshots.gui.pictures import grab_pages

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from desktop.base.paths import Paths
    from desktop.core import Core
    from desktop.gui.language import Language
    from desktop.gui.main_window import MainWindow


class OpenFor(Protocol):
    """Opens the window for some work, and closes it then; returns the exit code."""

    def __call__(
        self,
        paths: Paths,
        work: Callable[[MainWindow, Core], Awaitable[None]],
        *,
        verbose: bool,
        language: Language | None,
    ) -> int: ...


def run(args: list[str], open_for: OpenFor) -> int:
    """Wait for the servers, write a picture of each page, light and dark; returns the exit code.

    Args:
        args: of the command, checked before.
        open_for: opens the window.
    """
    options = read(args)
    if options.scale != 1:
        os.environ["QT_SCALE_FACTOR"] = f"{options.scale:g}"  # Qt reads it when it starts
    folder, sizes = options.directory, options.sizes
    folder.mkdir(parents=True, exist_ok=True)

    async def grab(window: MainWindow, core: Core) -> None:
        files = (
            await grab_film(window, folder, sizes[0])
            if options.film
            else await grab_pages(window, core, folder, sizes, demo=options.demo)
        )
        for file in files:
            sys.stdout.write(f"{file}\n")

    language = cast("Language | None", options.language)
    with demo_paths() if options.demo else nullcontext(options.paths) as paths:
        return open_for(paths, grab, verbose=options.verbose, language=language)
