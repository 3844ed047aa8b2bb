"""Works and ends with its input; its child, in a session of its own, stays."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server, start_children

start_children(new_session=True)
Server("setsid-child", [ECHO]).serve()
