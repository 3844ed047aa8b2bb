"""The small faults that can be put into a source file, each a replacement of one piece of its text.

The faults are those that people make: a comparison turned or off by one, `and` for `or`, a value
that is wrong by one, a condition negated, a result dropped, a statement forgotten. What cannot
change behaviour on this system is not touched: annotations, docstrings, decorators, the texts of
exceptions, and

- what is only logged, with the variables and private functions that nothing else reads;
- branches for another operating system, with the private functions that only they name;
- how many bytes are read at a time;
- how long something waits, and whether a clock that reads exactly the limit is past it: no test
  looks at the wall clock. How often something is tried and how much it may take are touched.

Must not run anything.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TURNED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
}
_ARITHMETIC: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: (r"\+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: (r"\*", "//"),
    ast.FloorDiv: ("//", "*"),
    ast.Div: ("/", "*"),
    ast.BitOr: (r"\|", "&"),
    ast.BitAnd: ("&", "|"),
}
_SYSTEM = {"sys.platform", "os.name"}
_LOG_METHODS = {"debug", "info", "warning", "error", "exception", "critical", "log"}
_CLOCKS = {"monotonic()", "time.monotonic()"}
_DESCRIBES_ITSELF = (ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Constant)
"""Conditions that have faults of their own, so that negating them as a whole adds nothing."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One fault: the bytes from `start` to `end` of `module` become `text`.

    `line` is where it is, `statement` the first and last line of the statement around it. `place`,
    `was`, `now` and `number` stay the same while other lines of the file change.
    """

    module: str
    place: str
    line: int
    statement: tuple[int, int]
    start: int
    end: int
    text: str
    was: str
    now: str
    number: int = 1

    @property
    def key(self) -> str:
        again = f" #{self.number}" if self.number > 1 else ""
        return f"{self.module} | {self.place} | {self.was} -> {self.now}{again}"

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]


def find_mutations(module: str, source: bytes) -> list[Mutation]:
    """All faults of a file, in the order of its text."""
    tree = ast.parse(source)
    finder = _Finder(module, source)
    while unnamed := finder.visit_all(tree):
        finder = _Finder(module, source, unnamed | finder.unreached)
    return _numbered(sorted(finder.found, key=lambda mutation: (mutation.start, mutation.end)))


def is_fault(mutation: Mutation, source: bytes) -> bool:
    """Whether the changed file still is Python, and another program than before."""
    try:
        changed = ast.parse(mutation.apply(source))
    except (SyntaxError, ValueError):
        return False
    return ast.dump(changed) != ast.dump(ast.parse(source))


def _numbered(mutations: list[Mutation]) -> list[Mutation]:
    """Tell apart those that look alike within one function."""
    seen: Counter[str] = Counter()
    numbered: list[Mutation] = []
    for mutation in mutations:
        seen[mutation.key] += 1
        numbered.append(replace(mutation, number=seen[mutation.key]))
    return numbered


class _Finder:
    """Walks a syntax tree and collects faults, but not in the private definitions `unreached`."""

    def __init__(self, module: str, source: bytes, unreached: frozenset[str] = frozenset()) -> None:
        self.found: list[Mutation] = []
        self.unreached = unreached
        self._named: set[str] = set()
        self._logged: set[str] = set()
        self._module = module
        self._source = source
        self._offsets = [0]
        for line in source.splitlines(keepends=True):
            self._offsets.append(self._offsets[-1] + len(line))
        self._places: list[str] = []
        self._statement = (1, 1)
        self._finders: list[Callable[[ast.AST], None]] = [
            self._comparison,
            self._boolean,
            self._constant,
            self._arithmetic,
            self._condition,
            self._result,
            self._removal,
        ]

    def visit_all(self, tree: ast.Module) -> frozenset[str]:
        """Returns the private definitions which nothing that is run here names, or only itself."""
        defined = [(name, node) for node in tree.body for name in _private_names(node)]
        self._body([node for node in tree.body if not self.unreached & {*_private_names(node)}])
        return frozenset(name for name, _ in defined if name not in self._named) - self.unreached

    def _body(self, statements: list[ast.stmt]) -> None:
        for statement, following in zip_longest(statements, statements[1:]):
            if _is_text(statement) or _is_pause(statement, following):
                continue
            if isinstance(statement, ast.If) and _is_never(statement.test):
                self._body(statement.orelse)
                continue
            self._visit_statement(statement)
            if isinstance(statement, ast.If) and _ends_here(statement):
                return  # what follows is for other systems

    def _visit_statement(self, statement: ast.stmt) -> None:
        around = self._statement
        self._statement = _span(statement)
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            self._definition(statement)
        else:
            self._visit(statement)
        self._statement = around

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self._places.append(node.name)
        self._note_names(*node.decorator_list)
        around = self._logged
        if isinstance(node, ast.ClassDef):
            self._note_names(*node.bases, *node.keywords)
        else:
            self._logged = _only_logged(node)
            for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                self._visit(default)
        self._body(node.body)
        self._logged = around
        self._places.pop()

    def _visit(self, node: ast.AST) -> None:
        if _is_out_of_reach(node):
            self._note_names(node)
            return
        if isinstance(node, ast.IfExp) and (_is_never(node.test) or _is_always(node.test)):
            self._visit(node.orelse if _is_never(node.test) else node.body)
            return
        for find in self._finders:
            find(node)
        if isinstance(node, ast.Raise):
            self._visit_exception(node)
        elif isinstance(node, ast.Assign) and (pairs := _assigned(node)):
            for pair in pairs:
                self._visit_assigned(*pair)
        else:
            self._visit_fields(node)

    def _visit_fields(self, node: ast.AST) -> None:
        if _is_read_of_a_portion(node):
            return
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "decorator_list", "type_params"):
                continue
            if isinstance(value, list):
                self._visit_list(value)  # pyright: ignore[reportUnknownArgumentType]
            elif isinstance(value, ast.AST):
                self._visit(value)

    def _visit_assigned(self, target: ast.expr, value: ast.expr) -> None:
        """Not the value of a variable that is only logged, if it does nothing."""
        is_logged = isinstance(target, ast.Name) and target.id in self._logged
        if not is_logged or any(isinstance(part, ast.Call | ast.Await) for part in ast.walk(value)):
            self._visit(target)
            self._visit(value)

    def _note_names(self, *nodes: ast.AST) -> None:
        for name in chain.from_iterable(map(_names, nodes)):
            if name not in self._places[:1]:  # a function that only calls itself
                self._named.add(name)

    def _visit_exception(self, node: ast.Raise) -> None:
        self._note_names(node)
        if isinstance(node.exc, ast.Call):
            for argument in node.exc.args:
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    self._visit(argument)

    def _visit_list(self, nodes: list[object]) -> None:
        statements = [node for node in nodes if isinstance(node, ast.stmt)]
        if statements:
            self._body(statements)
            return
        for node in nodes:
            if isinstance(node, ast.AST):
                self._visit(node)

    # --- kinds of faults ----------------------------------------------------------------------

    def _comparison(self, node: ast.AST) -> None:
        if not isinstance(node, ast.Compare):
            return
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            if not _is_past_the_clock(operator, left, right):
                self._replace_between(left, right, *_TURNED[type(operator)])

    def _boolean(self, node: ast.AST) -> None:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self._replace(node, f"({self._text(node.operand)})")
        if isinstance(node, ast.BoolOp):
            is_and = isinstance(node.op, ast.And)
            pattern, text = ("and", "or") if is_and else ("or", "and")
            for left, right in zip(node.values, node.values[1:], strict=False):
                self._replace_between(left, right, pattern, text)

    def _constant(self, node: ast.AST) -> None:
        if not isinstance(node, ast.Constant) or isinstance(node.value, type(None) | type(...)):
            return
        match node.value:
            case bool(value):
                self._replace(node, str(not value))
            case int(value):
                self._replace(node, str(value + 1))
            case float(value):
                self._replace(node, str(value * 2 + 1))
            case str(value):
                self._replace(node, repr(f"XX{value}"))
            case bytes(value):
                self._replace(node, repr(b"XX" + value))
            case _:
                return

    def _arithmetic(self, node: ast.AST) -> None:
        if not isinstance(node, ast.BinOp) or type(node.op) not in _ARITHMETIC:
            return
        if any(_is_sequence(side) for side in (node.left, node.right)):
            return
        pattern, text = _ARITHMETIC[type(node.op)]
        self._replace_between(node.left, node.right, pattern, text)

    def _condition(self, node: ast.AST) -> None:
        if isinstance(node, ast.If | ast.While | ast.IfExp) or (
            isinstance(node, ast.comprehension) and node.ifs
        ):
            tests = node.ifs if isinstance(node, ast.comprehension) else [node.test]
            for test in tests:
                if not isinstance(test, _DESCRIBES_ITSELF):
                    self._replace(test, f"(not ({self._text(test)}))")

    def _result(self, node: ast.AST) -> None:
        match node:
            case ast.Return(value=None | ast.Constant() | ast.Compare() | ast.BoolOp()):
                return  # these have faults of their own
            case ast.Return(value=ast.expr() as value):
                self._replace(value, "None")
            case _:
                return

    def _removal(self, node: ast.AST) -> None:
        match node:
            case ast.Expr(value=ast.Call() | ast.Await()) | ast.Raise() | ast.AugAssign():
                self._replace(node, "pass")
            case ast.Delete() | ast.Break():
                self._replace(node, "pass")
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript(), *_]):
                self._replace(node, "pass")
            case ast.Continue():
                self._replace(node, "break")
            case _:
                return

    # --- positions ----------------------------------------------------------------------------

    def _replace(self, node: ast.expr | ast.stmt, text: str) -> None:
        self._add(*self._range(node), text)

    def _replace_between(self, left: ast.expr, right: ast.expr, pattern: str, text: str) -> None:
        start, end = self._range(left)[1], self._range(right)[0]
        gap = self._source[start:end].decode()
        words = rf"\b{pattern}\b" if pattern[0].isalpha() else pattern
        if (match := re.search(words, gap)) is not None:
            self._add(start + match.start(), start + match.end(), text)

    def _add(self, start: int, end: int, text: str) -> None:
        line = self._source.count(b"\n", 0, start) + 1
        first = self._offsets[line - 1]
        last = (self._source + b"\n").find(b"\n", end)
        before, after = self._source[first:start], self._source[end:last]
        now = f"{before.decode()}{text}{after.decode()}"
        self.found.append(
            Mutation(
                self._module,
                ".".join(self._places) or "(module)",
                line,
                self._statement,
                start,
                end,
                text,
                was=" ".join(self._source[first:last].decode().split()),
                now=" ".join(now.split()),
            )
        )

    def _range(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        start = self._offsets[node.lineno - 1] + node.col_offset
        last, column = node.end_lineno, node.end_col_offset
        return start, self._offsets[(last or node.lineno) - 1] + (column or 0)

    def _text(self, node: ast.expr) -> str:
        start, end = self._range(node)
        return self._source[start:end].decode()


def _span(statement: ast.stmt) -> tuple[int, int]:
    """Its lines; of one that holds others, those before the first of them."""
    last = statement.end_lineno or statement.lineno
    for inner in _inner_bodies(statement):
        last = min(last, max(statement.lineno, inner[0].lineno - 1))
    return statement.lineno, last


def _inner_bodies(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    body: object = getattr(statement, "body", None)
    if isinstance(body, list) and body:
        yield body
    if isinstance(statement, ast.Match):
        yield statement.cases[0].body


def _is_text(statement: ast.stmt) -> bool:
    """Whether it is a docstring, of a constant too."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _is_pause(statement: ast.stmt, following: ast.stmt | None) -> bool:
    """Whether it is a pause that blocks, or a constant that says by its docstring: a time."""
    match statement, following:
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id="time"), attr="sleep"))
        ), _:
            return True
        case (
            ast.Assign(value=ast.expr() as value) | ast.AnnAssign(value=ast.expr() as value),
            ast.Expr(value=ast.Constant(value=str(text))),
        ):
            numbers = value.elts if isinstance(value, ast.Tuple) else [value]
            return text.startswith("Seconds ") and all(map(_is_float, numbers))
        case _:
            return False


