"""Makes a moving picture of the pictures that `mcp-desktop screenshots --film` has written.

`python -m resources.packaging.film FOLDER FILE.webp`: an animated WebP, which browsers and GitHub
show. Must not change a picture.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

MILLISECONDS = 2500
"""For which each picture is shown."""


def make_film(folder: Path, target: Path) -> int:
    """Write all `film-*.png` of the folder in their order; returns how many there are."""
    files = sorted(folder.glob("film-*.png"))
    if not files:
        raise FileNotFoundError(f"no film-*.png in {folder}")
    first, *others = [Image.open(file).convert("RGB") for file in files]
    first.save(
        target,
        save_all=True,
        append_images=others,
        duration=MILLISECONDS,
        loop=0,
        quality=80,
        method=6,
    )
    return len(files)


if __name__ == "__main__":
    count = make_film(Path(sys.argv[1]), Path(sys.argv[2]))
    print(f"{sys.argv[2]}: {count} pictures")
