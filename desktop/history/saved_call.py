"""A call saved by name with what is expected of it, as a file has it.

    {"name": "adds", "tool": "calculator:calculate",
     "arguments": {"operation": "add", "a": 1, "b": 2},
     "expect": {"equals": {"result": 3}, "seconds": 5}}

With `"validate": false` it is sent even if it does not fit the tool, to see how the server refuses.
Unknown keys are kept at the top; under `expect` they are refused, because an expectation that is
not checked would always be met. The paths of `equals` are those that validation prints (`a.b[0].c`,
`["a.b"]` for odd names), without wildcards or filters. Must not run anything.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictBool

from desktop.tool_types import ErrorCode

if TYPE_CHECKING:
    from desktop.tool_types import JsonPath

MISSING: Final[Any] = object()
_STEP = re.compile(
    r'(?P<dot>\.)?(?:(?P<name>[^.\[\]"\s]+)|\[(?P<index>-?\d+)\]|\[(?P<quoted>"(?:[^"\\]|\\.)*")\])'
)


def parse_path(text: str) -> JsonPath:
    """The parts of a path; the empty text and `$` are the whole.

    Raises:
        ValueError: it is no such path; the message says where.
    """
    rest = text.strip().removeprefix("$")
    parts: list[str | int] = []
    at = 0
    while at < len(rest):
        step = _STEP.match(rest, at)
        if step is None or _is_misplaced(step, at, has_root=text.strip().startswith("$")):
            raise ValueError(f"{text!r} is no path at {rest[at : at + 20]!r}")
        parts.append(_part(step))
        at = step.end()
    return tuple(parts)


def find(value: Any, place: JsonPath) -> Any:
    """What is there, or `MISSING`; negative indices count from the end."""
    for part in place:
        if isinstance(part, int) and isinstance(value, list):
            items = cast("list[Any]", value)
            if not -len(items) <= part < len(items):
                return MISSING
            value = items[part]
        elif isinstance(part, str) and isinstance(value, Mapping):
            value = cast("Mapping[str, Any]", value).get(part, MISSING)
            if value is MISSING:
                return MISSING
        else:
            return MISSING
    return value


def _is_misplaced(step: re.Match[str], at: int, *, has_root: bool) -> bool:
    """A name follows a dot but for the first, and nothing else does."""
    needs_dot = step["name"] is not None and (at > 0 or has_root)
    return (step["dot"] is not None) != needs_dot


def _part(step: re.Match[str]) -> str | int:
    if step["index"] is not None:
        return int(step["index"])
    return step["name"] if step["name"] is not None else str(json.loads(step["quoted"]))


def _checked_tool(key: str) -> str:
    server, colon, tool = key.partition(":")
    if not (server and colon and tool):
        raise ValueError("must be server:tool")
    return key


def _checked_path(path: str) -> str:
    parse_path(path)
    return path


def _checked_error(value: object) -> object:
    if isinstance(value, bool) or (isinstance(value, str) and value in list(ErrorCode)):
        return value
    raise ValueError(f"must be true, false or one of {', '.join(ErrorCode)}")


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


Seconds = Annotated[float, Field(gt=0, le=86400, allow_inf_nan=False)]
Texts = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], BeforeValidator(_as_list)]


class Expectations(BaseModel):
    """What has to hold of the result. Nothing said: the call succeeds.

    `error` is a code (`ErrorCode`), or true for any error. `contains` is text of the output, or of
    the error's message. `equals` maps paths (`items[0].name`) to values, in the structured content
    or, where there is none, in the output as JSON. `matches` is a JSON Schema for the same.
    `seconds` is how long it may take.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    error: Annotated[ErrorCode | bool, BeforeValidator(_checked_error)] = False
    contains: Texts = ()
    equals: dict[Annotated[str, AfterValidator(_checked_path)], Any] = {}
    matches: dict[str, Any] | None = None
    seconds: Seconds | None = None


class SavedCall(BaseModel):
    """One call to run again; `timeout` in seconds, None for the server's own limit.

    Unless it `is_validated`, it is sent whatever the tool's schema says of its arguments.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    name: Annotated[str, Field(min_length=1, max_length=200)]
    tool: Annotated[str, AfterValidator(_checked_tool)]
    arguments: dict[str, Any] = {}
    timeout: Seconds | None = None
    is_validated: Annotated[StrictBool, Field(alias="validate")] = True  # pydantic has a `validate`
    expect: Expectations = Expectations()

    def to_json(self) -> dict[str, Any]:
        """As a file has it: our keys first and in this order, without those that say nothing."""
        said = self.model_dump(
            mode="json", exclude_defaults=True, exclude={"arguments", "expect", "is_validated"}
        )
        first = {"name": self.name, "tool": self.tool, "arguments": self.arguments}
        first |= {} if self.is_validated else {"validate": False}
        expect = self.expect.model_dump(mode="json", exclude_defaults=True)
        last = {"timeout": self.timeout, "expect": expect}
        ordered = first | {key: value for key, value in last.items() if value}
        return ordered | {key: value for key, value in said.items() if key not in ordered}
