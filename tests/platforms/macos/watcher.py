"""The watcher of the emulated macOS: `ps` is a stand-in, and nothing of Linux is asked."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))
if sys.platform == "win32":
    raise SystemExit("this is for Linux")
sys.platform = "darwin"

from desktop.processes import macos  # noqa: E402 - the path first

macos.PS = str(Path(__file__).with_name("ps"))
sys.exit(macos.run())
