"""jsonschema's validators with limits: each keyword is guarded, counted and never fetches anything.

A keyword that is odd (an unknown reference, a foreign pattern, a value of the wrong kind) is
noted and passed over, so that the others still check. Must not word messages for a person.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from jsonschema import Draft202012Validator, ValidationError
from jsonschema import validators as jsonschema_validators
from jsonschema.exceptions import UndefinedTypeCheck, UnknownType
from referencing.exceptions import NoSuchResource, Unresolvable

from desktop.tools import conditions, replacements
from desktop.tools.patterns import UncheckedPatternError
from desktop.tools.work import DEEPEST, current

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from jsonschema.protocols import Validator

Keyword: TypeAlias = "Callable[[Any, Any, Any, Any], Iterable[ValidationError] | None]"

_OWN: Final[Mapping[str, Keyword]] = {
    "pattern": replacements.pattern,
    "required": replacements.required,
    "uniqueItems": replacements.unique_items,
    "patternProperties": replacements.pattern_properties,
    "additionalProperties": replacements.additional_properties,
    "propertyNames": replacements.property_names,
    "format": replacements.string_format,
    "dependentRequired": conditions.dependent_required,
    "dependentSchemas": conditions.dependent_schemas,
    "dependencies": conditions.dependencies,
    "if": conditions.if_then_else,
}
_ADDED: Final[Mapping[str, Keyword]] = {
    "deprecated": replacements.marked,
    "readOnly": replacements.marked,
}
"""Annotations, which jsonschema passes by."""
_TRIALS: Final = frozenset(
    {"anyOf", "oneOf", "not", "if", "contains", "unevaluatedProperties", "unevaluatedItems"}
)
"""Keywords that try whether a schema fits."""
_HARMED: Final = frozenset({"oneOf", "not", "contains"})
"""Those that may fail because another schema fits: what was passed over in it fits too easily."""
_ODDITIES = (
    TypeError, ValueError, AttributeError, LookupError, ArithmeticError,
    Unresolvable, NoSuchResource, UnknownType, UndefinedTypeCheck, UncheckedPatternError,
)  # fmt: skip


def limited(base: type[Validator]) -> type[Validator]:
    """The same draft with every keyword guarded and the dangerous ones replaced."""
    known = cast("dict[str, Keyword]", base.VALIDATORS)
    keywords = {name: _guarded(name, _OWN.get(name, check)) for name, check in known.items()}
    keywords |= {name: _guarded(name, check) for name, check in _ADDED.items()}
    extend = cast("Callable[..., type[Validator]]", cast("Any", jsonschema_validators).extend)
    return extend(base, keywords)


def _guarded(name: str, check: Keyword) -> Keyword:
    is_trial = name in _TRIALS
    asked = _distrusted(check) if name in _HARMED else check

    def guarded(
        validator: Any, value: Any, instance: Any, schema: Any
    ) -> Iterator[ValidationError]:
        run = current()
        run.count()
        if run.depth >= DEEPEST:
            run.skip("it is nested too deeply to be checked whole")
            return
        run.depth += 1
        run.trials += is_trial
        try:
            if name.startswith("exclusive") and isinstance(value, bool):
                raise TypeError("a bound of an older draft")
            yield from asked(validator, value, instance, schema) or ()
        except _ODDITIES as error:
            run.skip(_reason(name, value, error))
        finally:
            run.depth -= 1
            run.trials -= is_trial

    return guarded


def _distrusted(check: Keyword) -> Keyword:
    """Its errors only where all that it tried could be checked."""

    def asked(validator: Any, value: Any, instance: Any, schema: Any) -> list[ValidationError]:
        run = current()
        before = run.passed_over
        errors = list(check(validator, value, instance, schema) or ())
        return errors if run.passed_over == before else []

    return asked


def _reason(name: str, value: Any, error: Exception) -> str:
    if isinstance(error, UncheckedPatternError):
        return str(error)
    if name in {"$ref", "$dynamicRef", "$recursiveRef"}:
        return f"the reference {value!r:.80} leads nowhere in it (nothing is ever fetched)"
    return f"its {name!r} could not be understood"


def _draft(base: Any) -> type[Validator]:
    return limited(cast("type[Validator]", base))


_limited: dict[Any, type[Validator]] = {}


def validator_class(schema: Any) -> type[Validator]:
    """The limited validator of the draft that `$schema` names, 2020-12 where it names none."""
    find = cast("Callable[..., Any]", jsonschema_validators.validator_for)
    base = find(schema, default=Draft202012Validator)
    if base not in _limited:
        _limited[base] = _draft(base)
    return _limited[base]
