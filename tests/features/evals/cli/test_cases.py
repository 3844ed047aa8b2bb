"""Cases in `test`: rates, what is found wrong before anything is asked, resuming, reports."""

from __future__ import annotations

import json
import signal
from threading import Event
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest

from desktop.cli.commands import COMMANDS
from tests.cli.terminal import LIMIT, entry
from tests.features.evals.played_model import PRICE
from tests.features.models.loopback.script import failing, turn

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.terminal import Done, Terminal
    from tests.features.evals.played_model import Played, PlayedModel

ADDS: dict[str, Any] = {
    "name": "adds",
    "ask": "What is 2 and 3?",
    "expect": {
        "calls": [{"tool": "plain:add", "arguments": {"a": 2}}],
        "contains": ["5", "/^It is/"],
        "errors": 0,
        "turns": 2,
    },
}


@pytest.fixture
def plain(terminal: Terminal, model: PlayedModel) -> Terminal:
    configure(terminal, model)
    model.say = add
    return terminal


def configure(terminal: Terminal, model: PlayedModel, **more: Any) -> None:
    servers = {"plain": entry("plain"), "notes": entry("notes")}
    servers |= {"later": entry("notes", "--version", "2"), "asks": entry("asks_client")}
    providers = {"mine": model.provider(**more)}
    document = {"mcpServers": servers, "mcpDesktop": {"providers": providers}}
    terminal.config.write_text(json.dumps(document), encoding="utf-8")
    terminal.environment["MINE_API_KEY"] = "sk-secret-0123456789"


def add(_: str, results: list[str]) -> Played:
    """Does it well."""
    if not results:
        return turn(calls=[("mcp__plain__add", {"a": 2, "b": 3})])
    return turn("It is 5.")


def saved(terminal: Terminal, *cases: Any, **shared: Any) -> Path:
    path = terminal.folder / "cases.json"
    path.write_text(json.dumps({"calls": cases, **shared}), encoding="utf-8")
    return path


def run(terminal: Terminal, *args: object, command: str = "test") -> Done:
    return terminal.run(command, *map(str, args))


def case_of(done: Done) -> dict[str, Any]:
    return done.document["cases"]["cases"][0]


def test_a_case_passes_where_the_interval_of_its_rate_is_above_the_bar(plain: Terminal) -> None:
    done = run(plain, saved(plain, ADDS), command="eval")
    assert done.code == 0, done
    assert "passed       adds  (mine)  10 of 10 (72 to 100 %)" in done.out
    assert "1 passed of 1 cases; 10 runs" in done.out


def test_a_wrong_answer_is_counted_and_its_reason_said(plain: Terminal, model: PlayedModel) -> None:
    wrong = {"expect": {"calls": [{"tool": "plain:echo"}], "only": True, "contains": "six"}}
    done = run(plain, saved(plain, ADDS | wrong), "--runs", 9)
    assert done.code == 1, done
    assert "failed       adds  (mine)  0 of 9 (0 to 30 %)" in done.out
    assert "9x there is no call plain:echo; called were plain:add" in done.out
    assert '9x "six" is not in the output: It is 5.' in done.out


def test_what_is_neither_is_undecided_and_goes_on_up_to_what_is_allowed(
    plain: Terminal, model: PlayedModel
) -> None:
    def every_fourth_is_wrong(question: str, results: list[str]) -> Played:
        is_wrong = not results and len(model.questions) % 4 == 0
        return turn("No idea.") if is_wrong else add(question, results)

    model.say = every_fourth_is_wrong
    document = run(plain, saved(plain, ADDS), "--max-runs", 40, "--json").document
    case = document["cases"]["cases"][0]
    assert (case["outcome"], case["passed"], case["runs"]) == ("undecided", 30, 40)
    assert run(plain, saved(plain, ADDS)).code == 5


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ({"expect": {"calls": [{"tool": "plain:ad"}]}}, "expects plain:ad, which there is not"),
        ({"expect": {"call": []}}, "expect.call is no key here; there are contains"),
        ({"expect": {"snapshot": True}}, "snapshot cannot be expected of what a model says"),
        ({"ask": "${{ nobody.id }}"}, "no saved call is named 'nobody'"),
        ({"models": "other/m"}, "There is no provider 'other' for the model 'other/m'"),
        ({"clients": "cursed"}, "cursed"),
        ({"pass": 0.95}, "could not pass: 10 runs cannot show that 95% of all go well"),
        ({"expect": {"cost": 1}, "servers": "plain"}, "The price of mine is not known"),
        ({"expect": {"contains": "5"}}, "'adds' names no server"),
    ],
)
def test_what_is_wrong_with_a_case_is_said_before_a_model_is_asked(
    plain: Terminal, model: PlayedModel, case: dict[str, Any], words: str
) -> None:
    done = run(plain, saved(plain, ADDS | case))
    assert done.code == 2, done
    assert words in done.err
    assert not model.questions


