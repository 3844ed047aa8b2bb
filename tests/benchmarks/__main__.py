"""`make bench`: prints a table of ratios. With names as arguments, only those (`calls fanout`)."""

from __future__ import annotations

import importlib
import os
import sys

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
NAMES = (
    "launch",
    "cli",
    "builtins",
    "calls",
    "gateway",
    "validation",
    "formats",
    "fanout",
    "guardian",
    "quit",
    "session",
    "chats",
    "history",
    "tools",
    "window",
    "pages",
    "tool_views",
    "form",
    "results",
    "large_resource",
    "large_result",
    "many_parts",
    "sandbox",
    "saved_calls",
    "evals",
    "idle",
    "bundle",
    "peers",
)


def main(names: list[str]) -> None:
    from tests.benchmarks.harness import HEAD, Calibration

    calibration = Calibration()
    print(HEAD)
    for name in names or NAMES:
        calibration.run()
        for row in importlib.import_module(f"tests.benchmarks.bench_{name}").measure():
            print(row, flush=True)
    calibration.run()
    print(calibration)


if __name__ == "__main__":
    main(sys.argv[1:])
