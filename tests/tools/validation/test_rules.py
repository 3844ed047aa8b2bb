"""Rules speak for the tools they were added for; a faulty one is named and stops nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.config.store import ConfigStore
from desktop.tools.validation.rules import (
    MAX_ISSUES,
    Comparison,
    ConfiguredRules,
    Rules,
    RuleTextError,
)
from desktop.values.tool_types import ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.values.tool_types import JsonObject


def end_after_start(arguments: JsonObject) -> Iterator[ValidationIssue]:
    if arguments["end"] < arguments["start"]:
        yield ValidationIssue(("end",), "rule", "must not be before start")


def test_a_rule_is_held_against_the_tools_whose_key_matches() -> None:
    rules = Rules()
    rules.add("calendar:book", end_after_start)
    assert [str(one) for one in rules.check("calendar:book", {"start": 2, "end": 1})] == [
        "end: must not be before start"
    ]
    assert rules.check("calendar:book", {"start": 1, "end": 2}) == []
    assert rules.check("calendar:other", {"start": 2, "end": 1}) == []


@pytest.mark.parametrize("pattern", ["calendar:*", "*:book", "*"])
def test_a_star_stands_for_any_part_of_the_key(pattern: str) -> None:
    rules = Rules()
    rules.add(pattern, end_after_start)
    assert rules.check("calendar:book", {"start": 2, "end": 1})


def test_a_rule_can_be_taken_out_again_twice_over() -> None:
    rules = Rules()
    first, second = rules.add("*", end_after_start), rules.add("*", end_after_start)
    before = rules.revision
    first()
    first()
    assert rules.revision is not before
    assert len(rules.check("a:b", {"start": 2, "end": 1})) == 1
    second()
    assert rules.check("a:b", {"start": 2, "end": 1}) == []


async def _late(_: Any) -> list[ValidationIssue]:
    return []


def _number(_: Any) -> int:
    return 5


def _words(_: Any) -> list[str]:
    return ["no finding"]


def _without_parameters() -> list[ValidationIssue]:
    return []


def _endless(_: Any) -> Iterator[ValidationIssue]:
    while True:
        yield ValidationIssue((), "rule", "again")


@pytest.mark.parametrize(
    "rule",
    [
        end_after_start,  # raises: there is no start
        _number,
        _words,
        _late,
        _without_parameters,
    ],
)
def test_a_rule_that_fails_is_a_warning_that_names_it(rule: Any) -> None:
    rules = Rules()
    rules.add("*", rule, "the rule of the house")
    (found,) = rules.check("a:b", {})
    assert (found.severity, found.code) == ("warning", "ruleFailed")
    assert "The rule 'the rule of the house' could not be" in found.message
    rules.add("*", rule)
    assert f"The rule '{rule.__name__}' could not be" in rules.check("a:b", {})[-1].message


def test_a_rule_may_find_nothing_or_without_end() -> None:
    rules = Rules()
    rules.add("*", lambda _: None)
    assert rules.check("a:b", {}) == []
    rules.add("*", _endless)
    assert len(rules.check("a:b", {})) == MAX_ISSUES


# --- written rules ----------------------------------------------------------------------------


def told(text: str, **arguments: Any) -> list[str]:
    return [str(issue) for issue in Comparison.parse(text)(arguments)]


@pytest.mark.parametrize(
    ("text", "good", "bad"),
    [
        ("end >= start", {"start": 1, "end": 1}, {"start": 2, "end": 1.5}),
        ("end>start", {"start": "2026-01-31", "end": "2026-02-01"}, {"start": "b", "end": "a"}),
        ("a < b", {"a": 1, "b": 2}, {"a": 2, "b": 2}),
        ("a <= 10", {"a": 10}, {"a": 11}),
        ("a.b[1] == 'x'".replace("'", '"'), {"a": {"b": [0, "x"]}}, {"a": {"b": [0, "y"]}}),
        ("mode != null", {"mode": "on"}, {"mode": None}),
        ("copy == true", {"copy": True}, {"copy": False}),
        ("a == b", {"a": "1", "b": "1"}, {"a": "1", "b": 1}),
        ("a != 1", {"a": "2026-01-31"}, {"a": 1}),
        (
            "end > start",
            {"start": "2026-01-31T10:00:00+02:00", "end": "2026-01-31T09:00:00Z"},
            {"start": "2026-01-31T10:00:00-02:00", "end": "2026-01-31T10:00:00Z"},
        ),
    ],
)
def test_a_comparison_holds_or_is_a_finding_at_its_left_side(
    text: str, good: Any, bad: Any
) -> None:
    rule = Comparison.parse(text)
    assert rule(good) == []
    (issue,) = rule(bad)
    assert (issue.path, issue.layer, issue.severity) == (rule.left, "rule", "error")


def test_the_finding_says_what_is_asked_and_by_which_rule() -> None:
    assert told("end >= start", start=2, end=1) == [
        "end: must not be less than start (your rule end >= start)"
    ]
    assert told("a.n > 0", a={"n": 0}) == ["a.n: must be more than 0 (your rule a.n > 0)"]
    assert told('a == "é"', a="e")[0].startswith('a: must be the same as "é" (')


def test_what_is_not_there_is_not_compared() -> None:
    assert told("end >= start", start=2) == []
    assert told("a.b >= c[0]", a=5, c=[]) == []


@pytest.mark.parametrize(
    "text",
    ["", "end", "end >=", ">= start", "a = b", "a >= [1]", "a..b > 1", "a[x] > 1", "a > b c",
     "__import__('os') > 1 or", "a > " + "b" * 1000],
)  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(RuleTextError, match=r"is no|compares with"):
        Comparison.parse(text)


@pytest.mark.parametrize(
    "arguments",
    [
        {"start": 1, "end": "2"},
        {"start": [1], "end": [0]},
        {"start": True, "end": False},
        {"start": "2026-01-31T10:00:00", "end": "2026-01-31T10:00:00Z"},
    ],
)
def test_what_has_no_order_is_a_warning_that_names_the_rule(arguments: Any) -> None:
    rules = Rules()
    rules.add("*", Comparison.parse("end > start"), "end > start")
    (issue,) = rules.check("a:b", arguments)
    assert issue.severity == "warning"
    assert "'end > start' could not be applied" in issue.message


# --- rules of the config ----------------------------------------------------------------------


def store_with(folder: Path, rules: Any) -> ConfigStore:
    file = folder / "mcp.json"
    entry = {"command": "x", "toolRules": rules}
    file.write_text(json.dumps({"mcpServers": {"cal[1]": entry}}), "utf-8")
    store = ConfigStore(file, {})
    store.load()
    return store


def told_by(rules: Rules, key: str, **arguments: Any) -> list[str]:
    return [str(issue) for issue in rules.check(key, arguments)]


def test_the_rules_of_a_tool_and_those_for_all_tools_count(tmp_path: Path) -> None:
    rules = Rules()
    ConfiguredRules(
        rules, store_with(tmp_path, {"book": ["end >= start"], "*": ["n < 3", "n > 0"]})
    )
    assert len(told_by(rules, "cal[1]:book", start=2, end=1, n=7)) == 2
    assert told_by(rules, "cal[1]:other", start=2, end=1, n=1) == []
    assert told_by(rules, "cal1:book", start=2, end=1, n=7) == []


def test_a_change_of_the_config_changes_the_rules(tmp_path: Path) -> None:
    store = store_with(tmp_path, {"book": ["end >= start"]})
    rules = Rules()
    ConfiguredRules(rules, store)
    store_with(tmp_path, {"book": ["n > 0"]})
    store.reload()
    assert told_by(rules, "cal[1]:book", start=2, end=1, n=0) == [
        "n: must be more than 0 (your rule n > 0)"
    ]


def test_a_text_that_is_no_rule_is_a_warning_that_shows_it(tmp_path: Path) -> None:
    rules = Rules()
    ConfiguredRules(rules, store_with(tmp_path, {"book": ["end after start"]}))
    (issue,) = rules.check("cal[1]:book", {})
    assert issue.severity == "warning"
    assert "no rule such as 'end >= start'" in issue.message


def test_rules_survive_that_their_server_is_edited(tmp_path: Path) -> None:
    store = store_with(tmp_path, {"book": ["end >= start"]})
    config = store.servers["cal[1]"]
    store.replace_server("cal[1]", config.changed(tool_rules={"book": ("n > 0",)}))
    saved = json.loads((tmp_path / "mcp.json").read_text("utf-8"))
    assert saved["mcpServers"]["cal[1]"]["toolRules"] == {"book": ["n > 0"]}
