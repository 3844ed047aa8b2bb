"""Works and ends with its input; its child, in the same group, stays."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server, start_children

start_children()
Server("leaves-child", [ECHO]).serve()
