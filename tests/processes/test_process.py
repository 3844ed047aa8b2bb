"""What is to be started is a value that cannot change under whoever starts it."""

from __future__ import annotations

import dataclasses

import pytest

from desktop.processes.process import LaunchSpec


def test_a_launch_cannot_be_changed() -> None:
    launch = LaunchSpec("program", ("a",), {"KEY": "value"}, "/")
    with pytest.raises(dataclasses.FrozenInstanceError):
        launch.command = "other"  # type: ignore[misc] - the point of the test
