"""Puts values into the URI template of a resource (RFC 6570), and says which ones it takes.

The result is for the server that gave the template, and must not be fetched. A value cannot turn
the URI into one of another scheme. Templates are a stranger's: their length is bounded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct

from desktop.base.errors import UsageError
from desktop.base.later_patterns import compile_later
from desktop.base.translatable import join_list, translatable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from uritemplate import URITemplate

MAX_TEMPLATE_LENGTH = 8_192
MAX_URI_LENGTH = 65_536
"""Characters of an expanded URI; longer ones are a mistake, or worse."""
_SCHEME: Final = compile_later(r"[A-Za-z][A-Za-z0-9+.-]*(?=:)")
_OPTIONAL: Final = frozenset("?&#;")
"""Operators whose parts are left out where there is no value: a query is as good without one."""


class TemplateVariable(Struct, frozen=True):
    """One value that a template takes; without one that is required the URI would have a hole."""

    name: str
    required: bool


def template_variables(template: str) -> tuple[TemplateVariable, ...]:
    """What a template takes, each name once and in its order.

    Raises:
        UsageError: it is no template.
    """
    found: dict[str, bool] = {}
    for expression in _parsed(template).variables:
        required = expression.original[:1] not in _OPTIONAL
        for name in expression.variable_names:
            found[name] = found.get(name, False) or required
    return tuple(TemplateVariable(name, required) for name, required in found.items())


def expand_template(template: str, values: Mapping[str, str | Sequence[str]]) -> str:
    """The URI with the values put in, each encoded as its place asks for.

    Args:
        template: as the server listed it.
        values: by the names of `template_variables`; a list where there are several.

    Raises:
        UsageError: it is no template, a value is missing or not one of its own, or the URI would
            be too long or of another scheme.
    """
    parsed = _parsed(template)
    variables = template_variables(template)
    names = [variable.name for variable in variables]
    known = join_list(names)
    for name in values:
        if name not in names:
            raise UsageError(
                translatable("{template} has no variable {name!r}.", template=template, name=name),
                remedy=translatable("It has: {known}.", known=known) if names else "",
            )
    missing = [each.name for each in variables if each.required and each.name not in values]
    if missing:
        raise UsageError(
            translatable(
                "{template} needs a value for {missing}.",
                template=template,
                missing=join_list(missing),
            )
        )
    uri = parsed.expand({name: _plain(value) for name, value in values.items()})
    _check(template, uri)
    return uri


def _plain(value: str | Sequence[str]) -> str | list[str]:
    return value if isinstance(value, str) else list(value)


def _parsed(template: str) -> URITemplate:
    from uritemplate import URITemplate

    if len(template) <= MAX_TEMPLATE_LENGTH:
        try:
            parsed = URITemplate(template)
            rest = parsed.expand({})
        except (ValueError, TypeError, IndexError):
            pass
        else:
            names = [name for each in parsed.variables for name in each.variable_names]
            if all(names) and "{" not in rest and "}" not in rest:
                return parsed
    words = f"{template[:200]}…" if len(template) > 200 else template
    raise UsageError(translatable("{template} is not a URI template.", template=words))


def _check(template: str, uri: str) -> None:
    if len(uri) > MAX_URI_LENGTH:
        words = translatable(
            "The URI would have {count} characters; the limit is {limit}.",
            count=len(uri),
            limit=MAX_URI_LENGTH,
        )
        raise UsageError(words)
    # The scheme has to stand in the template itself: a value must not choose it.
    own = _scheme(template.partition("{")[0])
    if not own or own != _scheme(uri):
        raise UsageError(
            translatable(
                "{template} lets a value choose the scheme of the URI; nothing was sent.",
                template=template,
            ),
            remedy=translatable("If you trust it, read the whole URI instead."),
        )


def _scheme(uri: str) -> str:
    found = _SCHEME.match(uri)
    return found.group().lower() if found else ""
