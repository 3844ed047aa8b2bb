"""Holds a JSON value against one of the SDK's models, and says in words what does not fit.

What a model refuses can be taken out of a value, part by part, so that the rest of it is kept. Must
not know what the value is for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from pydantic import TypeAdapter, ValidationError

from desktop.base.translatable import translatable
from desktop.servers.repair.oddities import report_oddity

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping, Sequence

Raw: TypeAlias = dict[str, Any]
Path: TypeAlias = tuple[str | int, ...]
_REPAIRS_MAX: Final = 20
"""Rounds in which one value is repaired: each takes out at least one of its members."""

_WORDS: Final[Mapping[str, str]] = {
    "missing": translatable("is missing"),
    "string_type": translatable("is not a string"),
    "dict_type": translatable("is not an object"),
    "model_type": translatable("is not an object"),
    "model_attributes_type": translatable("is not an object"),
    "mapping_type": translatable("is not an object"),
    "list_type": translatable("is not a list"),
    "bool_type": translatable("is not true or false"),
    "bool_parsing": translatable("is not true or false"),
    "float_type": translatable("is not a number"),
    "float_parsing": translatable("is not a number"),
    "int_type": translatable("is not a number"),
    "int_parsing": translatable("is not a number"),
}


def problem(path: Path, kind: str, message: str) -> str:
    where = ".".join(map(str, path))
    what = _WORDS.get(kind) or message
    return translatable("{where} {what}", where=where, what=what) if where else what


def first_problem(error: ValidationError) -> str:
    found = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return problem(known_path(found["loc"]), found["type"], found["msg"])


def known_path(path: Sequence[str | int]) -> Path:
    """Without the names of the SDK's own classes, which it writes into the paths of unions."""
    return tuple(part for part in path if not (isinstance(part, str) and part[:1].isupper()))


@lru_cache(maxsize=16)
def adapter(model: Any) -> TypeAdapter[Any]:
    return TypeAdapter(model)


def is_valid(model: Any, value: object) -> bool:
    try:
        adapter(model).validate_python(value, by_name=False)
    except ValidationError:
        return False
    return True


def fits(model: Any, value: Raw, *, keep: tuple[str, ...] = (), where: str = "") -> bool:
    """Whether `value` fits, once the members that do not are taken out of it, but for `keep`."""
    for _ in range(_REPAIRS_MAX):
        try:
            adapter(model).validate_python(value, by_name=False)
        except ValidationError as error:
            if where:
                report_oddity(where, first_problem(error))
            if not all(_take_out(value, each["loc"], keep) for each in error.errors()):
                return False
        else:
            return True
    return False


def _take_out(value: Raw, path: Sequence[str | int], keep: tuple[str, ...]) -> bool:
    """Remove the member that a model refuses, the innermost of two levels; False where it stays."""
    if not path or path[0] in keep:
        return False
    member, inner = cast("str", path[0]), value.get(cast("str", path[0]))
    if len(path) > 1 and isinstance(inner, dict) and path[1] in inner:
        changed = dict(cast("MutableMapping[str, Any]", inner))
        del changed[cast("str", path[1])]
        value[member] = changed
    else:
        value.pop(member, None)
    return True
