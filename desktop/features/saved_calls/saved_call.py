"""A call saved by name with what is expected of it, as a file has it.

    {"name": "adds", "tool": "calculator:calculate",
     "arguments": {"operation": "add", "a": 1, "b": 2},
     "expect": {"equals": {"result": 3}, "seconds": 5}}

With `"validate": false` it is sent even if it does not fit the tool, to see how the server refuses.
`${{ create.id }}` in a text is a value of another call's result (`variables`); `after` names calls
that are made before this one, whatever becomes of them. Unknown keys are kept at the top; under
`expect` they are refused, because an expectation that is not checked would always be met. Paths are
those of `value_paths`. Must not run anything.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictBool

from desktop.features.saved_calls.value_paths import parse_path, parse_pattern
from desktop.values.tool_types import ErrorCode


def _checked_tool(key: str) -> str:
    server, colon, tool = key.partition(":")
    if not (server and colon and tool):
        raise ValueError("must be server:tool")
    return key


def _checked_path(path: str) -> str:
    parse_path(path)
    return path


def _checked_pattern(path: str) -> str:
    parse_pattern(path)
    return path


def _checked_error(value: object) -> object:
    if isinstance(value, bool) or (isinstance(value, str) and value in list(ErrorCode)):
        return value
    raise ValueError(f"must be true, false or one of {', '.join(ErrorCode)}")


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


Tool = Annotated[str, AfterValidator(_checked_tool)]
WantedError = Annotated[ErrorCode | bool, BeforeValidator(_checked_error)]
Seconds = Annotated[float, Field(gt=0, le=86400, allow_inf_nan=False)]
Texts = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], BeforeValidator(_as_list)]


class SnapshotOptions(BaseModel):
    """What of the result a snapshot has.

    `ignore` are paths in the structured content (or the output as JSON), with `[*]` for each item;
    without `text`, the output beside structured content is left out.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    ignore: Annotated[
        tuple[Annotated[str, AfterValidator(_checked_pattern)], ...], BeforeValidator(_as_list)
    ] = ()
    text: StrictBool = True


def _as_snapshot(value: object) -> object:
    if value is False:
        return None
    return {} if value is True else value


class Expectations(BaseModel):
    """What has to hold of the result. Nothing said: the call succeeds.

    `error` is a code (`ErrorCode`), or true for any error. `contains` is text of the output, or of
    the error's message. `equals` maps paths (`items[0].name`) to values, in the structured content
    or, where there is none, in the output as JSON. `matches` is a JSON Schema for the same. Where
    `output` is `unchecked`, the result may break the tool's own outputSchema. `snapshot` (true, or
    what of it is left out) is the whole result as it was accepted before, in a file of its own.
    `seconds` is how long it may take.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    error: WantedError = False
    contains: Texts = ()
    equals: dict[Annotated[str, AfterValidator(_checked_path)], Any] = {}
    matches: dict[str, Any] | None = None
    output: Literal["checked", "unchecked"] = "checked"
    snapshot: Annotated[SnapshotOptions | None, BeforeValidator(_as_snapshot)] = None
    seconds: Seconds | None = None

    def to_json(self) -> dict[str, Any]:
        """As a file has it: what says nothing is left out."""
        said = self.model_dump(mode="json", exclude_defaults=True)
        if self.snapshot == SnapshotOptions():
            said["snapshot"] = True
        return said


class SavedCall(BaseModel):
    """One call to run again; `timeout` in seconds, None for the server's own limit.

    Unless it `is_validated`, it is sent whatever the tool's schema says of its arguments.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    name: Annotated[str, Field(min_length=1, max_length=200)]
    tool: Tool
    arguments: dict[str, Any] = {}
    after: Texts = ()
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
        last = {"after": list(self.after), "timeout": self.timeout, "expect": self.expect.to_json()}
        ordered = first | {key: value for key, value in last.items() if value}
        return ordered | {key: value for key, value in said.items() if key not in ordered}
