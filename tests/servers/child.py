"""Does nothing until a signal or its time ends it; carries a marker in its command line."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import option, wait_forever

os.close(int(option("ready")))
wait_forever()
