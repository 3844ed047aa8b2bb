"""Reads everything, answers nothing, ends with its input."""

from __future__ import annotations

import sys

for _ in sys.stdin.buffer:
    pass
