"""Rules in the config count from the moment they are written to the moment they are taken out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from desktop.config.store import ConfigStore
from desktop.tools.rules import RuleBook
from desktop.tools.written_rules import WrittenRules

if TYPE_CHECKING:
    from pathlib import Path


def store_with(folder: Path, rules: Any) -> ConfigStore:
    file = folder / "mcp.json"
    entry = {"command": "x", "toolRules": rules}
    file.write_text(json.dumps({"mcpServers": {"cal[1]": entry}}), "utf-8")
    store = ConfigStore(file, {})
    store.load()
    return store


def told(book: RuleBook, key: str, **arguments: Any) -> list[str]:
    return [str(issue) for issue in book.check(key, arguments)]


def test_the_rules_of_a_tool_and_those_for_all_tools_count(tmp_path: Path) -> None:
    book = RuleBook()
    WrittenRules(book, store_with(tmp_path, {"book": ["end >= start"], "*": ["n < 3", "n > 0"]}))
    assert len(told(book, "cal[1]:book", start=2, end=1, n=7)) == 2
    assert told(book, "cal[1]:other", start=2, end=1, n=1) == []
    assert told(book, "cal1:book", start=2, end=1, n=7) == []


def test_a_change_of_the_config_changes_the_rules(tmp_path: Path) -> None:
    store = store_with(tmp_path, {"book": ["end >= start"]})
    book = RuleBook()
    WrittenRules(book, store)
    store_with(tmp_path, {"book": ["n > 0"]})
    store.reload()
    assert told(book, "cal[1]:book", start=2, end=1, n=0) == [
        "n: must be more than 0 (your rule n > 0)"
    ]


def test_a_text_that_is_no_rule_is_a_warning_that_shows_it(tmp_path: Path) -> None:
    book = RuleBook()
    WrittenRules(book, store_with(tmp_path, {"book": ["end after start"]}))
    (issue,) = book.check("cal[1]:book", {})
    assert issue.severity == "warning"
    assert "no rule such as 'end >= start'" in issue.message


def test_rules_survive_that_their_server_is_edited(tmp_path: Path) -> None:
    store = store_with(tmp_path, {"book": ["end >= start"]})
    config = store.servers["cal[1]"]
    store.replace_server("cal[1]", config.changed(tool_rules={"book": ("n > 0",)}))
    saved = json.loads((tmp_path / "mcp.json").read_text("utf-8"))
    assert saved["mcpServers"]["cal[1]"]["toolRules"] == {"book": ["n > 0"]}
