"""The node of a value that has one of several shapes, and the choice of the shape for a value.

The shape is chosen by its constants first, then by validity, then by how many properties it shares
with the value; a value that no shape can show is held as JSON. `jsonschema` is imported only when
validity has to be asked.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, cast

from desktop.base.translatable import translatable
from desktop.gui.form.model.field_spec import ABSENT, FieldSpec, can_represent
from desktop.gui.form.model.nodes import Node
from desktop.values.json_schema import list_of, object_of, same_json
from desktop.values.tool_types import ValidationIssue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.gui.form.model.nodes import NodeFactory
    from desktop.values.tool_types import JsonObject

_MAX_REMEMBERED: Final = 64
_PLACE: Final = "mcp-desktop-root"


class SubschemaValidator:
    """The verdicts on parts of one schema."""

    def __init__(self, root: Any) -> None:
        self._root = object_of(root)
        self._moved: JsonObject | None = None
        self._known: OrderedDict[int, tuple[Any, JsonObject]] = OrderedDict()

    def problem(self, schema: Any, value: Any) -> ValidationIssue | None:
        """The first error, None when the value fits."""
        from desktop.tools.validation import find_misfits  # jsonschema: not before the first paint

        if schema is False:
            return ValidationIssue((), "rule", translatable("is never allowed"))
        # As it is, without defaults: so does a condition (`if`) look at what is given.
        issues = find_misfits(self._whole(schema), value)
        return next((issue for issue in issues if issue.severity == "error"), None)

    def _whole(self, schema: Any) -> JsonObject:
        """The part as a schema of its own that carries the whole along."""
        known = self._known.get(id(schema))
        if known is not None and known[0] is schema:
            return known[1]
        if self._moved is None:
            self._moved = _moved(self._root)
        whole = {**object_of(_moved(object_of(schema))), _PLACE: self._moved}
        if isinstance(dialect := self._root.get("$schema"), str):
            whole["$schema"] = dialect
        # The part is kept alive, so that its id stays its own.
        self._known[id(schema)] = (schema, whole)
        if len(self._known) > _MAX_REMEMBERED:
            self._known.popitem(last=False)
        return whole


def _moved(schema: JsonObject) -> JsonObject:
    """A copy whose references start one place further down."""
    copy: dict[str, Any] = {}
    todo: list[tuple[Any, dict[str, Any] | list[Any]]] = [(schema, copy)]
    while todo:
        source, target = todo.pop()
        pairs = enumerate(list_of(source)) if isinstance(target, list) else source.items()
        for key, value in pairs:
            made = _made(key, value)
            if isinstance(made, dict | list):
                todo.append((value, cast("dict[str, Any] | list[Any]", made)))
            cast("Any", target)[key] = made
    return copy


def _made(key: Any, value: Any) -> Any:
    if key == "$ref" and isinstance(value, str) and (value == "#" or value.startswith("#/")):
        return f"#/{_PLACE}{value[1:]}"
    if isinstance(value, list):
        return [None] * len(cast("list[Any]", value))
    return {} if object_of(value) else value


class UnionNode(Node):
    """The shapes and the one in use; each keeps what was filled in while another is shown.

    `index` is None while no shape is chosen (then `inner` may hold what all shapes share) and
    `len(shapes) - 1` for JSON, the last resort.
    """

    def __init__(
        self, spec: FieldSpec, factory: NodeFactory, value: Any, *, is_new: bool = False
    ) -> None:
        super().__init__(spec)
        self._factory = factory
        self._empty: Any = ABSENT
        self._kept: dict[int | None, Node] = {}
        self.index: int | None = None
        self.inner: Node | None = None
        self._is_new = is_new
        self._fill(value)

    @property
    def is_begun(self) -> bool:
        """To choose a shape is not to fill it in."""
        return self.is_touched or (self.inner is not None and _is_filled(self.inner))

    @property
    def problem(self) -> str:
        return self.inner.problem if self.inner else ""

    @property
    def note(self) -> str:
        return self.inner.note if self.inner else ""

    @property
    def is_json(self) -> bool:
        """Whether the value has none of the shapes and is written as JSON."""
        return self.index == len(self.spec.branches)

    def value(self) -> Any:
        return self._empty if self.inner is None else self.inner.value()

    def set_value(self, value: Any) -> None:
        self._is_new, self.is_touched = False, True
        self._fill(value)

    def children(self) -> Iterator[tuple[str | int, Node]]:
        return self.inner.children() if self.inner else iter(())

    def renew(self, key: str | int, value: Any) -> None:
        if self.inner is not None:
            self.inner.renew(key, value)

    def apply_conditions(self) -> None:
        if self.inner is not None:
            self.inner.apply_conditions()

    def choose(self, index: int | None) -> None:
        """Another shape: what both have goes along, what only the other had waits in it."""
        before, left = self.value(), self._spec()
        if self.inner is not None:
            self._kept[self.index] = self.inner
        self.index, self._empty = index, ABSENT
        spec, kept = self._spec(), self._kept.get(index)
        if spec is None or (index is None and not self.spec.required):
            self.inner = None
        elif self.is_json:
            self.inner = self._factory.make(spec, before)
        else:
            shared = _shared_value(self._factory, left, spec, before)
            self.inner = self._resumed_node(kept, shared) if kept else self._new_node(spec, shared)

    def _new_node(self, spec: FieldSpec, shared: Any) -> Node:
        # A shape that was chosen is there, if only to be filled in.
        is_open = shared is ABSENT and spec.kind == "object"
        return self._factory.start(spec, {} if is_open else shared)

    def _resumed_node(self, node: Node, shared: Any) -> Node:
        """The shape as it was left, with what was changed since in the properties both have."""
        value = node.value()
        if not isinstance(value, dict) or not isinstance(shared, dict):
            return node
        changed = {**cast("dict[str, Any]", value), **cast("dict[str, Any]", shared)}
        return node if same_json(changed, value) else self._factory.make(node.spec, changed)

    def _spec(self) -> FieldSpec | None:
        if self.index is None:
            return self.spec.base
        if self.is_json:
            return FieldSpec(self.spec.name, required=True, in_list=self.spec.in_list)
        return self.spec.branches[self.index]

    def _fill(self, value: Any) -> None:
        self._kept, self.inner, self.index = {}, None, None
        self._empty = value if value is None else ABSENT
        if value is ABSENT or (value is None and self.spec.nullable):
            return
        self.index = best_match(self.spec, self._factory, value)
        spec = self._spec()
        if spec is not None:
            make = self._factory.start if self._is_new else self._factory.make
            self.inner = make(spec, value)


def best_match(spec: FieldSpec, factory: NodeFactory, value: Any) -> int | None:
    """The shape of `spec` that a value has; None for what only its base can show."""
    if spec.base and value == {}:
        return None
    matches = {
        index: _match_constants(factory, each, value)
        for index, each in enumerate(spec.branches)
        if _is_possible(each, value)
    }
    possible = [index for index, match in matches.items() if match is not False]
    if not possible:
        return None if spec.base and can_represent(spec.base, value) else len(spec.branches)
    sure = [index for index in possible if matches[index]] or possible
    if len(sure) > 1:
        valid = [at for at in sure if not factory.problem(spec.branches[at].schema, value)]
        sure = valid or sure
    return max(sure, key=lambda index: (_count_shared(spec.branches[index], value), -index))


def _is_possible(spec: FieldSpec, value: Any) -> bool:
    if spec.kind == "enum" and value is not None:
        return any(same_json(option.value, value) for option in spec.options)
    # A field for numbers would keep a text too, to be put right by whoever typed it.
    is_text = spec.kind in {"integer", "number"} and isinstance(value, str)
    return can_represent(spec, value) and not is_text


def _match_constants(factory: NodeFactory, spec: FieldSpec, value: Any) -> bool | None:
    """What the constants of a shape say: the value is meant, is not meant, or nothing."""
    is_meant: bool | None = None
    for name, each in object_of(value).items():
        allowed = _allowed_values(factory, spec, name)
        if allowed:
            if not any(same_json(each, constant) for constant in allowed):
                return False
            is_meant = True
    return is_meant


def _allowed_values(factory: NodeFactory, spec: FieldSpec, name: str) -> list[Any]:
    """The only values that a property may have in this shape, where it names them."""
    if name not in spec.properties:
        return []
    schema = factory.reader.child(spec, name).schema
    return [schema["const"]] if "const" in schema else list_of(schema.get("enum"))


def _count_shared(spec: FieldSpec, value: Any) -> int:
    return len(object_of(value).keys() & spec.properties.keys())


def _shared_value(factory: NodeFactory, left: FieldSpec | None, spec: FieldSpec, value: Any) -> Any:
    """What of a value of the shape that was left this one can take over."""
    if spec.kind != "object" or not isinstance(value, dict):
        return value if value is not ABSENT and _is_possible(spec, value) else ABSENT
    found: dict[str, Any] = {}
    for name, each in cast("dict[str, Any]", value).items():
        allowed = _allowed_values(factory, spec, name)
        is_free = left is not None and name not in left.properties and spec.additional is not False
        if allowed and not any(same_json(each, constant) for constant in allowed):
            continue
        if name in spec.properties or is_free:
            found[name] = each
    return found


def _is_filled(node: Node) -> bool:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.is_begun:
            return True
        waiting += [child for _, child in one.children()]
    return False
