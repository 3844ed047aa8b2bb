from __future__ import annotations

from desktop.config.imports.differences import differences
from desktop.config.models import ServerConfig

OURS = ServerConfig(
    name="a", transport="stdio", command="npx", args=("-y", "x"), env={"TOKEN": "secret-one"}
)


def test_a_server_that_is_started_the_same_way_has_none() -> None:
    other = OURS.changed(name="b", enabled=False, timeout=5, disabled_tools=("x",))
    assert differences(OURS, other) == []


def test_each_place_is_told_with_both_values() -> None:
    found = differences(OURS, OURS.changed(args=("-y", "y"), cwd="/w"))
    assert [(one.place, one.ours, one.theirs) for one in found] == [
        ("args", "-y x", "-y y"),
        ("cwd", "", "/w"),
    ]


def test_another_secret_is_told_without_either() -> None:
    (found,) = differences(OURS, OURS.changed(env={"TOKEN": "secret-two"}))
    assert found.is_secret
    assert "secret-" not in repr(found)
    (gone,) = differences(OURS, OURS.changed(env={}))
    assert (gone.is_secret, gone.theirs) == (False, "")
    changed = OURS.changed(args=("--api-key", "secret-three"))
    assert "secret-three" not in repr(differences(OURS, changed))


def test_a_huge_value_is_cut() -> None:
    (found,) = differences(OURS, OURS.changed(command="x" * 10_000))
    assert len(found.theirs) < 300
