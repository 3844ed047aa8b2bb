"""Whether a window can be shown here: asked by the first decision of a run, so it costs nothing."""

import os
import sys


def has_screen() -> bool:
    """Whether a window can be shown: always on macOS and Windows, else where a display is named."""
    if sys.platform in ("darwin", "win32"):
        return True
    return any(os.environ.get(name) for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"))
