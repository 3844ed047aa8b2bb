"""The pages for people who join name files that are there: no walk leads nowhere."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from desktop.cli.commands import ATTACHABLE, COMMANDS
from tests.source_trees import product_trees

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / ".github" / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
FOLDERS = ("desktop", "builtin_servers", "tests")
BELOW = ("", "desktop/", "builtin_servers/", "resources/packaging/", "tests/")


def is_there(name: str) -> bool:
    """A path from one of the roots; a bare name is in the folder its sentence is about."""
    if any((ROOT / folder / name).exists() for folder in BELOW):
        return True
    return "/" not in name and any(
        next((ROOT / folder).rglob(name), None)
        for folder in ("desktop", "builtin_servers", "tests")
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_file_that_a_page_names_is_there(page: Path) -> None:
    named = set(re.findall(r"`([\w./-]+\.py)`", page.read_text("utf-8")))
    assert [name for name in sorted(named) if not is_there(name)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_link_of_a_page_leads_to_a_file(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_each_page_is_linked_from_another() -> None:
    linked = {
        (page.parent / link).resolve()
        for page in PAGES
        for link in re.findall(r"\]\(([^)#:]+)", page.read_text("utf-8"))
        if (page.parent / link).resolve() != page
    }
    assert [page.name for page in PAGES if page not in {*linked, ROOT / "README.md"}] == []


def code_of(section: str) -> list[set[str]]:
    """The words of code of each paragraph of a section, in order."""
    return [
        {word for code in re.findall(r"```.*?```|`[^`]+`", text, re.DOTALL) for word in words(code)}
        for text in re.split(r"\n\n(?=\S)", section)
    ]


def words(code: str) -> list[str]:
    return re.findall(r"[a-z][\w-]*", code)


@pytest.mark.parametrize("page", ["README.md", "docs/configuration.md"])
def test_the_section_about_the_terminal_names_each_command(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    section = text[text.index("\n## In the terminal") :].split("\n## ")[1]
    named = set[str]().union(*code_of(section))
    assert sorted(COMMANDS.keys() - named) == []


@pytest.mark.parametrize(
    ("page", "beginning"),
    [
        ("README.md", "While the window is open"),
        ("docs/configuration.md", "`call`, `tools`, `servers`"),
    ],
)
def test_the_commands_that_go_through_an_open_window_are_all_named(
    page: str, beginning: str
) -> None:
    text = (ROOT / page).read_text("utf-8")
    (named, *_) = code_of(text[text.index(f"\n{beginning}") + 1 :])
    assert (named & COMMANDS.keys()) - {"daemon"} == ATTACHABLE


def test_each_class_and_method_of_the_walks_is_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    walks = page[page.index("## Walk 1") : page.index("## Glossary")]
    defined = {
        node.name
        for tree in product_trees().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    }
    named = re.findall(r"`([A-Z]\w+)(?:\.(\w+))?`", walks)
    assert named
    assert {part for name in named for part in name if part} - defined == set()
