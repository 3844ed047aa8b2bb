from __future__ import annotations

import pytest

from resources.packaging.windows_version import numbers, version_text


def parts(name: str) -> object:
    """Stands in for one of PyInstaller's classes: keeps what it was made with."""
    return lambda *given, **named: (name, *given, named) if named else (name, *given)  # pyright: ignore[reportUnknownLambdaType, reportUnknownVariableType]


CLASSES = {
    name: parts(name)
    for name in (
        "VSVersionInfo",
        "FixedFileInfo",
        "StringFileInfo",
        "StringTable",
        "StringStruct",
        "VarFileInfo",
        "VarStruct",
    )
}


def test_the_text_is_read_back_as_what_it_says() -> None:
    text = version_text("mcp-desktop", "1.2.3rc1", 'It\'s "ours"', "Copyright (c) 2026 we")
    name, said = eval(text, dict(CLASSES))
    assert name == "VSVersionInfo"
    (_, fixed), (_, (table,)), (_, (translation,)) = said["ffi"], *said["kids"]
    assert fixed["filevers"] == fixed["prodvers"] == (1, 2, 3, 0)
    assert table[:2] == ("StringTable", "040904B0")
    assert translation == ("VarStruct", "Translation", [0x0409, 0x04B0])
    strings = {key: value for _, key, value in table[2]}
    assert strings["FileVersion"] == strings["ProductVersion"] == "1.2.3rc1"
    assert strings["FileDescription"] == 'It\'s "ours"'
    assert strings["LegalCopyright"] == "Copyright (c) 2026 we"
    assert strings["OriginalFilename"] == "mcp-desktop.exe"


@pytest.mark.parametrize(
    ("version", "expected"), [("0.1.0", (0, 1, 0, 0)), ("2", (2, 0, 0, 0)), ("1.4b2", (1, 4, 0, 0))]
)
def test_a_version_is_four_numbers(version: str, expected: tuple[int, ...]) -> None:
    assert numbers(version) == expected


def test_what_is_no_version_is_refused() -> None:
    with pytest.raises(ValueError, match="no version"):
        numbers("dev")