def _is_read_of_a_portion(node: ast.AST) -> bool:
    """Whether it reads so many bytes of a file at a time, in a call with no more to change."""
    match node:
        case ast.Call(
            func=ast.Attribute(attr="read" | "recv"),
            args=[*_, ast.Constant(value=int(size))],
        ):
            return size > 1
        case _:
            return False


def _is_float(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float)


def _is_past_the_clock(operator: ast.cmpop, *sides: ast.expr) -> bool:
    """Whether it compares a time that was just measured, which never is exactly the limit."""
    is_order = isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
    return is_order and any(ast.unparse(side) in _CLOCKS for side in sides)


def _private_names(statement: ast.stmt) -> list[str]:
    """What it defines, if that is private to its module."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            names = [name]
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            names = [name]
        case _:
            return []
    return [name for name in names if name.startswith("_") and not name.startswith("__")]


def _names(node: ast.AST) -> Iterator[str]:
    """The names that are read below it, but not for the log or for the size of a cache."""
    match node:
        case ast.Call(func=ast.Name(id="lru_cache")):
            return
        case ast.Name(id=name, ctx=ast.Load()):
            yield name
        case _ if not _is_logging(node):
            for child in ast.iter_child_nodes(node):
                yield from _names(child)
        case _:
            return


def _assigned(node: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    """Its targets, each with its value, if these are variables."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            return list(zip(names, values, strict=False)) if len(names) == len(values) else []
        case ast.Assign(targets=[ast.Name() as name], value=value):
            return [(name, value)]
        case _:
            return []


