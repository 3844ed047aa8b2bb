"""Checks a value against a full JSON Schema and finds everything that is wrong with it.

Four layers: type, format, range, and rules between fields. Never raises for a schema or a value,
never fetches, never takes long: what cannot be checked is a warning. Must not change the value.
Safe to use from a thread.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, cast

from jsonschema import FormatChecker, SchemaError
from referencing import Registry

from desktop.base.did_you_mean import nearest_names
from desktop.base.translatable import translatable
from desktop.tools.validation.budget import TooMuchWorkError, validation_budget
from desktop.tools.validation.issues import best_match, issue_of
from desktop.tools.validation.keywords import validator_class
from desktop.tools.validation.messages import not_in_schema
from desktop.tools.validation.quick_check import fast_check
from desktop.values.json_schema import as_dict
from desktop.values.tool_types import ValidationIssue, json_path

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

    from desktop.values.tool_types import JsonObject

MAX_ISSUES: Final = 100
MAX_CHECKED_SCHEMA: Final = 24_000
"""Characters of a schema that is checked against its own rules: that costs up to 10 us each."""
MAX_SCHEMA_PARTS: Final = 100_000
"""Objects, lists and values of a schema that is compiled, which takes a third of a second then."""
_MAX_CACHED: Final = 256
_MAX_UNKNOWN_DEPTH: Final = 20
_MAX_NAMES: Final = 200
"""Properties of an object beyond which no similar name is looked for."""


def validate(schema: JsonObject, arguments: Any) -> list[ValidationIssue]:
    """Everything that is wrong with a call's arguments, unknown names included.

    What is required and missing is wrong only where the schema has no default for it that fits: the
    server fills that in. Errors and warnings, at most `MAX_ISSUES`; empty when all is fine.
    """
    known = _cached(schema)
    if known is not None and known.surely_fits is not None and known.surely_fits(arguments):
        return []
    issues = find_misfits(schema, arguments, has_defaults=True)
    return [*issues, *find_unknown_arguments(schema, arguments)][:MAX_ISSUES]


def find_misfits(schema: Any, value: Any, *, has_defaults: bool = False) -> list[ValidationIssue]:
    """All that the schema forbids or that is odd about it; for arguments and output alike.

    Args:
        schema: may be anything; what is no schema is a warning.
        value: any JSON value.
        has_defaults: whoever gets the value puts the schema's defaults in for what is missing.
    """
    if not isinstance(cast("object", schema), Mapping | bool):
        return [
            _oddity(translatable("The tool's schema is not an object, so nothing was checked."))
        ]
    try:
        compiled = compile_schema(schema)
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        return [_oddity(translatable("The tool's schema cannot be read: {why}", why=_why(error)))]
    with validation_budget(compiled.root, has_defaults=has_defaults) as budget:
        issues = _collect(compiled, value)
        skipped = [
            translatable("The tool's schema could not be fully checked: {why}", why=reason)
            for reason in budget.skipped
        ]
    issues += [_oddity(text) for text in ([compiled.oddity] if compiled.oddity else []) + skipped]
    return issues[:MAX_ISSUES]


def _collect(compiled: CompiledSchema, value: Any) -> list[ValidationIssue]:
    issues: dict[ValidationIssue, None] = {}
    try:
        for error in islice(_best_matches(compiled.errors(value)), MAX_ISSUES):
            issues[issue_of(error)] = None
    except (TooMuchWorkError, RecursionError):
        words = translatable("The schema or the value is too complex to be fully checked.")
        issues[_oddity(words)] = None
    except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as error:
        words = translatable("The tool's schema cannot be checked: {why}", why=_why(error))
        issues[_oddity(words)] = None
    return list(issues)


def _best_matches(errors: Iterable[ValidationError]) -> Iterator[ValidationError]:
    for error in errors:
        yield from best_match(error)


def _oddity(message: str) -> ValidationIssue:
    return ValidationIssue((), "rule", message, "warning", "oddSchema")


def _why(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return translatable("it is nested too deeply")
    if isinstance(error, SchemaTooLargeError):
        return translatable("it has more than {limit} parts", limit=MAX_SCHEMA_PARTS)
    return f"{error!s:.200}"


# --- compiled schemas -------------------------------------------------------------------------

_cache: OrderedDict[int, tuple[Any, CompiledSchema]] = OrderedDict()
_cache_lock = Lock()
_with_formats = FormatChecker(formats=())
"""Only switches formats on; what each allows is defined in `formats`."""


class SchemaTooLargeError(ValueError):
    """A schema has so many parts that preparing it would hold up the window."""


class CompiledSchema:
    """A schema prepared once: its validator, and what is odd about the schema itself."""

    def __init__(self, schema: Any, size: int) -> None:
        """Args: schema: a private copy, as `$schema` is taken out of it. size: its characters."""
        draft = validator_class(schema)
        self.oddity = _find_oddity(draft, schema) if size <= MAX_CHECKED_SCHEMA else ""
        self.surely_fits = fast_check(schema) if not self.oddity else None
        """A quick check that a value fits without any issue; None where the schema needs more."""
        # jsonschema goes back to its own unlimited class wherever it meets `$schema` again.
        self.root = _without_dialects(schema)
        self._validator: Validator = draft(
            self.root, registry=Registry(), format_checker=_with_formats
        )

    def errors(self, value: Any) -> Iterator[ValidationError]:
        return self._validator.iter_errors(value)


def compile_schema(schema: Any) -> CompiledSchema:
    """Compile a schema, cached by identity, then by text: equal schemas share one compilation.

    Raises:
        TypeError, ValueError, AttributeError, RecursionError: it cannot be read as a schema.
    """
    if (known := _cached(schema)) is not None:
        return known
    if _has_more_parts(schema, MAX_SCHEMA_PARTS):
        raise SchemaTooLargeError
    fresh = _compile_text(json.dumps(schema, default=as_dict))
    with _cache_lock:
        # The reference keeps the object alive, so that its id stays its own.
        _cache[id(schema)] = (schema, fresh)
        if len(_cache) > _MAX_CACHED:
            _cache.popitem(last=False)
    return fresh


def _has_more_parts(schema: Any, limit: int) -> bool:
    todo, count = [schema], 1
    while todo:
        here = todo.pop()
        inner: Sequence[Any] = ()
        if isinstance(here, Mapping):
            inner = tuple(cast("Mapping[str, Any]", here).values())
        elif isinstance(here, list):
            inner = cast("list[Any]", here)
        count += len(inner)
        if count > limit:
            return True
        todo.extend(inner)
    return False


def _cached(schema: Any) -> CompiledSchema | None:
    with _cache_lock:
        known = _cache.get(id(schema))
        if known is None or known[0] is not schema:
            return None
        _cache.move_to_end(id(schema))
        return known[1]


@lru_cache(maxsize=_MAX_CACHED)
def _compile_text(text: str) -> CompiledSchema:
    return CompiledSchema(json.loads(text), len(text))


def _find_oddity(draft: type[Validator], schema: Any) -> str:
    try:
        with validation_budget(is_trial=True):
            cast("Any", draft).check_schema(schema, format_checker=None)
    except SchemaError as error:
        where, why = f"{json_path(tuple(error.absolute_path)):.80}", f"{error.message:.200}"
        if not where:
            return translatable("The tool's schema is not valid: {why}", why=why)
        return translatable(
            "The tool's schema is not valid at {where}: {why}", where=where, why=why
        )
    except (TooMuchWorkError, RecursionError):
        return translatable("The tool's schema is too large or too deep to be validated.")
    return ""


def _without_dialects(schema: Any) -> Any:
    """Remove `$schema` from all subschemas; values under `const` and `enum` stay."""
    todo = [schema]
    while todo:
        here = todo.pop()
        if isinstance(here, dict):
            members = cast("dict[str, Any]", here)
            if isinstance(members.get("$schema"), str):
                del members["$schema"]
            todo.extend(value for key, value in members.items() if key not in {"const", "enum"})
        elif isinstance(here, list):
            todo.extend(cast("list[Any]", here))
    return schema


# --- unknown arguments ------------------------------------------------------------------------

_OPEN: Final = frozenset(
    {"additionalProperties", "patternProperties", "unevaluatedProperties", "$ref", "allOf", "anyOf",
     "oneOf", "if", "dependentSchemas", "$dynamicRef", "dependencies"}
)  # fmt: skip


def find_unknown_arguments(
    schema: Any, value: Any, path: tuple[str | int, ...] = ()
) -> Iterator[ValidationIssue]:
    """A warning for each property that the schema neither names nor forbids: often a typo.

    Looks only where the answer is clear: not into references and alternatives.
    """
    if not isinstance(schema, Mapping) or len(path) > _MAX_UNKNOWN_DEPTH:
        return
    keywords = cast("Mapping[str, Any]", schema)
    declared = keywords.get("properties")
    if isinstance(value, Mapping) and isinstance(declared, Mapping):
        yield from _unknown_in_object(
            keywords, cast("Mapping[str, Any]", declared), cast("Mapping[str, Any]", value), path
        )
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for index, item in enumerate(cast("Sequence[Any]", value)):
            yield from find_unknown_arguments(keywords.get("items"), item, (*path, index))


def _unknown_in_object(
    keywords: Mapping[str, Any],
    declared: Mapping[str, Any],
    value: Mapping[str, Any],
    path: tuple[str | int, ...],
) -> Iterator[ValidationIssue]:
    is_open = not _OPEN.isdisjoint(keywords)
    for name, inner in value.items():
        if name in declared:
            yield from find_unknown_arguments(declared[name], inner, (*path, name))
        elif not is_open:
            yield _unknown((*path, name), declared)


def _unknown(path: tuple[str | int, ...], declared: Mapping[str, Any]) -> ValidationIssue:
    names = [str(name) for name in declared] if len(declared) < _MAX_NAMES else []
    near = next(iter(nearest_names(str(path[-1]), names, 1)), "")
    return ValidationIssue(path, "rule", not_in_schema(near), "warning", "undeclared")
