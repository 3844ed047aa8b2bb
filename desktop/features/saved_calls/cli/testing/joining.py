"""How entries of another kind join `test`: the questions for a model, where that feature is there.

Values and two protocols. Must not know what a case is.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from desktop.base.errors import UsageError
from desktop.cli.commands import CASES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import Any

    from desktop.base.report_text import JunitSuite
    from desktop.cli.exit_codes import Exit
    from desktop.cli.options import Parser
    from desktop.cli.output import Console
    from desktop.config.store import ConfigStore
    from desktop.core import Core
    from desktop.features.saved_calls.cli.testing.columns import ServerColumn
    from desktop.features.saved_calls.cli.testing.options import TestOptions
    from desktop.features.saved_calls.saved_call_files import CallFile


class Cases(Protocol):
    """The cases of one run of the command."""

    @property
    def servers(self) -> Sequence[str]:
        """Those that they need, by the names that the files say."""
        ...

    def choose(self, store: ConfigStore) -> None:
        """Find what is wrong before a server is started. Raises `UsageError`."""
        ...

    async def run(self, core: Core, columns: Sequence[ServerColumn]) -> None:
        """Run them, once the servers are connected or have failed. Raises `UsageError`."""
        ...

    def print_end(self) -> None: ...
    def document(self) -> dict[str, Any]: ...
    def suites(self) -> Sequence[JunitSuite]: ...
    def markdown(self, room: int) -> str:
        """At most `room` characters."""
        ...

    def exit(self) -> Exit: ...


class CasesModule(Protocol):
    """The module that `desktop.cli.commands` names."""

    def add_flags(self, parser: Parser) -> TestOptions:
        """Add the flags of cases. Returns: the options that they are read into."""
        ...

    def plan(self, options: TestOptions, files: Sequence[CallFile], console: Console) -> Cases:
        """Read the cases of these files. Raises `CallFileError`."""
        ...

    def convert(self, suite: Path, file: Path, console: Console) -> int:
        """Write the cases of another program's suite into a new file. Returns: the exit code."""
        ...


def find_cases() -> CasesModule:
    """What runs cases. Raises `UsageError` where this app has nothing that does."""
    if not CASES:
        raise UsageError("These files ask a model something (ask), which this app cannot do.")
    return cast("CasesModule", import_module(CASES[0]))
