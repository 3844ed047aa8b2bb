"""A preset is kept as it was, in a file that what is wrong in it does not take along."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.base.errors import DesktopError, UsageError
from desktop.base.paths import Paths
from desktop.features.chat.agent.session_info import Builtin, ChatSettings, SessionTerms
from desktop.features.chat.llm.tool_choice import ToolChoice
from desktop.features.presets.presets import Presets

if TYPE_CHECKING:
    from pathlib import Path

SETUP = ChatSettings(
    "openai",
    "gpt-6",
    (Builtin("filesystem", ("--read-only", "my folder")),),
    ToolChoice("manual", ("github",)),
    "Be brief.",
    SessionTerms("high", "each", 5, 60.0),
)


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "mcp.json", tmp_path / "data")


def test_what_is_saved_is_read_by_another_and_can_be_removed(paths: Paths) -> None:
    Presets(paths).save("  My   work ", SETUP)
    Presets(paths).save("Other", ChatSettings())
    assert Presets(paths).all() == {"My work": SETUP, "Other": ChatSettings()}
    assert Presets(paths).get("My work") == SETUP
    Presets(paths).remove("My work")
    assert list(Presets(paths).all()) == ["Other"]


def test_a_name_that_is_not_there_is_told_those_that_are(paths: Paths) -> None:
    Presets(paths).save("Work", SETUP)
    with pytest.raises(UsageError, match=r'no preset "work"\.\nThere are: Work\.'):
        Presets(paths).get("work")


@pytest.mark.parametrize("name", ["", "  ", "x" * 61])
def test_a_name_is_short_and_not_empty(paths: Paths, name: str) -> None:
    with pytest.raises(UsageError, match="needs a name"):
        Presets(paths).save(name, SETUP)


def test_one_wrong_entry_costs_itself_alone(paths: Paths) -> None:
    Presets(paths).save("Work", SETUP)
    file = paths.data / "presets.json"
    entries = json.loads(file.read_text("utf-8"))
    wrong = {**entries["Work"], "terms": {"approving": "everything"}}
    file.write_text(json.dumps({"a": 1, "b": wrong, **entries}), encoding="utf-8")
    assert list(Presets(paths).all()) == ["Work"]


@pytest.mark.parametrize("content", ["[]", "{", "[" * 100_000])
def test_a_file_that_is_none_is_said_and_not_written_over(paths: Paths, content: str) -> None:
    paths.data.mkdir()
    (paths.data / "presets.json").write_text(content, encoding="utf-8")
    with pytest.raises(DesktopError, match="holds no presets"):
        Presets(paths).save("Work", SETUP)
    assert (paths.data / "presets.json").read_text("utf-8") == content
