"""`make mutants` says of a fault what the tests of a tree say of it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.mutants.__main__ import EXPLAINED, ROOT, try_all
from tests.mutants.baseline import BaselineError
from tests.mutants.explained import Explanation, find_stale, read_explanations
from tests.mutants.mutations import find_mutations, is_fault
from tests.mutants.report import Report
from tests.mutants.sandbox import Sandbox, has_namespaces
from tests.mutants.targets import TARGETS, Target
from tests.mutants.trials import Results, choose

if TYPE_CHECKING:
    from pathlib import Path

    from tests.mutants.mutations import Mutation

needs_namespaces = pytest.mark.skipif(not has_namespaces(), reason="needs a PID namespace")

SUBJECT = """\
def is_adult(age: int) -> bool:
    return age >= 18


def count_down(number: int) -> int:
    steps = 0
    while number > 0:
        number -= 1
        steps += 1
    return steps


def greet(name: str) -> str:
    return "Hello " + name
"""
TESTS = """\
import subprocess, psutil
from subject import count_down, greet, is_adult

def test_who_is_of_age():
    assert is_adult(18) and not is_adult(17)

def test_steps():
    assert count_down(3) == 3

def test_a_greeting():
    subprocess.Popen(["sleep", "600.125"])
    assert greet("you")
    assert len(psutil.pids()) < 10
