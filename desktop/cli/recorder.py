"""`--record FILE`, as `serve`, `call` and `test` have it."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

    from desktop.cli.options import Parser
    from desktop.cli.output import Console
    from desktop.core import Core


def add_record(parser: Parser) -> None:
    parser.add_argument(
        "--record",
        metavar="FILE",
        type=Path,
        help="record what goes to and from the servers, without secrets, for replay and compare",
    )


@contextmanager
def recording(core: Core, file: Path | None, console: Console) -> Generator[None]:
    """A block whose messages are recorded; begin it before a server is connected.

    Raises:
        UsageError: the file cannot be written.
    """
    if file is None:
        yield
        return
    from desktop.servers.recording import Recorder

    recorder = Recorder(core.traffic, file)
    try:
        yield
    finally:
        recorder.close()
        if recorder.problem:
            console.note(recorder.problem)
