"""Answers with as many parts as are asked for: short texts, or pictures of one pixel."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import PNG_URI, Call, Server, Tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tests.servers.base import Json

PICTURE = {"type": "image", "data": PNG_URI.partition(",")[2], "mimeType": "image/png"}


def texts(call: Call) -> Json:
    count = int(call.arguments["count"])
    return {"content": [{"type": "text", "text": f"part {number}"} for number in range(count)]}


def pictures(call: Call) -> Json:
    return {"content": [PICTURE] * int(call.arguments["count"])}


COUNT = {"count": "integer"}
Server("many", [Tool("texts", texts, COUNT), Tool("pictures", pictures, COUNT)]).serve()
