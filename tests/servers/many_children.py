"""Works and ends with its input; --count N children, in the same group, stay."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server, fork_children, option

fork_children(int(option("count", "5")))
Server("many-children", [ECHO]).serve()
