from __future__ import annotations

from desktop.cli.commands import COMMANDS
from resources.packaging import man_page


def test_the_man_page_names_each_command_with_its_flags() -> None:
    text = man_page.text("1.2").replace("\\-", "-")
    assert f"mcp-desktop - {man_page.SUMMARY}\n" in text
    assert [name for name in COMMANDS if f"'mcp-desktop {name}'" not in text] == []
    assert "--no-validate" in text
