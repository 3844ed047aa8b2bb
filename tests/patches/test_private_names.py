"""Private names of other people's code are touched in `desktop/patches` alone, and only so many."""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from inspect import getmembers, isfunction
from typing import TYPE_CHECKING, Final

from desktop.patches import imports, qt, sdk
from desktop.patches.table import PATCHES
from tests.source_trees import PRODUCT, product_trees

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOM: Final = "desktop/patches/"
MOST: Final = 20
"""Private names that the patches may touch."""
ELSEWHERE: Final = {
    "desktop/__main__.py": {"_run_exitfuncs"},
    "desktop/gui/event_loop.py": {"_asyncgen_finalizer_hook", "_asyncgen_firstiter_hook"},
}
"""What is not moved yet. It only falls."""
DOCUMENTED: Final = {"_MEIPASS", "_asdict", "_exit", "_fields", "_fields_", "_make", "_replace"}
"""Public, whatever they look like: PyInstaller's, named tuples', ctypes' and the system's exit."""
_BY_NAME: Final = {"getattr", "hasattr", "setattr", "delattr", "import_module"}


def is_private(name: str) -> bool:
    return name.startswith("_") and name != "_" and not name.startswith("__")


def private_in(dotted: str) -> set[str]:
    """A name, or the path of a module, one part of which is private; else nothing."""
    return {dotted} if any(map(is_private, dotted.split("."))) else set()


def defined(tree: ast.AST) -> set[str]:
    """The names that a module gives to something of its own."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.Attribute(attr=name, ctx=ast.Store(), value=ast.Name(id="self" | "cls")):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id="__slots__")], value=value):
                constants = (each for each in ast.walk(value) if isinstance(each, ast.Constant))
                found |= {str(each.value) for each in constants}
            case _:
                pass
    return found


def touched(tree: ast.AST, own: set[str], inherited: set[str], *, in_room: bool) -> Iterator[str]:
    """The private names that a module uses and the project does not define.

    Of `self` it may be inherited from a class of another module; of anything else it has to be
    defined beside it, as no class of ours shows its private names to another module. What is
    imported for a type checker alone touches nothing.
    """
    for node in at_run_time(tree):
        match node:
            case ast.Attribute(attr=name, value=ast.Name(id="self" | "cls")):
                yield from private_in(name) - inherited
            case ast.Attribute(attr=name):
                yield from private_in(name) - own
            case ast.Import() | ast.ImportFrom():
                yield from imported(node)
            case ast.Call(func=ast.Name(id=function), args=args) if function in _BY_NAME:
                for name in texts(args):
                    yield from private_in(name) - own
            case ast.Constant() if in_room:
                for name in texts([node]):
                    yield from private_in(name) - own
            case _:
                pass


def imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
    for name in (module, *(each.name for each in node.names)):
        if not (module or name).startswith(PRODUCT):
            yield from private_in(name)


def texts(nodes: list[ast.expr]) -> Iterator[str]:
    """The constants among them that may be a name, or the path of a module."""
    constants = (node.value for node in nodes if isinstance(node, ast.Constant))
    for value in constants:
        if isinstance(value, str) and all(part.isidentifier() for part in value.split(".")):
            yield value


def at_run_time(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for each in node.orelse:
                yield from at_run_time(each)
            continue
        yield node
        yield from at_run_time(node)


@cache
def foreign_names() -> dict[str, set[str]]:
    """The private names of others by the module that touches them."""
    trees = product_trees()
    own = {path: defined(tree) for path, tree in trees.items()}
    all_own = set[str]().union(*own.values())
    own[f"{ROOM}table.py"] = all_own  # it names our own functions
    found = {
        path: set(touched(tree, own[path], all_own, in_room=path.startswith(ROOM))) - DOCUMENTED
        for path, tree in trees.items()
    }
    return {path: names for path, names in found.items() if names}


def test_private_names_of_others_are_touched_by_patches_alone() -> None:
    found = foreign_names()
    assert {path: names for path, names in found.items() if not path.startswith(ROOM)} == ELSEWHERE


def test_the_patches_touch_few_of_them() -> None:
    found = (names for path, names in foreign_names().items() if path.startswith(ROOM))
    names = set[str]().union(*found)
    assert len(names) <= MOST, sorted(names)


def test_a_name_is_seen_however_it_is_touched() -> None:
    code = """
from library._inner import _name
import library._module
def use(given):
    given._attribute
    getattr(given, "_by_text")
    given._own, given.__dict__, given._exit
class Ours(library.Theirs):
    def _own(self): return self._of_the_base
"""
    tree = ast.parse(code)
    own = defined(tree)
    found = set(touched(tree, own, own, in_room=False)) - DOCUMENTED
    assert found == {
        "library._inner", "_name", "library._module", "_attribute", "_by_text", "_of_the_base"
    }  # fmt: skip


def test_each_patch_is_in_the_table() -> None:
    for patch in PATCHES:
        module = import_module(f"desktop.patches.{patch.module}")
        assert isfunction(getattr(module, patch.name)), patch
    listed = {(patch.module, patch.name) for patch in PATCHES}
    for module in (imports, qt, sdk):
        short = module.__name__.rpartition(".")[2]
        for name, function in getmembers(module, isfunction):
            if function.__module__ == module.__name__ and not is_private(name):
                assert (short, name) in listed
