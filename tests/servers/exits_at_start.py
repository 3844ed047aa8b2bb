"""Explains itself on stderr and exits with code 3 before it answers anything."""

from __future__ import annotations

import sys

sys.path.insert(0, __file__.rpartition("/tests/")[0])

from tests.servers.base import log

log("reading the configuration")
log("error: API_KEY is not set")
sys.exit(3)
