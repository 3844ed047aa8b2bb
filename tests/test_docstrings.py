"""Docstrings name what is there, and begin with a sentence."""

from __future__ import annotations

import ast
import builtins
import re
from functools import cache
from typing import TYPE_CHECKING

from tests.source_trees import texts, trees

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\(\))?")
OWN = re.compile(r"[a-z\d]_|_[a-z\d]|[a-z][A-Z]|^[A-Z]", re.ASCII)
"""What a name of code has that a word of prose in backticks has not."""
FOREIGN = frozenset((
    # of the clients of model providers
    *("ToolParam", "ToolResultBlockParam", "MessageCreateParams", "MessageParam"),
    *("RawMessageStreamEvent", "FunctionDeclaration", "FunctionResponse", "response_json_schema"),
    *("GenerateContentConfig", "GenerateContentResponse", "FinishReason", "FunctionDefinition"),
    *("FunctionTool", "FunctionCallOutput", "ChatCompletionToolMessageParam"),
    *("CompletionCreateParams", "ChatCompletionMessageParam", "ChatCompletionChunk"),
    *("ResponseCreateParams", "ResponseInputItemParam", "ResponseStreamEvent"),
    # of other programs and libraries
    *("ExtensionConfig", "MCPOptionsSchema", "QLockFile", "PYTHONTZPATH", "ClientSession"),
    *("JSONRPCDispatcher", "Info"),
    # examples
    *("API_KEY", "Circle", "filePath", "FILEPath", "file_path2", "file_path", "noteId", "note_id"),
    *("client_key", "issue_key", "SSH_AUTH_SOCK", "XDG_SESSION_ID", "PGPASSWORD"),
    *("password_confirmation", "apiKey2", "mcp__server__tool", "server__tool", "GROUP"),
))  # fmt: skip
WITHOUT_A_SENTENCE = 118
"""Docstrings that begin with their arguments or errors today. Lower it, never raise it."""


@cache
def _docstrings(file: str) -> list[ast.Constant]:
    """Those of modules, classes, functions, constants and fields."""
    return [
        node.value
        for node in ast.walk(trees()[file])
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]


def _words(file: str) -> Iterator[str]:
    """Each name of the code, and each word of its texts; not those of docstrings and comments."""
    lines = texts()[file].splitlines()
    for docstring in _docstrings(file):
        for number in range(docstring.lineno - 1, docstring.end_lineno or docstring.lineno):
            lines[number] = ""
    for line in lines:
        yield from re.findall(r"\w+", re.split(r"(?:^|\s)# ", line)[0])


def _names(text: str) -> Iterator[str]:
    """The parts of the names of code in backticks."""
    for quoted in re.findall(r"`([^`\n]+)`", text):
        if NAME.fullmatch(quoted):
            yield from (part for part in quoted.removesuffix("()").split(".") if OWN.search(part))


def test_each_name_of_a_docstring_is_in_the_code() -> None:
    known = {word for file in texts() for word in _words(file)} | {*dir(builtins), *FOREIGN}
    stale = [
        f"{file}:{docstring.lineno} {name}"
        for file in texts()
        for docstring in _docstrings(file)
        for name in _names(str(docstring.value))
        if name not in known
    ]
    assert stale == []


def test_no_more_docstrings_begin_without_a_sentence() -> None:
    found = [
        f"{file}:{docstring.lineno}"
        for file in texts()
        for docstring in _docstrings(file)
        if re.match(r"\s*(Args|Raises|Returns|Yields):", str(docstring.value))
    ]
    assert len(found) <= WITHOUT_A_SENTENCE, found
