"""Opens the files that its arguments name after `open:`, and serves.

What it may not open, and any other argument, it writes to stderr.
"""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server, log

for argument in sys.argv[1:]:
    if not argument.startswith("open:"):
        log(argument)
        continue
    try:
        with open(argument[5:], encoding="utf-8") as file:
            file.read(1)
    except OSError as error:
        log(str(error))

Server("opens-files", [ECHO]).serve()
