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

from jsonschema import FormatChecker, SchemaError, ValidationError
from referencing import Registry

from desktop.base.did_you_mean import nearest_names
from desktop.base.translatable import translatable
from desktop.tools.validation.budget import TooMuchWorkError, validation_budget
from desktop.tools.validation.formats import is_certain
from desktop.tools.validation.keywords import reason_of, validator_class
from desktop.tools.validation.messages import (
    about_name,
    because,
    layer_of,
    message_of,
    not_in_schema,
    own_default,
)
from desktop.tools.validation.quick_check import fast_check
from desktop.values.json_schema import as_dict, modern_keywords
from desktop.values.tool_types import ValidationIssue, json_path

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

    from desktop.values.tool_types import JsonObject

# Turns an error of the validator into a `ValidationIssue`: its layer, severity and message.
#
# Where a schema offers alternatives (`anyOf`, `oneOf`), "is not valid under any of the given
# schemas" helps nobody: `best_match` reports the errors of the alternative that was most likely
# meant. Must not look for errors, nor word them: that is `messages`.


_ANNOTATIONS: Final = frozenset({"deprecated", "readOnly"})


def issue_of(error: ValidationError) -> ValidationIssue:
    """The issue; an error that only another field explains is of the layer `rule`."""
    keyword, expected = cast("str | None", error.validator), error.validator_value
    message = message_of(keyword, expected, error.instance, error.message)
    if getattr(error, "is_of_name", False):
        message = about_name(message)
    if (reason := reason_of(error)) is not None:
        message = because(keyword, message, reason.parts, holds=reason.holds)
    if is_own := _is_own_default(error):
        message = own_default(message)
    is_loose = keyword == "format" and not is_certain(expected)
    return ValidationIssue(
        tuple(error.absolute_path),
        "rule" if reason is not None else layer_of(keyword),
        message,
        "warning" if is_own or is_loose or keyword in _ANNOTATIONS else "error",
        "looseFormat" if is_loose else keyword or "false",
    )


def _is_own_default(error: ValidationError) -> bool:
    """Whether the value is the default that the schema names: the server does accept it.

    Of 1022 real tools 42 have such a default, most often null for a text.
    """
    here: Any = error
    while here is not None:
        schema: Any = here.schema
        if isinstance(schema, Mapping) and "default" in schema:
            default = cast("Mapping[str, Any]", schema)["default"]
            if type(default) is type(here.instance) and default == here.instance:
                return True
        here = here.parent
    return False


# --- alternatives -----------------------------------------------------------------------------

_TAGS = {"const", "enum"}


def best_match(error: ValidationError) -> Iterator[ValidationError]:
    """The error itself, or those of the alternative that was most likely meant."""
    branches = _branches(error.context or ()) if error.validator in {"anyOf", "oneOf"} else []
    fitting = [branch for branch in branches if not any(_is_other_kind(each) for each in branch)]
    if len(fitting) == 1 or len(branches) == 1:
        for inner in (fitting or branches)[0]:
            yield from best_match(inner)
    elif branches and not fitting and (kinds := _kinds(branches)):
        yield _of_kinds(error, kinds)
    elif branches and (values := _values(branches)):
        yield _replaced(error, "enum", values)
    else:
        yield _worded(error, bool(branches))


def _branches(context: Sequence[ValidationError]) -> list[list[ValidationError]]:
    grouped: dict[object, list[ValidationError]] = {}
    for each in context:
        grouped.setdefault(each.relative_schema_path[0], []).append(each)
    return list(grouped.values())


def _is_other_kind(error: ValidationError) -> bool:
    """Whether this alternative is for another type of value, or for another `kind: "x"` tag."""
    depth = len(error.relative_path)
    return (depth == 0 and error.validator == "type") or (depth <= 1 and error.validator in _TAGS)


def _kinds(branches: list[list[ValidationError]]) -> list[str]:
    """The types of all alternatives when the type alone is wrong in each; else empty."""
    kinds: list[str] = []
    for branch in branches:
        first = next((e for e in branch if e.validator == "type" and not e.relative_path), None)
        if first is None or not isinstance(first.validator_value, str):
            return []
        kinds.append(first.validator_value)
    return kinds


def _values(branches: list[list[ValidationError]]) -> list[Any]:
    """What may stand there when all alternatives name fixed values; else empty."""
    values: list[Any] = []
    for branch in branches:
        own = [each for each in branch if not each.relative_path]
        fixed = next((each for each in own if each.validator in {"const", "enum"}), None)
        if fixed is None:
            return []
        given = fixed.validator_value
        values += cast("list[Any]", given) if fixed.validator == "enum" else [given]
    return values


def _of_kinds(error: ValidationError, kinds: list[str]) -> ValidationError:
    return _replaced(error, "type", list(dict.fromkeys(kinds)))


def _worded(error: ValidationError, none_fits: bool) -> ValidationError:
    if error.validator not in {"anyOf", "oneOf"}:
        return error
    if none_fits:
        return _replaced(error, "anyOf", error.validator_value)
    return _replaced(error, "oneOf", error.validator_value)


def _replaced(error: ValidationError, validator: str, value: object) -> ValidationError:
    fresh = ValidationError(
        error.message,
        validator=validator,
        path=error.relative_path,
        instance=error.instance,
        schema=error.schema,
    )
    fresh.validator_value = value
    fresh.parent = error.parent
    if (reason := getattr(error, "reason", None)) is not None:
        cast("Any", fresh).reason = reason
    return fresh


MAX_ISSUES: Final = 100
MAX_CHECKED_SCHEMA: Final = 24_000
"""Characters of a schema that is checked against its own rules: that costs up to 10 us each."""
MAX_SCHEMA_PARTS: Final = 100_000
"""Objects, lists and values of a schema that is compiled, which takes a third of a second then."""
_MAX_CACHED: Final = 64
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
        if isinstance(schema, dict) and "$schema" not in schema:
            schema = _modernised(schema)
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
        if known is None:
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


def _modernised(schema: Any) -> Any:
    """A schema that names no draft, with `modern_keywords` in each part but literal values."""
    if isinstance(schema, dict):
        given = cast("JsonObject", schema)
        return {
            key: value if key in _LITERAL else _modernised(value)
            for key, value in modern_keywords(given).items()
        }
    if isinstance(schema, list):
        return [_modernised(part) for part in cast("list[Any]", schema)]
    return schema


_LITERAL: Final = frozenset({"const", "enum", "default", "examples"})


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
