"""Puts texts of the core into the window's language: translatable texts, counts, validation issues.

What servers, models and files say is not translatable and stays as it is. Decides nothing about an
issue: its code and values select the text. The language itself is chosen in `language`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from desktop.translatable import TranslatableText

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.tool_types import ValidationIssue
    from desktop.tools.validation.keywords import DependencyReason

translate = QCoreApplication.translate


def counted(count: int, one: str, many: str, **values: object) -> str:
    """`one` or `many`, with `{count}` and what else stands in them filled in."""
    words = one if count == 1 else many
    return words.format(count=f"{count:,}", **values)


def spoken(text: str) -> str:
    """The sentence as the window says it, and what stands in it too; any other text untouched."""
    if not isinstance(text, TranslatableText):
        return text
    values = {
        name: spoken(value) if isinstance(value, str) else value
        for name, value in text.values.items()
    }
    # All texts of the core share the one context without a name.
    return QCoreApplication.translate("", text.pattern).format(**values)


def words_of(issue: ValidationIssue) -> str:
    """What is wrong, to be read after the name of the field."""
    pattern = _patterns().get(issue.code) if _is_translated() else None
    if pattern is None:
        return spoken(issue.message)
    try:
        words = pattern.format(**_shown(issue.code, issue.values))
        return _completed(words, issue.values)
    except (LookupError, TypeError, ValueError, AttributeError):
        return spoken(issue.message)  # a rule of somebody else may use a code without its values


def line_of(issue: ValidationIssue) -> str:
    """The same with its place, for a list of findings."""
    words = words_of(issue)
    return f"{issue.where}: {words}" if issue.path else words


def _is_translated() -> bool:
    """English is the finding's own: it knows one character from many."""
    return translate("IssueWords", "is not allowed here") != "is not allowed here"


def _completed(words: str, values: Mapping[str, Any]) -> str:
    if values.get("of_name"):
        words = translate("IssueWords", "its name {words}").format(words=words)
    if (reason := values.get("reason")) is not None:
        told = translate("IssueWords", "{words} ({reason})")
        words = told.format(words=words, reason=_reason(reason))
    if values.get("own_default"):
        told = translate(
            "IssueWords", "{words}; it is the tool's own default, so this does not stop the call"
        )
        words = told.format(words=words)
    return words


def _reason(reason: DependencyReason) -> str:
    if not reason.parts:
        return translate("IssueWords", "because of another value")
    given = translate("IssueWords", "'{name}' is given")
    fixed = translate("IssueWords", "'{name}' is {values}")
    told = [
        (fixed if values else given).format(name=name, values=values)
        for name, values in reason.parts
    ]
    joined = translate("IssueWords", " and ").join(told)
    when = translate("IssueWords", "when {condition}")
    unless = translate("IssueWords", "unless {condition}")
    return (when if reason.holds else unless).format(condition=joined)


