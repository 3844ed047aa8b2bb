"""Works, but writes bytes that are no UTF-8: a line at the start and inside a result."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Call, Server, Tool


def latin1(call: Call) -> None:
    """A result whose text is Latin-1: valid JSON but for the one byte."""
    text = b'{"content":[{"type":"text","text":"caf\xe9"}]}'
    line = b'{"jsonrpc":"2.0","id":%s,"result":%s}'
    server.send_bytes(line % (repr(call.id).encode(), text))


server = Server("bad-utf8", [ECHO, Tool("latin1", latin1)])
server.send_bytes(b"d\xe9marrage \xff\xfe")
server.serve()
