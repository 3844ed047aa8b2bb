"""What pyproject.toml says of the project: whom to write to, and where it lives.

`[tool.mcp-desktop] repository` is the one place of the project's address. It is empty until
`make release` fills it in from the remote `origin`. From it come the links of the package's page,
AppStream's and Debian's homepage. Where it is empty, no address is named anywhere.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).resolve().parents[2] / "pyproject.toml"
_PLACES: Final = {
    "Homepage": "",
    "Documentation": "/blob/main/docs/first-steps.md",
    "Changelog": "/blob/main/CHANGELOG.md",
    "Issues": "/issues",
}
_LINE = re.compile(r'^repository = ".*"$', re.MULTILINE)
_REMOTE = re.compile(r"(?:https://|ssh://git@|git@)([\w.-]+)[/:]([\w.-]+/[\w.-]+?)(?:\.git)?/?")
_LINK = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)")


def maintainer(text: str) -> str:
    """Whom to write to, from the text of pyproject.toml: `Name <address>`."""
    first = tomllib.loads(text)["project"]["maintainers"][0]
    return f"{first['name']} <{first['email']}>"


def repository(text: str) -> str:
    """The project's address, from the text of pyproject.toml; empty where none is written."""
    return str(tomllib.loads(text)["tool"]["mcp-desktop"]["repository"])


def with_repository(text: str, address: str) -> str:
    """The text of pyproject.toml with another address."""
    return _LINE.sub(f'repository = "{address}"', text, count=1)


def web_address(remote: str) -> str:
    """Where a browser finds what git calls `remote`; empty for a folder or an unknown form."""
    found = _REMOTE.fullmatch(remote.strip())
    return f"https://{found[1]}/{found[2]}" if found else ""


def urls(address: str) -> dict[str, str]:
    """The links of the package's page, by what they are called."""
    return {name: address + place for name, place in _PLACES.items()} if address else {}


def with_absolute_links(readme: str, address: str) -> str:
    """A README as it is read elsewhere: its links and pictures lead to `address`."""

    def absolute(link: re.Match[str]) -> str:
        kind = "raw" if link[1] else "blob"
        return f"{link[1]}{link[2]}({address}/{kind}/main/{link[3]})"

    return _LINK.sub(absolute, readme) if address else readme
