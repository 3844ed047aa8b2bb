"""What is found about a server as English sentences, for the terminal. The window has its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.config.imports.findings import ImportWarning

_SENTENCES = {
    "secret": "{place} looks like a secret in plain text: it is copied as it is; safer: write "
    "${{VAR}} there and set VAR in your environment",
    "unset": "{place} needs the variable {subject}, which is not set",
    "input": "{place}: set the variable {subject} ({detail}), the other app asked for it",
    "missing": "{place}: there is no {subject}",
    "env_file": "variables from {subject} are not read: put them into env, or set them",
    "foreign": "{place} has {subject}, which only the other app understands: edit it afterwards",
    "left_out": "not taken over: {subject}",
    "renamed": "called {subject} here",
}


def finding_words(finding: ImportWarning) -> str:
    return _SENTENCES[finding.kind].format(
        place=finding.place, subject=finding.subject, detail=finding.detail
    )
