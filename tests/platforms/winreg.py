"""A stand-in for the registry of Windows with a time zone in it, for what reads that alone.

Found as `winreg` by a program that has this folder in its path. The zone is that of the variable
FAKE_WINDOWS_ZONE, with the padding of NULs that some systems leave.
"""

from __future__ import annotations

import os

HKEY_LOCAL_MACHINE = 0
_ZONES = r"SYSTEM\CurrentControlSet\Control\TimeZoneInformation"


class Key:
    """An open key; the names of its values and these."""

    def __init__(self, values: list[tuple[str, str | int]]) -> None:
        self.values = values

    def Close(self) -> None:
        """Nothing is held."""


def ConnectRegistry(computer: str | None, key: int) -> int:
    return key


def OpenKey(key: int, path: str) -> Key:
    if path != _ZONES:
        raise FileNotFoundError(path)
    return Key([("Bias", 0), ("TimeZoneKeyName", os.environ["FAKE_WINDOWS_ZONE"] + "\0\0\0")])


def QueryInfoKey(key: Key) -> tuple[int, int, int]:
    return 0, len(key.values), 0


def EnumValue(key: Key, index: int) -> tuple[str, str | int, int]:
    return (*key.values[index], 1)
