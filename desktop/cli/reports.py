"""`--junit FILE` and `--markdown FILE`, of the commands that a build server runs.

Must not know what a report says.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.errors import UsageError
from desktop.cli.options import ServerOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.cli.options import Parser
    from desktop.cli.output import Console


class ReportOptions(ServerOptions):
    """The options of a command that writes reports."""

    junit: Path | None = None
    markdown: Path | None = None


def add_reports(parser: Parser) -> None:
    """Both flags."""
    add = parser.add_argument
    add("--junit", metavar="FILE", type=Path, help="also write a JUnit report")
    add("--markdown", metavar="FILE", type=Path, help="also write a summary for a pull request")


def refuse_reports(options: ReportOptions) -> None:
    """Raises `UsageError` where a report could not be written in the end."""
    for report in (options.junit, options.markdown):
        if report is not None and not report.absolute().parent.is_dir():
            raise UsageError(f"No such folder for the report {report}.")


def write_reports(
    options: ReportOptions,
    console: Console,
    junit: Callable[[], str],
    markdown: Callable[[], str],
) -> bool:
    """Whether all reports are written that are wanted; what is wrong with one is said."""
    wanted = [(options.junit, junit), (options.markdown, markdown)]
    written = [_write(path, text(), console) for path, text in wanted if path is not None]
    return all(written)


def _write(path: Path, text: str, console: Console) -> bool:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:  # the servers were asked: what came of it was printed
        console.note(f"The report {path} cannot be written: {error.strerror}.")
        return False
    return True
