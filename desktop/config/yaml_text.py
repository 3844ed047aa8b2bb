"""Reads YAML: plain values alone, and no more work than a file of a person takes.

Files of others are read so; who writes them works on their text. Must not touch a disk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from desktop.base.errors import ConfigError
from desktop.base.translatable import join_texts, translatable
from desktop.config.document import Document, as_object

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.values.tool_types import JsonPath

MAX_TEXT_BYTES = 1024 * 1024
"""Bytes of YAML or TOML: read by slower parsers than JSON."""
MAX_YAML_LEVELS = 200
"""What is nested deeper is refused as it is read: each level makes all that follows slower."""
MAX_YAML_TOKENS = 100_000
"""Brackets, names, values: a second of work. 500 servers are a quarter of it."""


def bounded_text(content: bytes) -> str:
    """The text of a file; raises `ConfigError` where it is too large or no UTF-8."""
    if len(content) > MAX_TEXT_BYTES:
        raise ConfigError(
            translatable("is larger than {limit} MB", limit=MAX_TEXT_BYTES // 1024 // 1024)
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError(translatable("is not UTF-8 text")) from None


def read_yaml(content: bytes) -> dict[str, Any]:
    """The names and values of a file; raises as `yaml_document`."""
    return yaml_document(content).data


def yaml_document(content: bytes) -> Document:
    """The names and values of a file, and which names stand twice in one place.

    Raises:
        ConfigError: it is not YAML, has aliases (a small file could become a huge value), or is too
            large or too deep to be read in a second; with line and column where known.
    """
    import yaml

    text = bounded_text(content)
    try:
        _check_yaml_tokens(
            cast("Any", yaml).scan(text, yaml.SafeLoader)
        )  # the stubs do not type it
        loader: Any = yaml.SafeLoader(text)
        node = loader.get_single_node()
        repeated = _repeated_names(node)
        data: object = loader.construct_document(node) if node is not None else None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (None, None)
        words = translatable("is not valid YAML: {problem}", problem=error.problem)
        if line is not None:
            place = translatable("at line {line}, column {column}", line=line, column=column)
            words = join_texts(" ", words, place)
        raise ConfigError(words, line=line, column=column) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ConfigError(
            translatable("is not valid YAML: {problem}", problem=type(error).__name__)
        ) from None
    if data is not None and as_object(data) is None:
        raise ConfigError(translatable("must be a mapping of names to values"))
    return Document(_string_keys(as_object(data) or {}), duplicates=repeated)


def _repeated_names(node: Any) -> dict[JsonPath, tuple[int, ...]]:
    """The names that YAML takes twice, the last of them for good, with their lines."""
    found: dict[JsonPath, tuple[int, ...]] = {}
    todo: list[tuple[JsonPath, Any]] = [((), node)]
    while todo:
        path, here = todo.pop()
        lines: dict[JsonPath, tuple[int, ...]] = {}
        pairs = here.value if getattr(here, "id", "") == "mapping" else ()
        for key, value in pairs:
            inner = (*path, str(key.value))
            lines[inner] = (*lines.get(inner, ()), key.start_mark.line + 1)
            todo.append((inner, value))
        found |= {inner: at for inner, at in lines.items() if len(at) > 1}
    return found


def _check_yaml_tokens(tokens: Iterable[object]) -> None:
    """Refuse, before the rest of it is looked at, what would take long to read."""
    depth = 0
    for count, token in enumerate(tokens):
        kind = type(token).__name__
        if kind == "AliasToken":
            raise ConfigError(translatable("uses YAML aliases (*name), which are not supported"))
        depth += kind.endswith("StartToken") - kind.endswith("EndToken")
        if depth > MAX_YAML_LEVELS:
            raise ConfigError(
                translatable("is nested more than {limit} levels deep", limit=MAX_YAML_LEVELS)
            )
        if count > MAX_YAML_TOKENS:
            raise ConfigError(
                translatable("has more than {limit} names and values", limit=MAX_YAML_TOKENS)
            )


def _string_keys(data: dict[Any, Any]) -> dict[str, Any]:
    """YAML allows any key, such as a number; a name is text."""
    return {
        str(key): _string_keys(cast("dict[Any, Any]", value)) if isinstance(value, dict) else value
        for key, value in data.items()
    }
