"""Lists --count N tools of --bytes B each, whole or in pages of --page P (0: one page).

--prefix T: how their names begin. The schema of a tool has as many parameters as there is room for,
described in other words than those of the next tool.
"""

from __future__ import annotations

import json
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import Server, Tool, echo, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json

COUNT = int(option("count", "10000"))
BYTES = int(option("bytes", "5000"))
PAGE = int(option("page", "0")) or COUNT
PREFIX = option("prefix", "tool_")
FILLER = "Looks a thing up in the catalogue and tells what is known of it. "
SENTENCES = (
    "How many entries come back at most; the server sends fewer where it has fewer. ",
    "The identifier of the project, as the address of its page shows it. ",
    "Only what changed after this moment, in ISO 8601 with a time zone. ",
    "Whether those that were archived by their owners are listed, too. ",
    "Free text; a quoted part is searched for as it stands, a minus excludes. ",
    "Path of the file in the repository, without a slash at its beginning. ",
    "In which order they come: relevance needs a query, the others do not. ",
    "Labels that all have to be there; names that do not exist are an error. ",
    "Where the last answer ended; leave it out to begin with the first page. ",
    "The branch, the tag or the commit that is looked at instead of the default. ",
)
WORDS = [
    *["owner", "repository", "query", "limit", "cursor", "since", "until", "labels", "path"],
    *["branch", "title", "body", "state", "assignee", "milestone", "format", "encoding"],
    *["timeout", "region", "bucket", "object", "prefix", "table", "column", "filter", "order"],
    *["language", "locale", "channel", "thread", "message", "author", "recipient", "subject"],
]
SCHEMAS = (
    '{"type":"string","description":%s,"minLength":1,"maxLength":255}',
    '{"type":"integer","description":%s,"minimum":1,"maximum":100,"default":30}',
    '{"type":"string","description":%s,"enum":["created","updated","comments","relevance"]}',
    '{"type":"array","description":%s,"items":{"type":"string"},"maxItems":20}',
    '{"type":"boolean","description":%s,"default":false}',
    '{"anyOf":[{"type":"string","format":"date-time"},{"type":"null"}],"description":%s}',
    '{"type":"object","description":%s,"properties":{"from":{"type":"number"},'
    '"to":{"type":"number"}},"additionalProperties":false}',
)
ROOM = 300
"""Characters of a declaration that no parameter is put into."""
MARK = "@@@@@"
"""Where a schema has the number of its tool."""


def make_schema(seed: int) -> str:
    """An input schema as compact JSON, with as many parameters as there is room for."""
    properties = ['"message":{"type":"string"}', '"limit":{"type":"integer"}']
    length = sum(map(len, properties))
    while length < BYTES - 2 * ROOM:
        seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
        word, place = WORDS[seed // 5 % len(WORDS)], len(properties)
        about = SENTENCES[seed // 7 % len(SENTENCES)] + SENTENCES[seed // 11 % len(SENTENCES)]
        schema = SCHEMAS[seed // 3 % len(SCHEMAS)] % f'"{about}{MARK}-{seed}."'
        properties.append(f'"{word}_{place}":{schema}')
        length += len(properties[-1]) + 1
    return f'{{"type":"object","properties":{{{",".join(properties)}}}}}'


def declare(number: int) -> str:
    """A tool as compact JSON, `BYTES` long, most of it parameters that no other tool has."""
    digits = f"{number:05}"
    schema = schemas[number % len(schemas)].replace(MARK, digits)
    start = f'{{"name":"{PREFIX}{digits}","description":"Number {number}. '
    end = f'","inputSchema":{schema}}}'
    missing = max(0, BYTES - len(start) - len(end))
    return f"{start}{(FILLER * (missing // len(FILLER) + 1))[:missing]}{end}"


def list_page(message: Json) -> None:
    params: Json = message.get("params") or {}
    start = int(params.get("cursor") or 0)
    end = start + PAGE
    cursor = f',"nextCursor":"{end}"' if end < COUNT else ""
    tools = ",".join(declare(number) for number in range(start, min(end, COUNT)))
    result = f'{{"tools":[{tools}]{cursor}}}'
    request = json.dumps(message["id"])
    server.send_bytes(f'{{"jsonrpc":"2.0","id":{request},"result":{result}}}'.encode())


schemas = [make_schema(seed) for seed in range(100)]
server = Server("many-tools", [Tool(f"{PREFIX}{number:05}", echo) for number in range(COUNT)])
server.answers["tools/list"] = list_page
server.serve()
