"""`screenshots`: parses the command; the window makes the pictures."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desktop.base.errors import UsageError
from desktop.cli.commands import COMMANDS
from desktop.cli.exit_codes import Exit
from desktop.cli.options import Options, make_parser

if TYPE_CHECKING:
    from desktop.cli.output import Console

_NOTES = """\
Works without a display. With several sizes, each is part of the file names.

examples:
  mcp-desktop screenshots ./pictures
  mcp-desktop screenshots ./pictures --demo --size 900x600 --size 1920x1080 --language zh_CN"""
DEFAULT_SIZE: Final = 1180, 760
MIN_SIZE: Final = 720, 540
"""The window is never smaller."""
MAX_SIZE: Final = 3840, 2160
MAX_SCALE: Final = 4.0
_MAX_SIZES = 8
WINDOW = "desktop.features.screenshots.gui.run"
"""Makes the pictures."""


class ScreenshotsOptions(Options):
    """What `screenshots` is told."""

    directory: Path = Path()
    size: list[tuple[int, int]] | None = None
    scale: float = 1.0
    language: str | None = None
    demo: bool = False
    film: bool = False

    @property
    def sizes(self) -> tuple[tuple[int, int], ...]:
        """Each once, in the order they were named."""
        return tuple(dict.fromkeys(self.size or [DEFAULT_SIZE]))


def read(args: list[str]) -> ScreenshotsOptions:
    """What `args` ask for.

    Raises:
        UsageError: they do not fit, or DIR is a file.
    """
    parser = make_parser("screenshots", COMMANDS["screenshots"], _NOTES)
    parser.add_argument("directory", metavar="DIR", type=Path, help="created if missing")
    parser.add_argument(
        "--size",
        metavar="WxH",
        type=_size,
        action="append",
        help="size of the window in pixels, 1180x760 if not given; may be repeated",
    )
    parser.add_argument(
        "--scale", metavar="N", type=_scale, help="pixels of the picture per pixel, 1 to 4"
    )
    parser.add_argument("--language", choices=("en", "zh_CN"), help="language of the window")
    parser.add_argument(
        "--demo",
        action="store_true",
        help="show example content, not your own configuration and data",
    )
    parser.add_argument(
        "--film",
        action="store_true",
        help="instead of the pages: how a server is added, run and tested, as film-1.png and so on",
    )
    parser.set_defaults(scale=1.0)
    options = parser.parse(args, ScreenshotsOptions())
    if options.directory.exists() and not options.directory.is_dir():
        raise UsageError(f"{options.directory} is not a folder.")
    if len(options.sizes) > _MAX_SIZES:
        raise UsageError(f"At most {_MAX_SIZES} sizes at a time.")
    if options.demo and (options.config or options.data_dir):
        raise UsageError("--demo uses neither --config nor --data-dir.")
    return options


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,5})x([0-9]{1,5})", text)
    size = (int(found[1]), int(found[2])) if found else (0, 0)
    if not all(least <= n <= most for n, least, most in zip(size, MIN_SIZE, MAX_SIZE, strict=True)):
        least, most = (f"{width}x{height}" for width, height in (MIN_SIZE, MAX_SIZE))
        raise argparse.ArgumentTypeError(f"{text!r} is no size from {least} to {most}")
    return size


def _scale(text: str) -> float:
    try:
        scale = float(text)
    except ValueError:
        scale = 0.0
    if not 1 <= scale <= MAX_SCALE:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to {MAX_SCALE:g}")
    return scale


def run(args: list[str], console: Console) -> int:
    """Check the command; what comes after it belongs to the caller."""
    read(args)
    return Exit.DONE
