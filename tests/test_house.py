"""The rules of the house that are not met yet: each has today's figure, and it may only fall.

What is met is held elsewhere: module docstrings and the sizes of functions in `test_architecture`,
names in docstrings in `test_docstrings`, private names of others in `patches/test_private_names`.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

from tests.source_trees import product_trees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

CLASS_LINES, FIELDS = 250, 15

Trees = dict[str, ast.Module]
"""The modules by their dotted names; a package has that of its folder and `.__init__`."""


class Class(NamedTuple):
    """A class and the module that it stands in."""

    module: str
    node: ast.ClassDef

    @property
    def name(self) -> str:
        return f"{self.module}.{self.node.name}"


def house() -> Trees:
    return {
        file.removesuffix(".py").replace("/", "."): tree for file, tree in product_trees().items()
    }


def classes(trees: Trees) -> list[Class]:
    return [
        Class(module, node)
        for module, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    ]


# Classes


def large_classes(trees: Trees) -> list[str]:
    return [
        one.name
        for one in classes(trees)
        if (one.node.end_lineno or 0) - one.node.lineno >= CLASS_LINES
    ]


def crowded_classes(trees: Trees) -> list[str]:
    return [
        one.name
        for one in classes(trees)
        for method in one.node.body
        if isinstance(method, ast.FunctionDef) and method.name == "__init__"
        if len(fields_set(method)) > FIELDS
    ]


def fields_set(node: ast.AST) -> set[str]:
    """What is assigned to `self` somewhere inside."""
    return {
        each.attr
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute)
        and isinstance(each.ctx, ast.Store)
        and isinstance(each.value, ast.Name)
        and each.value.id == "self"
    }


# Closets: modules that one neighbour alone imports


def closets(trees: Trees) -> list[str]:
    """A neighbour is in the same folder; what is imported for a type checker alone counts, too.

    What a feature's module `feature` brings at its first use is apart so that a start does not.
    """
    names = {module.removesuffix(".__init__") for module in trees}
    importers: defaultdict[str, set[str]] = defaultdict(set)
    for module, tree in trees.items():
        for target in imported_modules(tree, names):
            importers[target].add(module)
    return [
        module
        for module in trees
        if [each.rpartition(".")[0] for each in importers[module]] == [module.rpartition(".")[0]]
        and not next(iter(importers[module])).endswith(".feature")
    ]


def imported_modules(tree: ast.Module, names: set[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(package)):
                for each in node.names:
                    inner = f"{package}.{each.name}"
                    yield inner if inner in names else package
            case ast.Import():
                yield from (each.name for each in node.names)
            case _:
                pass


# Modules that import each other


def circle(trees: Trees) -> list[str]:
    """The way of one circle of imports, those for a type checker alone among them, if there is any.

    What is imported in a function counts, too: it hides the circle, and does not end it.
    """
    bare = {module.removesuffix(".__init__"): tree for module, tree in trees.items()}
    imported = {module: {*imported_modules(tree, {*bare})} for module, tree in bare.items()}
    try:
        TopologicalSorter(
            {module: (targets & bare.keys()) - {module} for module, targets in imported.items()}
        ).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


# Protocols with one implementation beside them


def needless_protocols(trees: Trees) -> list[str]:
    """Those that one class has all the members of, where that class is in the same folder.

    At a border of layers a protocol with one implementation is right; inside a folder it only
    hides the arrow. A protocol of a single call is left out: functions are what it stands for.
    """
    every = classes(trees)
    by_name = {one.node.name: one for one in every}
    protocols = [one for one in every if is_protocol(one.node)]
    offers = {one.name: members(one.node, by_name) for one in every if not is_protocol(one.node)}
    return [
        one.name
        for one in protocols
        if (wanted := {name for name in members(one.node, by_name) if not name.startswith("__")})
        and len(found := [name for name, offered in offers.items() if wanted <= offered]) == 1
        and folder(found[0]) == folder(one.name)
    ]


def is_protocol(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).split("[")[0] == "Protocol" for base in node.bases)


def folder(class_name: str) -> str:
    return class_name.rsplit(".", 2)[0]


def members(node: ast.ClassDef, by_name: Mapping[str, Class]) -> set[str]:
    """Its methods and fields, with those of the classes of ours that it comes from."""
    found = fields_set(node)
    for each in node.body:
        match each:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                found.add(name)
            case _:
                pass
    bases = (ast.unparse(base).split("[")[0].rpartition(".")[2] for base in node.bases)
    for base in bases:
        if base in by_name and by_name[base].node is not node:
            found |= members(by_name[base].node, by_name)
    return found


# What takes a start time: both are compiled as the module is imported


def data_classes(trees: Trees) -> list[str]:
    """Values are structs of msgspec, unless `repr` leaves a field out: a secret, or a megabyte."""
    return [
        one.name
        for one in classes(trees)
        for decorator in one.node.decorator_list
        if ast.unparse(decorator).startswith("dataclass")
    ]


def early_patterns(trees: Trees) -> list[str]:
    """Patterns that are compiled outside of functions, also inside a table."""
    return [
        f"{module}:{node.lineno}"
        for module, tree in trees.items()
        for node in outside_functions(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"
    ]


def outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield child
            yield from outside_functions(child)


def strange_fields(trees: Trees) -> list[str]:
    """Structs with the `field` of data classes, which would be the value itself."""
    return [
        one.name
        for one in classes(trees)
        if any(ast.unparse(base) == "Struct" for base in one.node.bases)
        for node in one.node.body
        if isinstance(node, ast.AnnAssign)
        and node.value is not None
        and ast.unparse(node.value).startswith("field(")
        and "field" in imported_from_dataclasses(trees[one.name.rpartition(".")[0]])
    ]


def imported_from_dataclasses(tree: ast.AST) -> set[str]:
    return {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses"
        for alias in node.names
    }


# The figures

RULES: Final[Mapping[str, tuple[Callable[[Trees], Iterable[str]], int]]] = {
    "classes of more than 250 lines": (large_classes, 31),
    "classes that set more than 15 fields in __init__": (crowded_classes, 36),
    "modules that one neighbour alone imports": (closets, 66),
    "protocols whose one implementation is in their folder": (needless_protocols, 11),
    "data classes": (data_classes, 6),
    "patterns that are compiled at import": (early_patterns, 5),
    "structs with a field of data classes": (strange_fields, 0),
}
"""What breaks each rule, and how many do today. Lower a figure, never raise it."""


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_is_broken_no_more_often_than_today(rule: str) -> None:
    find, today = RULES[rule]
    found = sorted(find(house()))
    listed = "\n".join(found)
    assert len(found) <= today, f"{len(found)} {rule}, not {today}:\n{listed}"
    assert len(found) == today, f"only {len(found)} {rule}: well done, lower the figure in RULES"


# What breaks a rule is found


def planted(**modules: str) -> Trees:
    return {f"desktop.{name.replace('__', '.')}": ast.parse(text) for name, text in modules.items()}


def class_of(lines: int, fields: int) -> str:
    body = [f"        self.field{number} = {number}" for number in range(fields)]
    body += ["        self.field0 += 1"] * (lines - fields - 2)
    return "\n".join(["class Any:", "    def __init__(self):", *body])


def test_a_large_and_a_crowded_class_are_found() -> None:
    allowed = planted(one=class_of(CLASS_LINES, FIELDS))
    assert (large_classes(allowed), crowded_classes(allowed)) == ([], [])
    assert large_classes(planted(one=class_of(CLASS_LINES + 1, 1))) == ["desktop.one.Any"]
    assert crowded_classes(planted(one=class_of(99, FIELDS + 1))) == ["desktop.one.Any"]


def test_a_module_that_one_neighbour_alone_imports_is_a_closet() -> None:
    trees = planted(
        room__page="from desktop.room import closet\nfrom desktop.room.shared import A",
        room__feature="from desktop.room import later",
        room__later="",
        room__closet="from desktop.other.far import B",
        room__other="from desktop.room import shared",
        room__shared="",
        other__far="",
    )
    assert closets(trees) == ["desktop.room.closet"]


def test_no_modules_import_each_other_not_even_for_their_types() -> None:
    assert circle(house()) == []


def test_a_circle_of_imports_is_found() -> None:
    for_types = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n  from desktop.room import a"
    trees = planted(room__a="from desktop.room.b import B", room__b=for_types, c="import desktop.c")
    assert sorted(set(circle(trees))) == ["desktop.room.a", "desktop.room.b"]


OPENS = "class Opens(Protocol):\n  size: int\n  def open(self): ..."
CALLED = "class Called(Protocol):\n  def __call__(self): ..."
SIZED = "class Sized:\n  def __init__(self): self.size = 1"
FILE = "class File(Sized):\n  def open(self): ..."
LINK = "class Link(Sized):\n  def open(self): ..."


@pytest.mark.parametrize(
    ("trees", "found"),
    [
        (planted(room__a=OPENS, room__b=FILE, far__c=SIZED), ["desktop.room.a.Opens"]),
        (planted(room__a=OPENS, far__b=FILE, far__c=SIZED), []),
        (planted(room__a=OPENS, room__b=FILE, room__c=SIZED, far__d=LINK), []),
        (planted(room__a=OPENS, room__b=SIZED), []),
        (planted(room__a=CALLED, room__b=SIZED), []),
    ],
    ids=["beside it", "at a border", "two of them", "none", "a single call"],
)
def test_a_protocol_is_needless_where_its_one_implementation_stands_beside_it(
    trees: Trees, found: list[str]
) -> None:
    assert needless_protocols(trees) == found


def test_a_data_class_and_an_early_pattern_are_found() -> None:
    trees = planted(
        one="@dataclass(frozen=True)\nclass Any: ...\n_WORDS: Final = (1, re.compile('a'))",
        two="_WORD = compile_later('a')\nclass Any(Struct): ...\ndef any(): return re.compile('a')",
        three="from dataclasses import field\nclass Any(Struct):\n    one: int = field(default=1)",
        four="from msgspec import field\nclass Any(Struct):\n    one: int = field(default=1)",
    )
    assert (data_classes(trees), early_patterns(trees)) == (["desktop.one.Any"], ["desktop.one:3"])
    assert strange_fields(trees) == ["desktop.three.Any"]