"""
OFF_BY_ONE = "return age >= 18 -> return age > 18"
UNSEEN = """return "Hello " + name -> return 'XXHello ' + name"""
SUBJECTS = Target("subject", "subject.py", ("test_subject.py",))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "subject.py").write_text(SUBJECT, encoding="utf-8")
    (tmp_path / "test_subject.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\n", encoding="utf-8")
    return tmp_path


def change_of(mutation: Mutation) -> str:
    return f"{mutation.was} -> {mutation.now}"


def faults(tree: Path) -> dict[str, Mutation]:
    return {change_of(mutation): mutation for _, mutation in choose(tree, [SUBJECTS], None, 1)}


def run(tree: Path, *changes: str) -> Report:
    chosen = [(SUBJECTS, faults(tree)[change]) for change in changes]
    with Sandbox(tree, warm=()) as sandbox:
        results = Results(tree / "build" / "results.jsonl", tree)
        return try_all(sandbox, chosen, results, tree / "build", min_limit=10)


def verdicts(report: Report) -> dict[str, str]:
    return {change_of(mutation): verdict for mutation, verdict in report.verdicts}


@needs_namespaces
def test_a_fault_is_killed_or_hangs_or_survives_and_the_tree_stays_as_it_was(tree: Path) -> None:
    report = run(tree, OFF_BY_ONE, "number -= 1 -> pass", UNSEEN)
    assert verdicts(report) == {
        OFF_BY_ONE: "killed",
        "number -= 1 -> pass": "timed out",
        UNSEEN: "survived",
    }
    assert (report.is_good, report.share) == (False, 2 / 3)
    assert "subject.py:14 greet" in str(report)
    assert "NOT EXPLAINED" in str(report)
    assert (tree / "subject.py").read_text(encoding="utf-8") == SUBJECT


@needs_namespaces
def test_what_a_test_leaves_behind_is_killed_and_sees_no_process_of_others(tree: Path) -> None:
    assert verdicts(run(tree, UNSEEN)) == {UNSEEN: "survived"}
    commands = [process.info["cmdline"] for process in psutil.process_iter(["cmdline"])]
    assert ["sleep", "600.125"] not in commands


@needs_namespaces
def test_a_later_run_tries_only_what_could_have_changed(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tree, OFF_BY_ONE, UNSEEN)
    capsys.readouterr()
    assert verdicts(run(tree, OFF_BY_ONE, UNSEEN)) == {OFF_BY_ONE: "killed", UNSEEN: "survived"}
    assert capsys.readouterr().out == ""

    tests = TESTS.replace('assert greet("you")', 'assert greet("you") == "Hello you"')
    (tree / "test_subject.py").write_text(tests, encoding="utf-8")
    assert verdicts(run(tree, OFF_BY_ONE, UNSEEN)) == {OFF_BY_ONE: "killed", UNSEEN: "killed"}


@needs_namespaces
def test_tests_that_fail_without_a_fault_are_a_problem_and_kill_nothing(tree: Path) -> None:
    with (tree / "test_subject.py").open("a", encoding="utf-8") as file:
        file.write("\ndef test_wrong():\n    assert greet('you') == 'Bye'\n")
    report = run(tree, UNSEEN)
    assert verdicts(report) == {UNSEEN: "survived"}
    assert report.problems == ["fails without a fault: test_subject.py::test_wrong"]


@needs_namespaces
def test_tests_that_cannot_be_run_at_all_are_an_error(tree: Path) -> None:
    (tree / "test_subject.py").write_text("import nowhere_at_all", encoding="utf-8")
    with pytest.raises(BaselineError, match="nowhere_at_all"):
        run(tree, UNSEEN)


def test_a_sample_is_the_same_for_its_seed_and_another_for_another(tree: Path) -> None:
    def sample(seed: int) -> list[str]:
        return [mutation.key for _, mutation in choose(tree, [SUBJECTS], 5, seed)]

    assert len(sample(1)) == 5
    assert sample(1) == sample(1)
    assert any(sample(seed) != sample(1) for seed in range(2, 6))


def test_a_sample_keeps_its_faults_when_other_lines_change(tree: Path) -> None:
    before = {mutation.key for _, mutation in choose(tree, [SUBJECTS], None, 1)}
    (tree / "subject.py").write_text(f"import os\n\n{SUBJECT}", encoding="utf-8")
    assert {mutation.key for _, mutation in choose(tree, [SUBJECTS], None, 1)} == before


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("return a < b", "return a <= b"),
        ("return a is not b", "return a is b"),
        ("return a not in b", "return a in b"),
        ("return a and b", "return a or b"),
        ("return not a", "return (a)"),
        ("return [a, 3]", "return [a, 4]"),
        ("return f(True)", "return f(False)"),
        ("return f(a)", "return None"),
        ("return f(a + 1)", "return f(a - 1)"),
        ("if f(a): return 1", "if (not (f(a))): return 1"),
        ("await clean_up(a)", "pass"),
        ("raise ValueError(a)", "pass"),
        ("self.a = b", "pass"),
        ("self.count += a", "pass"),
        ("for a in b: continue", "for a in b: break"),
        ("if sys.platform == 'nowhere': f(a)\n    else: f(b)", "else: pass"),
    ],
)
def test_it_makes_the_mistakes_of_people(line: str, changed: str) -> None:
    source = f"async def function(self, a, b):\n    {line}\n".encode()
    found = find_mutations("module.py", source)
    assert changed in [mutation.now for mutation in found]
    assert all(is_fault(mutation, source) for mutation in found)


@pytest.mark.parametrize(
    "source",
    [
        '"""A docstring."""',
        'def function(a: Literal["x"]) -> bool:\n    """A docstring."""',
        'logger.warning("%s is %d", a, 1)',
        "if TYPE_CHECKING:\n    LIMIT = 1",
        "if sys.platform == 'nowhere':\n    LIMIT = 1",
        "if os.name == 'nowhere':\n    LIMIT = 1",
        "LIMIT = 1 if sys.platform == 'nowhere' else a",
        "TYPE_CHECKING = False",
        'Kind: TypeAlias = Literal["a"]',
        "@dataclass(frozen=True)\nclass A:\n    a: int",
        '__all__ = ["a"]',
        "if sys.platform == 'nowhere' and a: b = 1",
        "_A = 1\nif sys.platform == 'nowhere': f(_A)",
        "def _f(a):\n    return _f(a + 1)",
        "def _f():\n    return 1\ndef _g():\n    return _f() + 1\nlogger.info('%s', _g())",
        "_SIZE = 8\n@lru_cache(_SIZE)\ndef f(): ...",
        "def f():\n    a, words = b, 'words'\n    logger.log(logging.INFO if c else d, words)",
        "WAIT = 1.0\n'Seconds to wait.'",
        "_FIRST, _LAST = 0.1, 2.0\n'Seconds between two looks.'",
        "time.sleep(a + 1)",
        "data = os.read(file, 4096)",
        "while time.monotonic() < a: b = c",
    ],
)
def test_it_leaves_alone_what_changes_no_behaviour(source: str) -> None:
    assert find_mutations("module.py", source.encode()) == []


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("_A = 1\n@mark(_A)\ndef f(): ...", "_A = 2"),
        ("_A = 1\nraise Wrong(f'{_A}')", "_A = 2"),
        ("def f():\n    a = b + 1\n    logger.info(a)\n    return 0 * a", "a = b - 1"),
        ("def f():\n    a = g(1)\n    logger.info(a)", "a = g(2)"),
        ("TIMES = 3\n'Seconds are not meant.'", "TIMES = 4"),
    ],
)
def test_it_makes_faults_in_what_something_else_reads(source: str, changed: str) -> None:
    assert changed in [mutation.now for mutation in find_mutations("module.py", source.encode())]


def test_what_follows_the_branch_of_this_system_is_left_alone() -> None:
    def faults(question: str) -> list[Mutation]:
        source = f"def function(b):\n    if {question}:\n        return\n    f(b)\n"
        return find_mutations("module.py", source.encode())

    assert faults(f"sys.platform == {sys.platform!r}") == []
    assert "pass" in [mutation.now for mutation in faults("sys.platform == 'nowhere'")]


def test_only_the_text_of_an_exception_is_left_alone() -> None:
    found = find_mutations("module.py", b'raise Wrong("a message", 1)')
    assert [mutation.now for mutation in found] == ["pass", 'raise Wrong("a message", 2)']


# --- explanations -----------------------------------------------------------------------------


def test_an_explained_survivor_counts_but_does_not_fail_the_run(tree: Path) -> None:
    survivor, *killed = choose(tree, [SUBJECTS], None, 1)
    entry = Explanation(
        survivor[1].module, survivor[1].place, "only looks", survivor[1].was, survivor[1].now
    )
    report = Report(
        [(survivor[1], "survived"), *((fault, "killed") for _, fault in killed)], [entry]
    )
    assert report.is_good
    assert "only looks" in str(report)
    assert not Report(report.verdicts).is_good
    assert not Report([(survivor[1], "survived")], [entry]).is_good  # 0 % are killed


def test_an_explanation_is_stale_without_its_fault_and_when_a_test_notices_it(tree: Path) -> None:
    fault = faults(tree)[UNSEEN]
    fitting = Explanation("subject.py", "greet", "why", fault.was, fault.now)
    whole_place = Explanation("subject.py", "greet", "why")
    gone = Explanation("subject.py", "greet", "why", "return name", "return None")
    elsewhere = Explanation("nowhere.py", "greet", "why")
    every = [fitting, whole_place, gone, elsewhere]
    assert find_stale(every, tree, []) == [
        f"{gone}: there is no such fault",
        f"{elsewhere}: there is no such fault",
    ]
    assert find_stale([fitting, whole_place], tree, [fault]) == [
        f"{fitting}: a test notices it",
        f"{whole_place}: a test notices it",
    ]


@pytest.mark.parametrize(
    "text", ['[[fault]]\nmodule="a"\nplace="b"', '[[fault]]\nmodule="a"\nplace="b"\nwhy=" "']
)
def test_an_explanation_without_a_reason_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "explained.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises((TypeError, ValueError)):
        read_explanations(file)


def test_all_explanations_of_the_project_fit_a_fault() -> None:
    assert find_stale(read_explanations(EXPLAINED), ROOT, []) == []


def test_every_target_names_sources_and_tests_that_exist() -> None:
    for target in TARGETS:
        assert target.modules(ROOT), target
        assert all((ROOT / path).exists() for path in target.tests), target
