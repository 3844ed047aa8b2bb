"""Data classes whose methods are compiled later are the data classes of the standard library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

_CLASSES = """
import abc, copy, dataclasses, inspect, pickle
from dataclasses import dataclass, field, InitVar

@dataclass(frozen=True, slots=True, order=True)
class Point:
    x: int
    y: int = 2
    more: list[int] = field(default_factory=list, hash=False, compare=False)

@dataclass(frozen=True, slots=True)
class Deep(Point):
    z: int = 0

    def __repr__(self):
        return "deep " + super(Deep, self).__repr__()

@dataclass
class Node:
    name: str
    next: "Node | None" = None
    given: InitVar[int] = 3

    def __post_init__(self, given):
        self.name += str(given)

@dataclass(kw_only=True)
class Base(abc.ABC):
    a: int

    @abc.abstractmethod
    def act(self): ...

class Child(Base):
    def __init__(self, a):
        Base.__init__(self, a=a + 1)

    def act(self): ...

one, other = Point(1), Point(1, 2, [9])
print(one, one == other, hash(one) == hash(other), one < Point(2), Point(1).__ne__(3))
print(dataclasses.replace(one, y=7), dataclasses.asdict(Deep(1, z=4)), Deep(1), Deep(1) == one)
print(copy.copy(other), pickle.loads(pickle.dumps(other)) == other)
node = Node("a")
node.next = node
print(node, Child(1).a, Child(1) == Child(1))
for cls in (Point, Deep, Node, Base):
    print(cls.__doc__, inspect.signature(cls), inspect.signature(cls.__init__), cls.__match_args__)
    print(cls.__init__.__qualname__, cls.__eq__.__qualname__, cls.__repr__.__qualname__)
    print(cls.__hash__ is None, cls.__module__, cls.__init__.__annotations__)
for act in (lambda: Point(), lambda: setattr(one, "x", 3), lambda: delattr(one, "x"),
            lambda: Base(a=1), lambda: Point(1, 2, 3, 4)):
    try:
        act()
    except Exception as error:
        print(type(error).__name__, error)
try:
    @dataclass(frozen=True)
    class Wrong:
        def __setattr__(self, name, value): ...
except TypeError as error:
    print(error)
"""
_LATER = """
from desktop.lazy_dataclasses import compile_methods_later
compile_methods_later()
print(compile_methods_later())  # twice is as once
"""


def _run(code: str) -> list[str]:
    argv = [sys.executable, "-c", code]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.splitlines()


def test_data_classes_are_those_of_the_standard_library() -> None:
    plain = _run(_CLASSES)
    assert len(plain) == 22
    assert _run(_LATER + _CLASSES) == ["True", *plain]


def test_a_method_is_compiled_when_it_is_looked_up_and_then_is_a_plain_function() -> None:
    code = """
from dataclasses import dataclass
@dataclass(frozen=True, slots=True)
class Point:
    "Has a docstring: for one without, the library looks at the signature of its `__init__`."
    x: int
def kinds():
    names = ("__init__", "__eq__", "__repr__", "__hash__", "__setattr__")
    return [type(vars(Point)[name]).__name__ for name in names]
print(set(kinds()))
Point(1) == Point(2)
print(kinds())
"""
    assert _run(_LATER + code) == [
        "True",
        "{'_LaterMethod'}",
        "['function', 'function', '_LaterMethod', '_LaterMethod', '_LaterMethod']",
    ]


def test_a_python_that_makes_them_in_another_way_keeps_its_own() -> None:
    code = """
import dataclasses
vars(dataclasses).pop("_create_fn", None), vars(dataclasses).pop("_FuncBuilder", None)
before = dict(vars(dataclasses))
"""
    assert _run(code + _LATER + "print(vars(dataclasses) == before)") == ["False", "True"]