def _shown(code: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as the patterns want them."""
    match code:
        case "type":
            nouns = _nouns()
            expected = [nouns.get(str(kind), str(kind)) for kind in values["expected"]]
            given = nouns.get(str(values["given"]), values["given"])
            either = translate("IssueWords", " or ")
            return {"expected": either.join(expected), "given": given}
        case "enum":
            more = translate("IssueWords", " and {count} more").format(count=values["more"])
            listed = translate("IssueWords", ", ").join(values["options"])
            return {"options": listed + (more if values["more"] else "")}
        case "format" | "looseFormat":
            return {"format": _formats().get(values["format"], values["format"])}
        case "undeclared":
            hint = translate("IssueWords", "; is '{near}' meant?").format(near=values["near"])
            return {"hint": hint if values["near"] else ""}
        case _:
            return dict(values)


def _nouns() -> dict[str, str]:
    return {
        "string": translate("IssueWords", "text"),
        "integer": translate("IssueWords", "a whole number"),
        "number": translate("IssueWords", "a number"),
        "boolean": translate("IssueWords", "true or false"),
        "array": translate("IssueWords", "a list"),
        "object": translate("IssueWords", "an object"),
    }


def _formats() -> dict[str, str]:
    address = translate("IssueWords", "a full address such as https://example.com")
    return {
        "date": translate("IssueWords", "a date such as 2026-01-31"),
        "date-time": translate("IssueWords", "a moment such as 2026-01-31T13:45:00Z"),
        "time": translate("IssueWords", "a time such as 13:45:00"),
        "email": translate("IssueWords", "an e-mail address"),
        "uuid": translate("IssueWords", "a UUID"),
        "uri": address,
        "url": address,
        "ipv4": translate("IssueWords", "an IPv4 address"),
        "ipv6": translate("IssueWords", "an IPv6 address"),
        "hostname": translate("IssueWords", "a host name such as example.com"),
        "duration": translate("IssueWords", "a duration such as PT1H30M"),
        "regex": translate("IssueWords", "a regular expression"),
    }


def _patterns() -> dict[str, str]:
    return {**_kind_and_range(), **_of_lists(), **_rules(), **_about_the_tool()}


def _kind_and_range() -> dict[str, str]:
    return {
        "type": translate("IssueWords", "must be {expected}, is {given}"),
        "enum": translate("IssueWords", "must be one of: {options}"),
        "const": translate("IssueWords", "must be {value}"),
        "format": translate("IssueWords", "must be {format}"),
        "looseFormat": translate("IssueWords", "does not look like {format}"),
        "pattern": translate("IssueWords", "must match the pattern {pattern}"),
        "minimum": translate("IssueWords", "must be at least {limit}"),
        "maximum": translate("IssueWords", "must be at most {limit}"),
        "exclusiveMinimum": translate("IssueWords", "must be more than {limit}"),
        "exclusiveMaximum": translate("IssueWords", "must be less than {limit}"),
        "multipleOf": translate("IssueWords", "must be a multiple of {limit}"),
        "minLength": translate("IssueWords", "must have at least {limit} characters, has {count}"),
        "maxLength": translate("IssueWords", "must have at most {limit} characters, has {count}"),
    }


def _of_lists() -> dict[str, str]:
    too_many = translate("IssueWords", "has more items than it may have")
    return {
        "minItems": translate("IssueWords", "must have at least {limit} items, has {count}"),
        "maxItems": translate("IssueWords", "must have at most {limit} items, has {count}"),
        "minProperties": translate(
            "IssueWords", "must have at least {limit} properties, has {count}"
        ),
        "maxProperties": translate(
            "IssueWords", "must have at most {limit} properties, has {count}"
        ),
        "uniqueItems": translate("IssueWords", "must not have the same item twice"),
        "contains": translate("IssueWords", "has no item of the kind that must be in it"),
        "minContains": translate("IssueWords", "has too few items of the kind that must be in it"),
        "maxContains": translate("IssueWords", "has too many items of one kind"),
        "items": too_many,
        "additionalItems": too_many,
        "unevaluatedItems": translate("IssueWords", "has items that it may not have"),
    }


def _rules() -> dict[str, str]:
    return {
        "required": translate("IssueWords", "'{name}' is required"),
        "additionalProperties": translate("IssueWords", "'{name}' is not allowed"),
        "unevaluatedProperties": translate("IssueWords", "has properties that it may not have"),
        "anyOf": translate("IssueWords", "fits none of the allowed forms"),
        "oneOf": translate("IssueWords", "fits more than one allowed form"),
        "not": translate("IssueWords", "must not be of this form"),
        "false": translate("IssueWords", "is not allowed here"),
        "undeclared": translate("IssueWords", "is not in the schema{hint}"),
        "deprecated": translate("IssueWords", "is deprecated: the tool may stop taking it"),
        "readOnly": translate("IssueWords", "is read-only: the tool may ignore or refuse it"),
    }


def _about_the_tool() -> dict[str, str]:
    return {
        "comparison": translate("IssueWords", "breaks your rule {rule}"),
        "ruleFailed": translate("IssueWords", "The rule '{name}' could not be applied: {why}"),
        "missingOutput": translate(
            "IssueWords",
            "has no structured content, although the tool declares an output schema",
        ),
        "oddSchema": translate(
            "IssueWords", "The tool's own schema is odd, so not all was checked ({why})"
        ),
    }
