"""Checks arguments against a tool's full JSON Schema and says everything that is wrong with them.

Never raises for a schema or a value, never fetches, never takes long: what cannot be checked is
a warning. The one place where form, executor and terminal ask; must not change arguments.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, cast

from jsonschema import FormatChecker, SchemaError
from referencing import Registry

from desktop.tools.alternatives import flattened
from desktop.tools.issue import ValidationIssue
from desktop.tools.keywords import TooMuchWorkError, running, validator_class
from desktop.tools.string_formats import make_format_checker
from desktop.tools.undeclared import find_undeclared
from desktop.tools.wording import layer_of, message_of

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

    from desktop.tools.definition import JsonObject

MOST_ISSUES: Final = 100
LARGEST_CHECKED: Final = 24_000
"""Characters of a schema that is checked against its own rules: that costs up to 10 us each."""
_REMEMBERED: Final = 256
_formats = make_format_checker()
_no_formats = FormatChecker(formats=())
_recent: OrderedDict[int, tuple[Any, Compiled]] = OrderedDict()


class Compiled:
    """One schema made ready once: its validator, and what is odd about the schema itself."""

    def __init__(self, schema: Any, size: int) -> None:
        """Args: schema: a private copy, as `$schema` is taken out of it. size: its characters."""
        draft = validator_class(schema)
        self.oddity = _oddity(draft, schema) if size <= LARGEST_CHECKED else ""
        # jsonschema goes back to its own unlimited class wherever it meets `$schema` again.
        self._validator: Validator = draft(
            _without_dialects(schema), registry=Registry(), format_checker=_formats
        )

    def errors(self, arguments: Any) -> Iterator[ValidationError]:
        return self._validator.iter_errors(arguments)


def validate(schema: JsonObject, arguments: Any) -> list[ValidationIssue]:
    """All findings, errors and warnings, at most `MOST_ISSUES`; empty when all is fine."""
    found = find_misfits(schema, arguments)
    return [*found, *find_undeclared(schema, arguments)][:MOST_ISSUES]


def find_misfits(schema: Any, value: Any) -> list[ValidationIssue]:
    """What the schema forbids, and what is odd about it: arguments and output alike."""
    if not isinstance(cast("object", schema), Mapping | bool):
        return [_warning("The tool's schema is not an object, so nothing was checked.")]
    try:
        compiled = _compiled(schema)
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        return [_warning(f"The tool's schema cannot be read: {_why(error)}")]
    with running() as run:
        found = _collect(compiled, value)
        notes = [f"The tool's schema was not checked whole: {text}" for text in run.skipped]
    found += [_warning(text) for text in ([compiled.oddity] if compiled.oddity else []) + notes]
    return found[:MOST_ISSUES]


def _collect(compiled: Compiled, arguments: Any) -> list[ValidationIssue]:
    found: dict[ValidationIssue, None] = {}
    try:
        for error in islice(_leaves(compiled.errors(arguments)), MOST_ISSUES):
            found[_issue(error)] = None
    except (TooMuchWorkError, RecursionError):
        found[_warning("The tool's schema is too complex to be checked whole.")] = None
    except (TypeError, ValueError, AttributeError, LookupError, ArithmeticError) as error:
        found[_warning(f"The tool's schema cannot be checked: {_why(error)}")] = None
    return list(found)


def _leaves(errors: Iterable[ValidationError]) -> Iterator[ValidationError]:
    for error in errors:
        yield from flattened(error)


def _issue(error: ValidationError) -> ValidationIssue:
    keyword = cast("str | None", error.validator)
    words = message_of(keyword, error.validator_value, error.instance, error.message)
    return ValidationIssue(tuple(error.absolute_path), layer_of(keyword), words)


def _warning(text: str) -> ValidationIssue:
    return ValidationIssue((), "rule", text, "warning")


def _why(error: BaseException) -> str:
    return "it is nested too deeply" if isinstance(error, RecursionError) else f"{error!s:.200}"


def _compiled(schema: Any) -> Compiled:
    """By identity first, which costs nothing; equal schemas share one compilation."""
    known = _recent.get(id(schema))
    if known is not None and known[0] is schema:
        _recent.move_to_end(id(schema))
        return known[1]
    compiled = _compiled_text(json.dumps(schema, default=_plain))
    # The reference keeps the object alive, so that its id stays its own.
    _recent[id(schema)] = (schema, compiled)
    if len(_recent) > _REMEMBERED:
        _recent.popitem(last=False)
    return compiled


@lru_cache(maxsize=_REMEMBERED)
def _compiled_text(text: str) -> Compiled:
    return Compiled(json.loads(text), len(text))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, Any]", value))
    raise TypeError(f"{type(value).__name__} is not JSON")


def _oddity(draft: type[Validator], schema: Any) -> str:
    try:
        with running():
            cast("Any", draft).check_schema(schema, format_checker=_no_formats)
    except SchemaError as error:
        where = ".".join(str(part) for part in error.absolute_path)
        place = f" at {where:.80}" if where else ""
        return f"The tool's schema is not valid{place}: {error.message:.200}"
    except (TooMuchWorkError, RecursionError):
        return "The tool's schema is too large or too deep to be checked itself."
    return ""


def _without_dialects(schema: Any) -> Any:
    """Takes `$schema` out of every place that can be a schema; values under `const` stay."""
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
