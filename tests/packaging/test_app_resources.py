"""What a running app reads, and that it is compiled before anybody packs it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from resources.packaging import app_resources

SOURCE = Path(app_resources.TRANSLATIONS, "zh_CN.ts")
MADE = SOURCE.with_suffix(".qm")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clean one: sources, a picture for the README, nothing compiled."""
    for file in (SOURCE, Path(app_resources.ICONS, "chat.svg")):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(app_resources.ROOT / file, tmp_path / file)
    (tmp_path / "resources/screenshots").mkdir()
    (tmp_path / "resources/screenshots/tools-light.png").touch()
    return tmp_path


def test_a_clean_checkout_names_icons_and_the_translation_still_to_be_compiled(
    checkout: Path,
) -> None:
    assert app_resources.resource_files(checkout) == [Path("resources/icons/chat.svg"), MADE]
    assert app_resources.outdated(checkout) == [(SOURCE, MADE)]


def test_translations_that_are_missing_or_old_are_compiled_and_others_are_left(
    checkout: Path,
) -> None:
    made = checkout / MADE
    app_resources.compile_translations(checkout)
    content = made.read_bytes()
    made.write_bytes(b"new")
    app_resources.compile_translations(checkout)
    kept = made.read_bytes()
    os.utime(made, (0, 0))
    app_resources.compile_translations(checkout)

    assert (kept, made.read_bytes()) == (b"new", content)
    assert len(content) > 100_000


def test_a_source_that_does_not_compile_stops_the_build_and_leaves_nothing(
    checkout: Path,
) -> None:
    (checkout / SOURCE).write_text("<TS><context>", encoding="utf-8")
    with pytest.raises(app_resources.CompilationError, match=r"zh_CN\.ts was not compiled"):
        app_resources.compile_translations(checkout)

    assert [file.name for file in (checkout / SOURCE).parent.iterdir()] == ["zh_CN.ts"]