def test_a_file_of_another_version_and_a_model_that_is_not_there_are_refused(
    plain: Terminal, model: PlayedModel
) -> None:
    done = run(plain, saved(plain, ADDS, version=2))
    assert (done.code, "of version 2; this app reads version 1" in done.err) == (2, True), done
    done = run(plain, saved(plain, ADDS), "--model", "mine/nothing-like-it")
    assert (done.code, "has no model 'nothing-like-it'" in done.err) == (2, True), done
    assert not model.questions


def test_a_saved_call_before_a_case_is_made_for_each_run_and_gives_it_values(
    plain: Terminal, model: PlayedModel
) -> None:
    create = {"name": "create", "tool": "notes:create", "arguments": {"text": "milk"}}
    reads = {
        "name": "reads it",
        "ask": "What does note ${{ create.id }} say?",
        "expect": {
            "first": "notes:read",
            "calls": [{"tool": "notes:read", "arguments": {"id": "${{ create.id }}"}}],
            "contains": "milk",
        },
    }

    def read(question: str, results: list[str]) -> Played:
        name = question.split()[3]
        return turn(results[0]) if results else turn(calls=[("mcp__notes__read", {"id": name})])

    model.say = read
    done = run(plain, saved(plain, create, reads), "--transcripts", plain.folder / "t.jsonl")
    assert done.code == 0, done
    assert "passed    create" in done.out
    assert "passed       reads it  (mine)  10 of 10" in done.out
    assert len(set(model.questions)) == 10
    again = run(plain, saved(plain, create, reads), "--from", plain.folder / "t.jsonl")
    assert (again.code, len(model.questions)) == (0, 10), again


@pytest.mark.skipif("clients" not in COMMANDS, reason="nothing knows other clients")
def test_clients_are_asked_with_the_tools_that_their_model_gets(
    plain: Terminal, model: PlayedModel
) -> None:
    called: list[str] = []

    def by_its_name(_: str, results: list[str]) -> Played:
        if results:
            return turn("It is 5.")
        (name,) = [each for each in model.tools if each.endswith("add")]
        called.append(name)
        return turn(calls=[(name, {"a": 2, "b": 3})])

    model.say = by_its_name
    file = saved(plain, ADDS | {"clients": ["gemini-cli", "cline"]}, ADDS | {"name": "itself"})
    kept = plain.folder / "t.jsonl"
    done = run(plain, file, "--json", "--transcripts", kept)
    cases = done.document["cases"]["cases"]
    found = {(case["name"], case["client"]): case["passed"] for case in cases}
    assert found == {("adds", "gemini-cli"): 10, ("adds", "cline"): 10, ("itself", ""): 10}, done
    assert set(called) == {"mcp_plain_add", "plain__add", "mcp__plain__add"}
    asked = len(model.questions)
    again = run(plain, file, "--transcripts", kept)
    assert (again.code, len(model.questions)) == (0, asked), again
    assert "passed       adds  (mine gemini-cli)  10 of 10" in again.out
    judged = run(plain, file, "--from", kept)
    assert (judged.code, judged.out.count("10 of 10")) == (0, 3), judged


def test_clients_and_two_servers_are_not_compared_at_once(
    plain: Terminal, model: PlayedModel
) -> None:
    file = saved(plain, ADDS | {"clients": ["cline"]})
    done = run(plain, file, "--against", "plain", "--against", "notes")
    assert (done.code, model.questions) == (2, []), done
    assert "cannot be compared on two servers" in done.err


