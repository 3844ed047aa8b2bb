"""Dies at the start the first --times N times (counted in --count-file), then works."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import ECHO, Server, log, option

count_file = Path(option("count-file"))
died = int(count_file.read_text()) if count_file.exists() else 0
if died < int(option("times", "2")):
    count_file.write_text(str(died + 1))
    log(f"dying for the {died + 1}. time")
    sys.exit(1)
Server("flaky", [ECHO]).serve()