def _only_logged(function: ast.FunctionDef | ast.AsyncFunctionDef) -> set[str]:
    """The names that are read in it, but nowhere other than for the log."""
    nodes = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    return {node.id for node in nodes if isinstance(node.ctx, ast.Load)} - {*_names(function)}


def _is_never(test: ast.expr) -> bool:
    """Whether it is true for type checkers alone, or on another operating system than this."""
    match test:
        case ast.Name(id="TYPE_CHECKING"):
            return True
        case _:
            return _is_here(test) is False


def _is_always(test: ast.expr) -> bool:
    return _is_here(test) is True


def _ends_here(statement: ast.If) -> bool:
    """Whether nothing behind it in its block is reached on this system."""
    return _is_always(statement.test) and isinstance(statement.body[-1], ast.Return | ast.Raise)


def _is_here(test: ast.expr) -> bool | None:
    """What a question for the system is answered with on this one; None for another question."""
    match test:
        case ast.Compare(
            ops=[ast.Eq() | ast.NotEq() as operator], comparators=[ast.Constant(value=name)]
        ) if _asks_platform(test):
            asked = sys.platform if ast.unparse(test.left) == "sys.platform" else os.name
            return (asked == name) == isinstance(operator, ast.Eq)
        case ast.BoolOp(op=operator, values=parts):
            decisive = isinstance(operator, ast.Or)
            return decisive if any(_is_here(part) is decisive for part in parts) else None
        case _:
            return None


def _asks_platform(node: ast.AST) -> bool:
    return isinstance(node, ast.Compare) and ast.unparse(node.left) in _SYSTEM


def _is_logging(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="logger"), attr=str(name))):
            return name in _LOG_METHODS
        case ast.Expr(value=ast.Call() as call):
            return _is_logging(call)
        case _:
            return False


def _is_out_of_reach(node: ast.AST) -> bool:
    """Texts for people, and what only tools read: names for export, types, a choice of system."""
    match node:
        case ast.Call(func=ast.Name(id="cast" | "TypeVar" | "translatable")):
            return True
        case ast.AnnAssign(annotation=ast.Name(id="TypeAlias")) | ast.JoinedStr() | ast.Name():
            return True
        case ast.Assign(targets=[ast.Name(id="__all__" | "TYPE_CHECKING")]):
            return True
        case _:
            return _asks_platform(node) or _is_logging(node)


def _is_sequence(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Tuple | ast.JoinedStr | ast.Set | ast.ListComp) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )
