"""The page of the look says what the tokens are, all of them and no others."""

from __future__ import annotations

import re
from pathlib import Path

from desktop.gui.theme import tokens
from desktop.gui.theme.tokens import COLOR_NAMES, DARK, LIGHT, ROLES, text_sizes

PAGE = (Path(__file__).parents[3] / "docs" / "design.md").read_text(encoding="utf-8")


def section(title: str) -> list[list[str]]:
    """The cells of the table below a heading, without its head."""
    text = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in row] for row in rows[2:]]


def test_each_colour_is_there_with_its_two_values() -> None:
    told = [(name, light, dark) for name, light, dark, _ in section("Colours")]
    assert told == [(n, getattr(LIGHT, n), getattr(DARK, n)) for n in COLOR_NAMES]


def test_distances_and_sizes_are_those_of_the_tokens() -> None:
    assert all(int(value) == getattr(tokens, name) for name, value, _ in section("Distances"))
    sizes = {name: float(share) for name, share, _ in section("Type")}
    assert sizes == {name: size / 10 for name, size in text_sizes(10.0)._asdict().items()}


def test_each_role_is_there_once() -> None:
    told = [role for _, roles in section("Roles") for role in re.findall(r"[a-z]+", roles)]
    assert sorted(told) == sorted(ROLES)
