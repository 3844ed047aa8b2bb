"""The declarations of the filesystem server's tools. Decides nothing."""

from __future__ import annotations

from builtin_servers.declaration import Tool
from builtin_servers.fields import (
    BOOLEAN,
    INTEGER,
    TEXT,
    count,
    flag,
    icon,
    list_of,
    meta,
    reads,
    record,
    text,
    texts,
    writes,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from builtin_servers.fields import Handler, Schema
    from builtin_servers.filesystem import Files

_META = meta("files", "files")
_ICONS = icon("M6 3h8l4 4v14H6zM14 3v4h4")
_EXCLUDE = texts("Patterns of what to leave out, such as node_modules or *.tmp.", default=[])
_ENTRY = record({"name": TEXT, "type": TEXT, "size": INTEGER, "modified": TEXT})
_MATCH = record(
    {
        "path": TEXT,
        "line": INTEGER,
        "text": TEXT,
        "before": list_of(TEXT),
        "after": list_of(TEXT),
    },
    ["path", "line", "text"],
)


def reading_tools(files: Files) -> list[Tool]:
    return [*_readers(files), *_listers(files), *_describers(files), *_searchers(files)]


def writing_tools(files: Files) -> list[Tool]:
    return [*_writers(files), *_movers(files)]


def _readers(files: Files) -> list[Tool]:
    return [
        _tool(
            "read_text_file",
            files.read_text_file,
            "Read text file",
            "Reads a text file as UTF-8: whole, its first lines (head), its last lines (tail), or "
            "start_line to end_line. At most 256 KB at a time; a note says where to read on.",
            {
                "path": text("The file."),
                "head": count("Only this many lines from the start."),
                "tail": count("Only this many lines from the end."),
                "start_line": count("The first line to read, counted from 1."),
                "end_line": count("The last line to read."),
            },
            ["path"],
            annotations=reads(),
        ),
        _tool(
            "read_media_file",
            files.read_media_file,
            "Read media file",
            "Reads a picture or sound of at most 8 MB as image or audio content, any other file "
            "as a resource.",
            {"path": text("The file.")},
            ["path"],
            annotations=reads(),
        ),
        _tool(
            "read_multiple_files",
            files.read_multiple_files,
            "Read several files",
            "Reads several text files, each under its path. One that cannot be read says why and "
            "leaves the others.",
            {"paths": texts("The files.", minItems=1, maxItems=100)},
            ["paths"],
            annotations=reads(),
        ),
    ]


def _listers(files: Files) -> list[Tool]:
    return [
        _tool(
            "list_directory",
            files.list_directory,
            "List directory",
            "Lists files and folders with type and size.",
            {
                "path": text("The folder."),
                "sortBy": {
                    "type": "string",
                    "description": "By name, or the largest or newest first.",
                    "enum": ["name", "size", "modified"],
                    "default": "name",
                },
            },
            ["path"],
            annotations=reads(),
            output={"entries": list_of(_ENTRY), "total": INTEGER, "total_size": INTEGER},
        ),
        _tool(
            "directory_tree",
            files.directory_tree,
            "Directory tree",
            "All below a folder as JSON: name, type, and the children of each folder. At most "
            "2000 entries.",
            {
                "path": text("The folder."),
                "excludePatterns": _EXCLUDE,
                "maxDepth": count("How many levels down.", default=20, maximum=60),
            },
            ["path"],
            annotations=reads(),
            output={"tree": list_of({"type": "object"}), "truncated": BOOLEAN},
        ),
    ]


def _describers(files: Files) -> list[Tool]:
    return [
        _tool(
            "get_file_info",
            files.get_file_info,
            "File info",
            "Size, type, times (UTC) and permissions of a file or folder. A symbolic link is "
            "described itself.",
            {"path": text("The file or folder.")},
            ["path"],
            annotations=reads(),
            output={
                key: INTEGER if key == "size" else TEXT
                for key in (
                    "path",
                    "type",
                    "size",
                    "modified",
                    "accessed",
                    "changed",
                    "permissions",
                )
            },
        ),
        _tool(
            "list_allowed_directories",
            files.list_allowed_directories,
            "List allowed directories",
            "The folders that this server may use, with all below them.",
            {},
            [],
            annotations=reads(),
            output={"directories": list_of(TEXT)},
        ),
    ]


def _searchers(files: Files) -> list[Tool]:
    return [
        _tool(
            "search_files",
            files.search_files,
            "Search for files",
            "Finds files and folders below a folder by a pattern: *, ?, [a-z], {a,b}, ** for any "
            "folders between, such as src/**/*.py. Without a slash it means a name at any depth, "
            "without any sign a part of a name.",
            {
                "path": text("The folder to search."),
                "pattern": text("The pattern.", examples=["**/*.md", "report"]),
                "excludePatterns": _EXCLUDE,
                "maxResults": count("At most this many.", default=200, maximum=5000),
            },
            ["path", "pattern"],
            annotations=reads(),
            output={"paths": list_of(TEXT), "truncated": BOOLEAN},
        ),
        _tool(
            "search_content",
            files.search_content,
            "Search in files",
            "Finds lines in the text files below a folder. The search ends after 20 s.",
            {
                "path": text("The folder to search, or one file."),
                "pattern": text("The text, or with isRegex a Python regular expression."),
                "isRegex": flag("Whether the pattern is a regular expression.", default=False),
                "ignoreCase": flag("Whether upper and lower case are the same.", default=True),
                "filePattern": text("Only in files that fit, such as *.py."),
                "excludePatterns": _EXCLUDE,
                "contextLines": {
                    "type": "integer",
                    "description": "Lines to show before and after each.",
                    "minimum": 0,
                    "maximum": 20,
                    "default": 0,
                },
                "maxResults": count("At most this many.", default=100, maximum=2000),
            },
            ["path", "pattern"],
            annotations=reads(),
            output={
                "matches": list_of(_MATCH),
                "notes": list_of(TEXT),
            },
        ),
    ]


def _writers(files: Files) -> list[Tool]:
    return [
        _tool(
            "write_file",
            files.write_file,
            "Write file",
            "Writes a text file, in the place of one that is there. The file is never half "
            "written.",
            {"path": text("The file."), "content": text("All of its text.")},
            ["path", "content"],
            annotations=writes(destructive=True, idempotent=True),
        ),
        _tool(
            "edit_file",
            files.edit_file,
            "Edit file",
            "Replaces pieces of a text file and shows the difference; with dryRun it only shows. "
            "Each oldText must be there once, or replaceAll be set. If one edit fails, nothing is "
            "written.",
            {
                "path": text("The file, at most 2 MB."),
                "edits": {
                    "type": "array",
                    "description": "What to replace, one after the other.",
                    "minItems": 1,
                    "maxItems": 200,
                    "items": {
                        "type": "object",
                        "properties": {
                            "oldText": text("The piece as it is in the file."),
                            "newText": text("What takes its place."),
                            "replaceAll": flag("Whether all such are meant.", default=False),
                        },
                        "required": ["oldText", "newText"],
                        "additionalProperties": False,
                    },
                },
                "dryRun": flag("Show the difference without writing.", default=False),
            },
            ["path", "edits"],
            annotations=writes(destructive=True, idempotent=False),
        ),
        _tool(
            "create_directory",
            files.create_directory,
            "Create directory",
            "Makes a folder and those above it that are missing. One that is there is no error.",
            {"path": text("The folder.")},
            ["path"],
            annotations=writes(destructive=False, idempotent=True),
        ),
    ]


def _movers(files: Files) -> list[Tool]:
    return [
        _tool(
            "move_file",
            files.move_file,
            "Move or rename",
            "Moves a file or folder, or gives it another name. Never replaces what is there.",
            {"source": text("What to move."), "destination": text("Its new path.")},
            ["source", "destination"],
            annotations=writes(destructive=True, idempotent=False),
        ),
        _tool(
            "copy_file",
            files.copy_file,
            "Copy file",
            "Copies one file. Never replaces what is there.",
            {"source": text("The file."), "destination": text("The path of the copy.")},
            ["source", "destination"],
            annotations=writes(destructive=False, idempotent=False),
        ),
    ]


def _tool(
    name: str,
    handler: Handler,
    title: str,
    description: str,
    properties: Schema,
    required: list[str],
    *,
    annotations: Schema,
    output: Schema | None = None,
) -> Tool:
    return Tool(
        name,
        handler,
        title=title,
        description=description,
        input_schema=record(properties, required),
        output_schema=record(output) if output else None,
        annotations=annotations,
        icons=_ICONS,
        meta=_META,
    )
