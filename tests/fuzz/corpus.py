"""The inputs that are kept: one JSON string a line, its characters the bytes from 0 to 255."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = Path(__file__).parent / "corpus"
MAX_KEPT = 150
"""Inputs of a target, the shortest: all of them run in `make test-all`."""


def read(target: str) -> list[bytes]:
    """What is kept for this target; nothing where nothing was kept yet."""
    file = FOLDER / f"{target}.jsonl"
    lines = file.read_text("ascii").splitlines() if file.exists() else []
    return [json.loads(line).encode("latin-1") for line in lines]


def write(target: str, inputs: Iterable[bytes]) -> int:
    """Keep the shortest of these; how many they are."""
    kept = sorted(set(inputs), key=lambda data: (len(data), data))[:MAX_KEPT]
    FOLDER.mkdir(exist_ok=True)
    lines = [json.dumps(data.decode("latin-1")) for data in kept]
    (FOLDER / f"{target}.jsonl").write_text("\n".join([*lines, ""]), "ascii")
    return len(kept)


def unpack(target: str, folder: Path) -> None:
    """Write each input to a file of its own, as libFuzzer wants them."""
    folder.mkdir(parents=True, exist_ok=True)
    for data in read(target):
        (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