def test_a_provider_that_fails_is_counted_apart_from_wrong_answers(
    plain: Terminal, model: PlayedModel
) -> None:
    def fails_half(question: str, results: list[str]) -> Played:
        if not results and len(model.questions) % 2:
            return failing(400, "the moon is wrong")
        return add(question, results)

    model.say = fails_half
    case = case_of(run(plain, saved(plain, ADDS), "--json"))
    assert (case["outcome"], case["passed"], case["runs"]) == ("passed", 10, 10)
    assert case["not_measured"] >= 9
    assert "the moon is wrong" in " ".join(case["reasons"])
    model.say = lambda _, __: failing(400, "never")
    model.questions.clear()
    done = run(plain, saved(plain, ADDS), "--parallel", 1)
    assert done.code == 5, done
    assert "not measured adds" in done.out
    assert len(model.questions) == 5


def test_a_judge_is_tried_on_its_examples_and_decides_by_three_votes(
    plain: Terminal, model: PlayedModel
) -> None:
    judge = {"says": "Names a number.", "good": ["It is 7."], "bad": ["I cannot say."]}

    def judging(question: str, results: list[str]) -> Played:
        if question.startswith("Statement:"):
            return turn("Yes." if any(letter.isdigit() for letter in question) else "no")
        return add(question, results)

    model.say = judging
    path = saved(plain, ADDS | {"expect": {**ADDS["expect"], "judge": judge}})
    done = run(plain, path)
    assert done.code == 0, done
    model.say = lambda question, results: (
        turn("Maybe?") if question.startswith("Statement:") else add(question, results)
    )
    model.questions.clear()
    done = run(plain, path)
    assert done.code == 5, done
    assert "the judge says nothing of the good example 'It is 7.'" in done.out
    assert not [each for each in model.questions if not each.startswith("Statement:")]


def test_a_run_that_is_interrupted_keeps_what_it_has_and_goes_on_from_there(
    plain: Terminal, model: PlayedModel
) -> None:
    kept = plain.folder / "kept.jsonl"
    path = saved(plain, ADDS)
    done = run(plain, path, "--runs", 9, "--transcripts", kept)
    assert done.code == 0, done
    model.questions.clear()
    done = run(plain, path, "--runs", 12, "--transcripts", kept)
    assert (done.code, len(model.questions)) == (0, 3), done
    assert "9 runs are taken from" in done.err
    assert "12 of 12" in done.out
    assert "sk-secret" not in kept.read_text("utf-8")


def test_new_expectations_are_tried_on_kept_runs_without_a_model_or_a_server(
    plain: Terminal, model: PlayedModel
) -> None:
    kept = plain.folder / "kept.jsonl"
    assert run(plain, saved(plain, ADDS), "--transcripts", kept).code == 0
    model.questions.clear()
    stricter = ADDS | {"expect": {"never": ["plain:add"]}}
    done = run(plain, saved(plain, stricter), "--from", kept)
    assert done.code == 1, done
    assert "10x plain:add was called" in done.out
    other = ADDS | {"ask": "What is 2 and 4?"}
    done = run(plain, saved(plain, other), "--from", kept)
    assert (done.code, "10 runs are of other questions" in done.err) == (2, True), done
    assert not model.questions


def test_two_versions_are_compared_and_the_case_that_fell_is_named(
    plain: Terminal, model: PlayedModel
) -> None:
    create = {"name": "create", "tool": "notes:create", "arguments": {"text": "milk"}}
    reads = {
        "name": "reads it",
        "ask": "What does note ${{ create.id }} say?",
        "expect": {"calls": [{"tool": "notes:read"}], "contains": "milk"},
    }

    def read(question: str, results: list[str]) -> Played:
        name = question.split()[3]
        server = "later" if model.questions.index(question) >= 10 else "notes"
        called = turn(calls=[(f"mcp__{server}__read", {"id": name})])
        return turn(results[0]) if results else called

    model.say = read
    page, report, table = (plain.folder / name for name in ("p.html", "j.xml", "m.md"))
    path = saved(plain, create, reads)
    done = run(
        plain, path, "--against", "notes", "--against", "later", "--parallel", 1,
        "--html", page, "--junit", report, "--markdown", table,
    )  # fmt: skip
    assert done.code == 1, done
    words = "reads it (mine): later fell by 100 points beside notes (-100 to -61)"
    assert words in done.out
    assert "all cases" not in done.out
    assert "MILK" in page.read_text("utf-8")
    assert "<script" not in page.read_text("utf-8")
    suites = ElementTree.parse(report).getroot().findall("testsuite")
    assert [suite.get("failures") for suite in suites] == ["0", "0", "0", "1"]
    assert "fell by 100 points" in table.read_text("utf-8").replace("\\", "")


