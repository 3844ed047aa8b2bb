"""The version resource of the executables for Windows: what their properties show.

Text as PyInstaller reads it. Must not ask the system anything: it can be made anywhere.
"""

from __future__ import annotations

import re

PRODUCT = "mcp-desktop"
_ENGLISH, _UNICODE = 0x0409, 1200
_TEXT = """\
VSVersionInfo(
  ffi=FixedFileInfo(
    filevers={numbers}, prodvers={numbers},
    mask=0x3f, flags=0x0, OS=0x40004, fileType=0x1, subtype=0x0, date=(0, 0)
  ),
  kids=[
    StringFileInfo([StringTable({table!r}, [
{strings}
    ])]),
    VarFileInfo([VarStruct('Translation', [{language}, {encoding}])])
  ]
)
"""


def version_text(name: str, version: str, description: str, copyright_line: str) -> str:
    """The resource of the executable `name`; `version` is that of the project."""
    strings = {
        "FileDescription": description,
        "FileVersion": version,
        "InternalName": name,
        "LegalCopyright": copyright_line,
        "OriginalFilename": f"{name}.exe",
        "ProductName": PRODUCT,
        "ProductVersion": version,
    }
    return _TEXT.format(
        numbers=numbers(version),
        table=f"{_ENGLISH:04X}{_UNICODE:04X}",
        strings=",\n".join(
            f"      StringStruct({key!r}, {value!r})" for key, value in strings.items()
        ),
        language=_ENGLISH,
        encoding=_UNICODE,
    )


def numbers(version: str) -> tuple[int, int, int, int]:
    """`1.2.3` and `1.2.3rc1` as the four numbers that Windows compares."""
    found = re.match(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?", version)
    if found is None:
        raise ValueError(f"no version: {version!r}")
    major, minor, patch = (int(part or 0) for part in found.groups())
    return major, minor, patch, 0
