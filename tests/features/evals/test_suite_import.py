"""A suite of MCPJam becomes cases; what has no place here is said."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.features.evals.suite_import import read_suite
from desktop.features.saved_calls.saved_call_files import CallFileError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.terminal import Terminal

SUITE = r"""
schemaVersion: "1"
mode: agentWorkflow
reportingMode: standard
suite: {id: s, name: Notes}
target: {servers: [{name: notes}]}
defaults: {model: mine/gpt-x, repetitions: 9, passThreshold: 0.7, validity: {}}
cases:
  - id: one
    title: reads it
    expectedOutput: The note says milk.
    steps:
      - {id: a, kind: prompt, prompt: "What does ${{ it }} say?"}
      - {id: b, kind: assert, assertion: {type: firstToolWas, toolName: read}}
      - {id: c, kind: interact, toolName: read, action: click}
    assertions:
      - {type: toolCalledWith, toolName: read, args: {args: {id: n1}}, minCount: 2}
      - {type: toolCalledAtLeastOnce, toolName: create}
      - {type: toolNeverCalled, toolName: delete}
      - {type: responseContains, needle: Milk}
      - {type: responseMatches, pattern: "m.*k"}
      - {type: noToolErrors}
      - {type: finalAssistantMessageNonEmpty}
      - {type: tokenBudgetUnder, tokens: 500}
      - {type: widgetNoConsoleErrors}
  - {id: two, title: switched off, disabled: true, steps: []}
  - id: three
    title: calls nothing
    isNegativeTest: true
    repetitions: 3
    passThreshold: 1
    steps: [{id: a, kind: prompt, prompt: Hello}]
"""


def test_each_check_has_its_words_here_or_is_said_to_be_left_out(
    terminal: Terminal,
) -> None:
    suite, file = terminal.folder / "suite.yaml", terminal.folder / "cases.json"
    suite.write_text(SUITE, encoding="utf-8")
    done = terminal.run("test", "--record", str(file), "--from", str(suite))
    assert (done.code, done.out) == (0, f"2 cases written to {file}.\n"), done
    document = json.loads(file.read_text("utf-8"))
    first, third = document.pop("calls")
    assert document == {
        "version": 1, "servers": ["notes"], "runs": 9, "pass": 0.7, "models": "mine/gpt-x",
    }  # fmt: skip
    assert first["ask"] == "What does $${{ it }} say?"
    assert first["expect"] == {
        "first": "notes:read",
        "calls": [
            {"tool": "notes:read", "arguments": {"id": "n1"}, "times": [2, 1000]},
            {"tool": "notes:create"},
        ],
        "any_order": True,
        "never": ["notes:delete"],
        "contains": ["Milk", "/m.*k/", r"/\S/"],
        "errors": 0,
        "tokens": 499,
        "judge": "It says what is said here: The note says milk.",
    }
    assert third == {
        "name": "calls nothing", "ask": "Hello", "runs": 3, "pass": 1,
        "expect": {"calls": [], "only": True},
    }  # fmt: skip
    for words in (
        "reads it: a step interact is left out",
        "reads it: the check widgetNoConsoleErrors is left out",
        "'Milk' is compared with its case",
        "switched off: is disabled",
    ):
        assert words in done.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("schemaVersion: '2'", "no suite of schema version 1"),
        ("a: [", "is not valid YAML"),
        ("a: &a [1]\nb: *a", "uses YAML aliases"),
    ],
)
def test_what_is_no_suite_is_refused(tmp_path: Path, text: str, words: str) -> None:
    suite = tmp_path / "suite.yaml"
    suite.write_text(text, encoding="utf-8")
    with pytest.raises(CallFileError, match=words):
        read_suite(suite)
