"""Makes a schema ready for checking once: its validator, and what is odd about the schema itself.

Safe to use from a thread. Must not check a value.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, cast

from jsonschema import FormatChecker, SchemaError
from referencing import Registry

from desktop.tools.keywords import validator_class
from desktop.tools.plain_schema import glance
from desktop.tools.work import TooMuchWorkError, running

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator

LARGEST_CHECKED: Final = 24_000
"""Characters of a schema that is checked against its own rules: that costs up to 10 us each."""
_REMEMBERED: Final = 256
_with_formats = FormatChecker(formats=())
"""Only says that formats count; what they are is asked of `string_formats`."""
_recent: OrderedDict[int, tuple[Any, Compiled]] = OrderedDict()
_lock = Lock()


class Compiled:
    """One schema made ready once: its validator, and what is odd about the schema itself."""

    def __init__(self, schema: Any, size: int) -> None:
        """Args: schema: a private copy, as `$schema` is taken out of it. size: its characters."""
        draft = validator_class(schema)
        self.oddity = _oddity(draft, schema) if size <= LARGEST_CHECKED else ""
        self.fits = glance(schema) if not self.oddity else None
        """Where it is there: whether a value surely fits, and nothing is to be said of it."""
        # jsonschema goes back to its own unlimited class wherever it meets `$schema` again.
        self._validator: Validator = draft(
            _without_dialects(schema), registry=Registry(), format_checker=_with_formats
        )

    def errors(self, arguments: Any) -> Iterator[ValidationError]:
        return self._validator.iter_errors(arguments)


def compiled(schema: Any) -> Compiled:
    """By identity first, which costs nothing; equal schemas share one compilation.

    Raises:
        TypeError, ValueError, AttributeError, RecursionError: it cannot be read as a schema.
    """
    if (known := recall(schema)) is not None:
        return known
    fresh = _compiled_text(json.dumps(schema, default=_plain))
    with _lock:
        # The reference keeps the object alive, so that its id stays its own.
        _recent[id(schema)] = (schema, fresh)
        if len(_recent) > _REMEMBERED:
            _recent.popitem(last=False)
    return fresh


def recall(schema: Any) -> Compiled | None:
    """What was made of this very schema lately, if it was."""
    with _lock:
        known = _recent.get(id(schema))
        if known is None or known[0] is not schema:
            return None
        _recent.move_to_end(id(schema))
        return known[1]


@lru_cache(maxsize=_REMEMBERED)
def _compiled_text(text: str) -> Compiled:
    return Compiled(json.loads(text), len(text))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, Any]", value))
    raise TypeError(f"{type(value).__name__} is not JSON")


def _oddity(draft: type[Validator], schema: Any) -> str:
    try:
        with running(is_trial=True):
            cast("Any", draft).check_schema(schema, format_checker=None)
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
