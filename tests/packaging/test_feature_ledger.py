from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from resources.packaging.feature_ledger import PAGE, ROOT, Row, rows, with_rows, written_rows

if TYPE_CHECKING:
    from pathlib import Path

OFF_BY, PART = 300, 100
"""Lines, or the part of all, that a figure of the page may differ from what is there."""


def is_off(now: int, written: int) -> bool:
    return abs(now - written) > max(OFF_BY, now // PART)


def test_the_page_has_each_feature_in_the_words_of_its_docstring() -> None:
    written = written_rows((ROOT / PAGE).read_text("utf-8"))
    assert [row[:3] for row in written] == [row[:3] for row in rows()], "run `make ledger`"


def test_the_page_says_how_large_each_feature_is() -> None:
    written = written_rows((ROOT / PAGE).read_text("utf-8"))
    off = [
        f"{row.name}: {row.product} lines of product and {row.tests} of tests"
        for row, before in zip(rows(), written, strict=True)
        if is_off(row.product, before.product) or is_off(row.tests, before.tests)
    ]
    assert off == [], "run `make ledger`"


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_a_feature_says_what_it_is_for_and_who_needs_it(row: Row) -> None:
    init = f"desktop/features/{row.name}/__init__.py"
    assert row.purpose, f"the docstring of {init} has no first paragraph"
    assert row.users, f'the docstring of {init} has no paragraph "Needed by ..."'


def feature(root: Path, name: str, docstring: str) -> None:
    folder = root / "desktop" / "features" / name
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(f'"""{docstring}"""\n', encoding="utf-8")


def test_features_are_found_by_their_folders_and_their_lines_counted(tmp_path: Path) -> None:
    feature(tmp_path, "two", "Shows\ntwo.\n\nMust not.\n\nNeeded by those who\nhave two.\n")
    feature(tmp_path, "one", "Shows one.")
    (tmp_path / "desktop" / "features" / "two" / "gui").mkdir()
    (tmp_path / "desktop" / "features" / "two" / "gui" / "view.py").write_text("a = 1\nb = 2\n")
    (tmp_path / "tests" / "features" / "one").mkdir(parents=True)
    (tmp_path / "tests" / "features" / "one" / "test_one.py").write_text("\n" * 5)
    (tmp_path / "desktop" / "core.py").write_text("\n" * 7)

    one, two, core, servers = rows(tmp_path)

    assert one == Row("one", "Shows one", "", 1, 5)
    assert two == Row("two", "Shows two", "those who have two", 10, 0)
    assert (core.product, core.tests) == (7, 0)
    assert (servers.product, servers.tests) == (0, 0)


def test_the_text_around_the_table_stays_and_a_second_writing_changes_nothing() -> None:
    page = "# Head\n\n| a | b | c | d | e |\n|---|\n| old | x | y | 1 | 2 |\n\nFoot | with a bar.\n"
    row = Row("one", "Shows one", "somebody", 1_234, 5)

    fresh = with_rows(page, [row])

    assert written_rows(fresh) == [row]
    assert "old" not in fresh
    assert (fresh[:7], fresh[-20:]) == ("# Head\n", "\nFoot | with a bar.\n")
    assert with_rows(fresh, [row]) == fresh
