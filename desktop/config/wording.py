"""Turns what pydantic found into sentences with the keys a person wrote. Never shows a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.errors import ConfigError
from desktop.translatable import join_texts, translatable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_KEYS = {
    "transport": "type",
    "connect_timeout": "connectTimeout",
    "call_timeout": "callTimeout",
    "disabled_tools": "disabledTools",
    "tool_rules": "toolRules",
}
_TIMES = {"timeout", "connectTimeout", "callTimeout"}
_KINDS = {
    "string_type": translatable("must be text"),
    "bool_type": translatable("must be true or false"),
    "bool_parsing": translatable("must be true or false"),
    "float_type": translatable("must be a number"),
    "float_parsing": translatable("must be a number"),
    "finite_number": translatable("must be a number"),
    "tuple_type": translatable("must be a list"),
    "dict_type": translatable("must be an object of names and values"),
    "extra_forbidden": translatable("is not a known key"),
    "missing": translatable("is missing"),
}


def config_error(error: ValidationError, spelled: Mapping[str, str] | None = None) -> ConfigError:
    """One error for all findings; `spelled`: how the person spelled a key, by its name here."""
    findings = error.errors(include_url=False, include_input=False)
    keys = {**_KEYS, **(spelled or {})}
    return ConfigError(
        join_texts("; ", *dict.fromkeys(_sentence(finding, keys) for finding in findings)),
        remedy=_remedy(findings),
    )


def _sentence(finding: ErrorDetails, keys: Mapping[str, str]) -> str:
    where = "".join(
        f"[{part}]" if isinstance(part, int) else f".{keys.get(part, part)}"
        for part in finding["loc"]
    ).lstrip(".")
    words = _words(finding)
    return translatable('"{where}" {words}', where=where, words=words) if where else words


def _words(finding: ErrorDetails) -> str:
    kind, context = finding["type"], finding.get("ctx", {})
    if kind == "value_error":
        return str(context.get("error"))
    if kind == "literal_error":
        return translatable("must be one of {expected}", expected=context.get("expected"))
    if kind in {"greater_than_equal", "less_than_equal"}:
        if "ge" in context:
            return translatable("must be at least {limit:g}", limit=context["ge"])
        return translatable("must be at most {limit:g}", limit=context["le"])
    return _KINDS.get(kind, finding["msg"])


def _remedy(findings: list[ErrorDetails]) -> str:
    for finding in findings:
        key = str(finding["loc"][0]) if finding["loc"] else ""
        if finding["type"] == "less_than_equal" and _KEYS.get(key, key) in _TIMES:
            return translatable("Times are in seconds here; some other clients write milliseconds.")
    return ""
