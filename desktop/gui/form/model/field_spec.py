"""`FieldSpec`: what one position of a schema looks like in a form, and which values it can show.

Holds what was read; whether a value is valid is not decided here.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

from msgspec import Struct, field

from desktop.base.later_patterns import compile_later
from desktop.gui.form.model.json_text import read_number, survives_editing
from desktop.redaction.policy import is_secret_name, is_secret_schema, split_words
from desktop.values.json_schema import same_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.values.tool_types import JsonObject

Kind: TypeAlias = Literal[
    "string", "integer", "number", "boolean", "enum", "const", "array", "object", "union", "json"
]
FallbackReason: TypeAlias = Literal["", "contradiction", "reference", "impossible", "size"]
"""What kept a place of the schema from having a field of its own kind."""

_LONG_NAMES = compile_later(
    r"(^|_)(content|contents|body|code|script|sql|markdown|html|message|prompt|thought|patch|diff)$"
)
_PATH_NAMES = compile_later(r"(^|_)(path|file_?path|file_?name)$|^file$")
_FOLDER_NAMES = compile_later(r"(^|_)(dir|directory|folder|cwd|working_?dir(ectory)?|root_?path)$")
_PATH_FORMATS: Final = ("file-path", "path", "filepath")
DATE_FORMATS: Final = ("date", "time", "date-time")
_LONG_FORMATS: Final = ("textarea", "multiline", "multi-line", "markdown", "html")
LONG_TEXT_LENGTH: Final = 500


class Absent(Enum):
    """The one value that says "not sent"; null is a value."""

    ABSENT = "absent"

    def __bool__(self) -> bool:
        return False


ABSENT: Final = Absent.ABSENT


class Option(Struct, frozen=True):
    """One choice: the words shown and the value sent, of any JSON type."""

    label: str
    value: Any


class FieldSpec(Struct, frozen=True):
    """One field as read from the schema; `schema` has its references resolved, at this level.

    `in_list` is true for an item of a list and for a value under a free key: it has no label.
    """

    name: str = ""
    kind: Kind = "json"
    schema: JsonObject = field(default_factory=dict[str, Any])
    required: bool = False
    in_list: bool = False
    nullable: bool = False

    # Of a choice.
    options: tuple[Option, ...] = ()

    # Of an object.
    properties: Mapping[str, Any] = field(default_factory=dict[str, Any])
    required_names: frozenset[str] = frozenset()
    """Those that have to be filled in: required, and the server has no default for them."""
    patterns: tuple[tuple[str, Any], ...] = ()
    """Schemas of properties whose names match an expression."""
    additional: Any = None
    """The schema of all other properties; None where the schema does not speak of them."""
    is_open: bool = False
    """Whether the schema says that it takes properties beside those it names."""
    has_conditions: bool = False
    """Whether its fields depend on the values of others."""

    # Of a list.
    item: Any = None
    """The schema of the items; None where it says nothing of them."""
    prefix: tuple[Any, ...] = ()
    """The schemas of the first items, one each: a tuple."""

    # Of a list, or of an object's free keys.
    item_kind: Kind | None = None
    """What all items or values are, where that is one kind."""

    # Of a union.
    branches: tuple[FieldSpec, ...] = ()
    """The shapes, one of which the value has."""
    base: FieldSpec | None = None
    """The fields that all shapes share, where they are objects."""

    # Of where it was found.
    reference: str = ""
    """The name of the schema among the definitions."""
    fallback: FallbackReason = ""

    @property
    def title(self) -> str:
        """A title that says more than the name; else the name itself."""
        return self._text("title") or self.name

    @property
    def description(self) -> str:
        return self._text("description")

    @property
    def default(self) -> Any:
        """What the schema says happens when nothing is sent; `ABSENT` where it does not say."""
        return self.schema.get("default", ABSENT)

    @property
    def example(self) -> Any:
        examples = self.schema.get("examples")
        is_list = isinstance(examples, list) and bool(cast("list[Any]", examples))
        return cast("list[Any]", examples)[0] if is_list else ABSENT

    @property
    def is_secret(self) -> bool:
        if self.kind != "string":
            return False
        return is_secret_name(self.name, "argument") or is_secret_schema(self.schema)

    @property
    def is_moment(self) -> bool:
        """A date, a time of day, or both, as RFC 3339 writes them."""
        return self.kind == "string" and self.schema.get("format") in DATE_FORMATS

    @property
    def is_file(self) -> bool:
        """The content of a file, as base64."""
        is_encoded = self.schema.get("contentEncoding") == "base64"
        return self.kind == "string" and (is_encoded or self.schema.get("format") == "byte")

    @property
    def path_of(self) -> Literal["", "file", "folder"]:
        """What a path leads to, where the text is one by its format or its name."""
        if self.kind != "string" or "pattern" in self.schema:
            return ""
        form = self.schema.get("format")
        name = "" if self.in_list else _joined_words(self.name)
        if form == "directory-path" or (form is None and _FOLDER_NAMES.search(name)):
            return "folder"
        is_path = form in _PATH_FORMATS or (form is None and _PATH_NAMES.search(name))
        return "file" if is_path else ""

    @property
    def is_long(self) -> bool:
        """Text that is likely to have more than one line."""
        longest = self.schema.get("maxLength")
        is_large = isinstance(longest, int) and LONG_TEXT_LENGTH < longest < 10**6
        is_named_so = _LONG_NAMES.search(_joined_words(self.name)) is not None
        default = self.default
        return self.kind == "string" and (
            is_large
            or is_named_so
            or self.schema.get("format") in _LONG_FORMATS
            or "contentMediaType" in self.schema
            or (isinstance(default, str) and "\n" in default)
            or "multi-line" in self.description.lower()
            or "multiline" in self.description.lower()
        )

    def _text(self, key: str) -> str:
        text = self.schema.get(key)
        return text.strip() if isinstance(text, str) else ""


def can_represent(spec: FieldSpec, value: Any) -> bool:
    """Whether the field of this kind gives the value back as it is."""
    if value is ABSENT or (value is None and spec.nullable):
        return True
    if spec.kind == "string":
        return isinstance(value, str) and survives_editing(value)
    if spec.kind in {"integer", "number"}:
        if isinstance(value, str):
            return survives_editing(value) and read_number(value) is None and bool(value.strip())
        return isinstance(value, int | float) and not isinstance(value, bool)
    if spec.kind == "const":
        return same_json(value, spec.schema["const"])
    shapes = {"boolean": bool, "array": list, "object": dict}
    return isinstance(value, shapes.get(spec.kind, object))


def _joined_words(name: str) -> str:
    """`filePath`, `file-path`, `FILEPath` and `file_path2` as `file_path`."""
    return "_".join(word for word in split_words(name) if word)
