from __future__ import annotations

import os

import psutil

from desktop.processes.process import TreeLimits
from desktop.processes.tree_limits import reached


def test_the_limit_that_a_tree_is_over_is_named() -> None:
    family = [psutil.Process(), psutil.Process(os.getppid())]
    much = sum(process.memory_info().rss for process in family) * 10
    assert reached(TreeLimits(), family) == ""
    threads = psutil.Process().num_threads()
    assert reached(TreeLimits(processes=threads), family[:1]) == ""
    assert reached(TreeLimits(processes=threads), family[:1] * 2) == "processes"
    assert reached(TreeLimits(memory=much, processes=100_000), family) == ""
    assert reached(TreeLimits(memory=1, processes=100_000), family) == "memory"
    assert reached(TreeLimits(memory=1, processes=1), family) == "processes"
