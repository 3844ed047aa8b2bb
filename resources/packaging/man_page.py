"""The man page of the command, from the parsers of its subcommands."""

from __future__ import annotations

from argparse_manpage.manpage import Manpage

from desktop.cli.completion import whole_parser
from desktop.cli.output import Console

NAME = "mcp-desktop"
SUMMARY = "toggle MCP servers and run their tools"


def text(version: str) -> str:
    """mcp-desktop(1) in the language of troff."""
    page = Manpage(whole_parser(Console()))
    page.source = f"{NAME} {version}"
    page.manual = "User Commands"
    page.description = SUMMARY
    page.synopsis = [NAME, "[COMMAND [option ...]]"]  # argparse names all commands in one word
    return str(page)
