"""Works, but writes three lines that are no JSON at the start and before each answer."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server

LINES = (
    b"Starting the server ...",
    b'{"jsonrpc": "2.0", "id": 1, "res',
    b"\x1b[31m[INFO]\x1b[0m ok",
)


class Garbage(Server):
    """Cannot keep its stdout to itself."""

    def answer(self, request_id: object, result: object) -> None:
        self.send_garbage()
        super().answer(request_id, result)

    def send_garbage(self) -> None:
        for line in LINES:
            self.send_bytes(line)


server = Garbage("garbage", [ECHO])
server.send_garbage()
server.serve()
