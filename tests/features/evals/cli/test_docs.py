"""The whole example of the page about cases works as it stands, but for the model."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tests.features.models.loopback.script import turn

if TYPE_CHECKING:
    from tests.cli.terminal import Terminal
    from tests.features.evals.played_model import Played, PlayedModel

PAGE = (Path(__file__).parents[4] / "docs" / "evals.md").read_text("utf-8")


def block(kind: str) -> str:
    """The first one of its kind."""
    (found,) = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)[:1]
    return found


def test_the_example_of_the_page_runs_and_passes(terminal: Terminal, model: PlayedModel) -> None:
    def say(question: str, results: list[str]) -> Played:
        if results:
            return turn(results[0])
        if name := re.search(r"note-\d+", question):
            return turn(calls=[("mcp__notes__read", {"id": name[0]})])
        return turn("Call delete for each of them.")

    model.say = say
    providers = {"ollama": model.provider() | {"model": "qwen3:8b"}}
    terminal.config.write_text(json.dumps({"mcpDesktop": {"providers": providers}}), "utf-8")
    terminal.environment["OLLAMA_API_KEY"] = "sk-secret-0123456789"
    server, cases = terminal.folder / "server.py", terminal.folder / "notes.json"
    server.write_text(block("python"), "utf-8")
    cases.write_text(block("json"), "utf-8")
    page = terminal.folder / "report.html"
    here = {
        "tests/notes.json": str(cases),
        "notes=python server.py": f"notes={shlex.join((sys.executable, str(server)))}",
        "ollama/qwen3:8b": "ollama/gpt-x",  # which this model calls itself
        "report.html": str(page),
    }
    program, *words = shlex.split(block("text").replace("\\\n", " "))
    assert (program, set(here) - set(words)) == ("mcp-desktop", set())
    done = terminal.run(*(here.get(word, word) for word in words))
    assert done.code == 0, done
    assert "passed       reads it  (ollama/gpt-x)  10 of 10" in done.out
    assert "Call delete for each of them." in page.read_text("utf-8")
