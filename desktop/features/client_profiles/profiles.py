"""What is known of each client: one file a client, each cell with its source and its date.

A cell is "unknown" or says where its value comes from. Must not judge a server: see `verdicts`.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Generic, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from desktop.base.did_you_mean import nearest_names
from desktop.base.errors import UsageError

FOLDER: Final = Path(__file__).parent / "profiles"
MAX_BYTES: Final = 200_000
"""Of a profile that somebody names as a file."""
FRESH_DAYS: Final = 180
"""Clients change: what is older than this is said to be."""

ValueT = TypeVar("ValueT")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Cell(_Strict, Generic[ValueT]):
    """One thing that is known, and of whom."""

    value: ValueT
    source: Annotated[str, Field(min_length=8, description="where it says so: an address")]
    date: Annotated[date, Field(description="the day of which the source says it")]
    seen: Annotated[
        Literal["read", "secondhand", "captured"],
        Field(
            description="read: the source itself was read; secondhand: another table cites it;"
            " captured: the client itself said it to `mcp-desktop capture`"
        ),
    ]
    note: Annotated[str, Field(description="what a person should know besides")] = ""

    def age(self, today: date | None = None) -> int:
        """Days since its date."""
        return ((today or datetime.now(UTC).date()) - self.date).days

    @property
    def is_old(self) -> bool:
        return self.age() > FRESH_DAYS


Unknown: TypeAlias = Literal["unknown"]


def known(cell: Cell[ValueT] | Unknown) -> Cell[ValueT] | None:
    """The cell; None where nothing is known."""
    return cell if isinstance(cell, Cell) else None


class ToolLimit(_Strict):
    """How many tools a model can be given."""

    max: int
    per: Literal["request", "server", "all servers", "agent"]
    over: Literal["refused", "left out", "unknown"]


class NamePrefix(_Strict):
    """What stands before the name of a tool; `{server}` is the name of its server."""

    format: Annotated[str, Field(pattern=r"\{server\}")]
    lowercase: bool = False
    replaces: Annotated[str, Field(description="a regular expression; its matches become _")] = ""
    max: Annotated[int | None, Field(description="characters of the prefix, then it is cut")] = None


class NameRule(_Strict):
    """Which names of tools a client takes, and what it makes of another."""

    max: Annotated[int | None, Field(description="characters; none where there is no limit")] = None
    counts: Annotated[
        Literal["whole", "server and tool"],
        Field(description="the name with its prefix, or the two names alone"),
    ] = "whole"
    allowed: Annotated[
        str, Field(description="the inside of a character class, such as A-Za-z0-9_-")
    ] = ""
    bad: Annotated[
        Literal["replaced", "hashed", "left out", "refused", "unknown"],
        Field(description="what becomes of a name with other characters"),
    ]
    over: Annotated[
        Literal["cut", "hashed", "middle", "left out", "refused", "unknown"],
        Field(description="what becomes of one that is too long"),
    ]
    digits: Annotated[int, Field(description="hexadecimal digits at the end, where hashed")] = 8


class DescriptionLimit(_Strict):
    """Characters after which a description is cut."""

    tool: int | None = None
    instructions: int | None = None


When: TypeAlias = Literal[
    "older dialect",
    "type is no object",
    "top-level union",
    "top-level union of no object",
    "has anyOf",
    "list of types",
    "property name",
    "larger than",
]
Then: TypeAlias = Literal[
    "changed", "tool left out", "call may fail", "call refused", "all refused", "server refused"
]


class SchemaRule(_Strict):
    """A schema that a client cannot take, and what it does with it."""

    where: Literal["inputSchema", "outputSchema"]
    when: When
    then: Then
    bytes: Annotated[int, Field(description="of `larger than`")] = 0
    pattern: Annotated[str, Field(description="what a `property name` has to match")] = ""
    with_app: Annotated[bool, Field(description="only of a server with an MCP App")] = False


class ResultLimit(_Strict):
    """How much of a result reaches the model."""

    characters: int | None = None
    tokens: int | None = None
    over: Literal["cut", "file", "refused"]


class Images(_Strict):
    """Whether a picture reaches the model, by where it stands in a result."""

    content: bool
    embedded_resource: bool | None = None
    linked_resource: bool | None = None

    def shows(self, kind: str) -> bool:
        """Whether one in a block of this kind does, as far as is known."""
        places = {"resource": self.embedded_resource, "link": self.linked_resource}
        return places.get(kind, self.content) is not False


class StructuredContent(_Strict):
    """Which half of a result reaches the model, where a result has both."""

    model_sees: Literal["structured", "text", "both"]
    of_errors: Literal["structured", "text", "both"] | None = None
    keeps_media: Annotated[
        bool, Field(description="pictures stay where the structured half is seen")
    ] = False


class ListChanged(_Strict):
    """Whether a changed list is read again."""

    tools: bool | None = None
    resources: bool | None = None
    prompts: bool | None = None


class Profile(_Strict):
    """One client in one version."""

    schema_: Annotated[str, Field(alias="$schema")] = ""
    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    label: str
    version: str
    client_info_name: Cell[str] | Unknown
    client_info_version: Cell[str] | Unknown
    protocol_versions: Cell[list[str]] | Unknown
    capabilities: Cell[dict[str, Any]] | Unknown
    transports: Cell[list[Literal["stdio", "http", "sse"]]] | Unknown
    max_tools: Cell[ToolLimit] | Unknown
    tool_name_prefix: Cell[NamePrefix] | Unknown
    tool_name_rule: Cell[NameRule] | Unknown
    description_limit: Cell[DescriptionLimit] | Unknown
    schema_keywords_dropped: Cell[list[str]] | Unknown
    schema_rules: list[Cell[SchemaRule]]
    result_limit: Cell[ResultLimit] | Unknown
    timeout_default: Annotated[Cell[float] | Unknown, Field(description="seconds of a call")]
    images_to_model: Cell[Images] | Unknown
    structured_content: Cell[StructuredContent] | Unknown
    mcp_apps: Cell[bool] | Unknown
    list_changed: Cell[ListChanged] | Unknown
    tool_visibility_honoured: Cell[bool] | Unknown

    def cell(self, name: str) -> Cell[Any] | None:
        """A cell by its name; None where nothing is known."""
        found: Cell[Any] | Unknown = getattr(self, name)
        return None if isinstance(found, str) else found


CELLS: Final = tuple(
    name
    for name in Profile.model_fields
    if name not in {"schema_", "id", "label", "version", "schema_rules"}
)
"""The names of the cells."""


def read_profile(path: Path) -> Profile:
    """Read a file of a profile.

    Raises:
        UsageError: it cannot be read, or something in it is wrong: names what.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise UsageError(f"{path} is larger than {MAX_BYTES:,} bytes.")
        return Profile.model_validate(json.loads(content))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UsageError(
            f"{path} is no profile of a client: {place}: {first['msg']}.",
            remedy="docs/clients.md says what a profile has.",
        ) from None
    except (ValueError, RecursionError):
        raise UsageError(f"{path} is no JSON.") from None


@cache
def all_profiles() -> tuple[Profile, ...]:
    """Those that come with the program, by their labels."""
    found = (read_profile(path) for path in FOLDER.glob("*.json"))
    return tuple(sorted(found, key=lambda profile: profile.label.casefold()))


def find_profile(name: str) -> Profile:
    """A client by its id, or a profile by its file.

    Raises:
        UsageError: there is none, or the file is wrong.
    """
    if name.endswith(".json") or "/" in name:
        return read_profile(Path(name).expanduser())
    by_id = {profile.id: profile for profile in all_profiles()}
    if (profile := by_id.get(name.strip().casefold())) is not None:
        return profile
    near = nearest_names(name, by_id) or list(by_id)
    raise UsageError(
        f"Nothing is known of a client {name[:60]!r}.",
        remedy=f"Known: {', '.join(near)}. `mcp-desktop capture` makes a profile of another.",
    )


def make_schema() -> dict[str, Any]:
    """The JSON Schema of a file, for editors and for who mends one."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Profile.model_json_schema(by_alias=True),
    }
