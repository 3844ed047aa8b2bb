"""`make test-near`: runs the tests near what has changed since this branch left `main`.

Near a module are the tests of its package, those that import it, and the rules that hold for every
module; near a test is itself. What is further away is found by `make test`: this is the inner loop.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT: Final = Path(__file__).parent.parent
RULES: Final = ("tests/test_docstrings.py", "tests/test_house.py")
"""Hold for each module of the product, and take seconds."""
OTHERS: Final = {
    ".md": "tests/test_docs.py",
    ".ts": "tests/gui/test_translations.py",
    ".toml": "tests/test_architecture.py",
}
"""The tests of files that are no Python."""
ROOMS: Final = {
    "desktop": "tests",
    "resources": "tests",
    "builtin_servers": "tests/builtin_servers",
}
"""Where the tests of each are."""


def near(changed: Iterable[str], root: Path = ROOT) -> list[str]:
    """The files of tests near these files, as paths from `root`; those that are gone count, too."""
    found: set[str] = set()
    modules: set[str] = set()
    for name in changed:
        path = Path(name)
        if path.suffix != ".py":
            found.add(OTHERS.get(path.suffix, ""))
        elif path.parts[0] == "tests":
            found |= set(_near_test(path, root))
        elif path.parts[0] in ROOMS:
            modules.add(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
            found |= {*_tests_of_package(path, root), *RULES}
    found |= set(_importing(modules, root))
    return sorted(name for name in found if (root / name).is_file())


def _near_test(path: Path, root: Path) -> Iterator[str]:
    """A test itself; for what tests share, those of its folder and those that import it."""
    if path.name.startswith("test_"):
        yield path.as_posix()
    else:
        yield from _tests_in(path.parent, root) if path.name == "conftest.py" else ()
        yield from _importing({".".join(path.with_suffix("").parts)}, root)


def _tests_of_package(path: Path, root: Path) -> Iterator[str]:
    """Those in the folder that mirrors that of `path`, or the next one above that has tests."""
    room, *parts = path.parts[:-1]
    while not (here := list(_tests_in(Path(ROOMS[room], *parts), root))) and parts:
        parts.pop()
    yield from here if parts or room == "builtin_servers" else ()


def _tests_in(folder: Path, root: Path) -> Iterator[str]:
    yield from (file.relative_to(root).as_posix() for file in (root / folder).glob("test_*.py"))


def _importing(modules: set[str], root: Path) -> Iterator[str]:
    if modules:
        for file in (root / "tests").rglob("test_*.py"):
            if not modules.isdisjoint(_imported(file)):
                yield file.relative_to(root).as_posix()


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names)


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()


def changed_files(base: str) -> list[str]:
    """All that differs from where this branch left `base`, committed or not."""
    (left,) = _git("merge-base", base, "HEAD")
    return [*_git("diff", "--name-only", left), *_git("ls-files", "-o", "--exclude-standard")]


def main(arguments: list[str]) -> int:
    base, *options = arguments
    tests = near(changed_files(base))
    print(f"{len(tests)} files of tests are near the changes since {base}", file=sys.stderr)
    if not tests:
        return 0
    return subprocess.call([sys.executable, "-m", "pytest", *options, *tests], cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
