"""The order of saved calls: sources first, and what cannot be ordered is said before a call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from desktop.features.saved_calls.saved_call import SavedCall
from desktop.features.saved_calls.saved_call_files import CallFile, list_entries
from desktop.features.saved_calls.saved_call_plan import plan_calls


def file(name: str, **calls: dict[str, Any] | str) -> CallFile:
    """A file whose calls take an argument, or have these fields."""
    made = [
        SavedCall.model_validate(
            {"name": each, "tool": "s:t"}
            | ({"arguments": {"id": field}} if isinstance(field, str) else field)
        )
        for each, field in calls.items()
    ]
    return CallFile(Path(name), tuple(made))


def order(*files: CallFile) -> list[str]:
    plan = plan_calls([entry for each in files for entry in list_entries(each)])
    assert not any(each.problem for each in plan)
    return [each.entry.call.name for each in plan]


def problems(*files: CallFile) -> dict[str, str]:
    plan = plan_calls([entry for each in files for entry in list_entries(each)])
    return {each.entry.call.name: each.problem for each in plan if each.problem}


def test_sources_come_first_and_all_else_stays_in_its_order() -> None:
    assert order(file("a", z="", use="${{ create.id }}", b="", create="")) == [
        "z",
        "create",
        "use",
        "b",
    ]


def test_a_source_may_be_in_another_file_and_after_says_the_order_alone() -> None:
    delete = {"arguments": {"id": "${{ create.id }}"}, "after": "use"}
    files = file("a", delete=delete), file("b", create=""), file("c", use="${{ create.id }}")
    assert order(*files) == ["create", "use", "delete"]


@pytest.mark.parametrize("where", ["contains", "equals"])
def test_an_expectation_can_use_a_value_too(where: str) -> None:
    text = "${{ create.id }}"
    expect = {"contains": text} if where == "contains" else {"equals": {"id": text}}
    assert order(file("a", use={"expect": expect}, create="")) == ["create", "use"]


def test_calls_that_wait_for_each_other_are_all_told() -> None:
    found = problems(file("a", x="${{ y }}", y="${{ z }}", z="${{ x }}", free="${{ x }}"))
    assert found.keys() == {"x", "y", "z"}
    assert "'x' needs 'y' needs 'z' needs 'x'" in found["y"]
    assert "'me' needs 'me'" in problems(file("a", me="${{ me.id }}"))["me"]


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        ({"use": "${{ creat.id }}", "create": ""}, "did you mean 'create'?"),
        ({"use": "${{ v1.create.id }}", "v1.create": ""}, '${{ "v1.create".path }}'),
        ({"use": "${{ v1.2 create.id }}", "v1.2 create": ""}, "a NAME with a dot in quotes"),
        ({"use": "${{ secrets.TOKEN }}"}, "no saved call is named 'secrets'"),
        ({"use": {"after": ["gone"]}}, "no saved call is named 'gone'"),
        ({"use": "${{ create.id"}, "has no }}"),
    ],
)
def test_a_name_that_nobody_has_is_told_with_what_to_do(calls: dict[str, Any], said: str) -> None:
    assert said in problems(file("a", **calls))["use"]


def test_of_two_calls_with_one_name_that_of_the_same_file_is_meant() -> None:
    one, two = file("a", create="", use="${{ create.id }}"), file("b", create="")
    assert order(one, two) == ["create", "use", "create"]
    apart = file("c", lonely="${{ create.id }}")
    assert "more than one call is named 'create': a, b" in problems(one, two, apart)["lonely"]


def test_only_what_is_wanted_and_its_sources_are_planned() -> None:
    entries = list_entries(file("a", other="", create="", mid="${{ create }}", use="${{ mid }}"))
    plan = plan_calls(entries, [entries[3]])
    assert [each.entry.call.name for each in plan] == ["create", "mid", "use"]


def test_a_chain_of_thousands_is_ordered() -> None:
    calls = {f"c{n}": f"${{{{ c{n + 1} }}}}" for n in range(5_000)}
    names = order(file("a", **calls, c5000=""))
    assert names == [f"c{n}" for n in range(5_000, -1, -1)]
