"""The command of each test server in `tests/servers` and its neighbour, by the name of its file."""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "servers"
MISBEHAVING = Path(__file__).parent / "misbehaving_servers"


def command(name: str, *args: object) -> tuple[str, list[str]]:
    """Command and arguments that start the server; `shell_wrapper` is `plain` under a shell."""
    texts = [str(arg) for arg in args]
    if name == "shell_wrapper":
        python, plain = command("plain", *args)
        return "sh", [str(FOLDER / "shell_wrapper.sh"), python, *plain]
    for folder in (FOLDER, MISBEHAVING):
        if (script := folder / f"{name}.py").is_file():
            return sys.executable, ["-S", "-I", str(script), *texts]
    raise LookupError(f"there is no test server {name!r}")