def test_what_chance_explains_of_each_case_is_a_fall_of_all_together(
    plain: Terminal, model: PlayedModel
) -> None:
    base = {"expect": {"first": "notes:read"}, "runs": 1, "pass": 0.01}
    cases = [{**base, "name": f"reads {n}", "ask": f"What does {n} say?"} for n in range(6)]

    def read_once(question: str, results: list[str]) -> Played:
        if results or model.questions.count(question) > 1:
            return turn("It says nothing.")
        return turn(calls=[("mcp__notes__read", {"id": question})])

    model.say = read_once
    options = ("--against", "notes", "--against", "later", "--parallel", 1)
    done = run(plain, saved(plain, *cases), *options)
    assert "reads 5 (mine): later differs by 100 points" in done.out, done
    assert "all cases: 6 of 6 with notes, 0 of 6 with later: fell by 100 points" in done.out
    assert done.code == 1
    model.questions.clear()
    (all_of_them,) = run(plain, plain.folder / "cases.json", *options, "--json").document["cases"][
        "together"
    ]
    assert (all_of_them["server"], all_of_them["outcome"]) == ("later", "fell")


def test_nothing_is_begun_that_could_cost_more_than_was_said(
    plain: Terminal, model: PlayedModel
) -> None:
    configure(plain, model, price=PRICE)
    done = run(plain, saved(plain, ADDS), "--max-cost", 1, "--json")
    assert done.code == 5, done
    assert len(model.questions) == 1
    assert done.document["cases"]["cost"] > 0


def test_a_tool_that_is_not_expected_is_refused_and_never_sent(
    plain: Terminal, model: PlayedModel
) -> None:
    never = {"name": "tells", "ask": "How?", "expect": {"never": ["notes:delete"]}}

    def delete(_: str, results: list[str]) -> Played:
        return turn(results[0]) if results else turn(calls=[("mcp__notes__delete", {"id": "x"})])

    model.say = delete
    kept = plain.folder / "kept.jsonl"
    done = run(plain, saved(plain, never), "--yes", "--runs", 9, "--transcripts", kept)
    assert done.code == 1, done
    assert "9x notes:delete was called" in done.out
    assert "is not allowed in this test" in kept.read_text("utf-8")


def test_what_a_server_asks_back_is_answered_by_the_case_else_declined(
    plain: Terminal, model: PlayedModel
) -> None:
    schema = {"type": "object", "properties": {"guests": {"type": "integer"}}}
    params = {"mode": "form", "message": "How many?", "requestedSchema": schema}
    asking = {"method": "elicitation/create", "params": params}
    case = {"ask": "Book a table", "runs": 1, "pass": 1}
    expect = {"calls": [{"tool": "asks:ask", "asked": True}], "contains": '"guests": 2'}
    books = case | {"name": "books", "answer": {"guests": 2, "other": 1}, "expect": expect}
    calls = {"calls": [{"tool": "asks:ask", "asked": True}], "contains": "decline"}
    declines = case | {"name": "declines", "expect": calls}

    def book(_: str, results: list[str]) -> Played:
        return turn(results[0]) if results else turn(calls=[("mcp__asks__ask", asking)])

    model.say = book
    done = run(plain, saved(plain, books, declines))
    assert done.code == 0, done


def test_ctrl_c_loses_no_run_that_has_ended_and_says_where_they_are(
    plain: Terminal, model: PlayedModel
) -> None:
    kept, third, end = plain.folder / "kept.jsonl", Event(), Event()

    def hold_the_third(question: str, results: list[str]) -> Played:
        if not results and len(model.questions) == 3:
            third.set()
            end.wait(LIMIT)
        return add(question, results)

    model.say = hold_the_third
    words = ("--parallel", "1", "--transcripts", str(kept))
    process = plain.start("test", str(saved(plain, ADDS)), *words)
    assert third.wait(LIMIT)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=LIMIT)
    end.set()
    assert process.returncode == 130, err
    assert "--transcripts goes on with it" in err
    model.say = add
    model.questions.clear()
    assert run(plain, saved(plain, ADDS), *words).code == 0
    assert len(model.questions) == 8
