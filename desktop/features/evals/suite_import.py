"""Cases of a suite file of MCPJam (YAML, schema version 1): its steps and its 13 kinds of checks.

What has no place here is left out with a sentence, never dropped in silence. Source: the project's
`eval-suite.schema.json` of 22 August 2026. Runs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from desktop.base.errors import ConfigError
from desktop.config.yaml_text import MAX_TEXT_BYTES, read_yaml
from desktop.features.saved_calls.saved_call_files import CallFileError
from desktop.features.saved_calls.variables import escape
from desktop.values.json_schema import list_of, object_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_VERSION = "1"


class ImportedSuite(Struct):
    """The document of a file of cases, and these; `notes` say what is not in it."""

    document: dict[str, Any]
    cases: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    notes: list[str] = field(default_factory=list[str])


def read_suite(path: Path) -> ImportedSuite:
    """The cases of a suite. Raises `CallFileError` where it is none."""
    try:
        with path.open("rb") as file:
            whole = read_yaml(file.read(MAX_TEXT_BYTES + 1))
    except OSError as error:
        raise CallFileError(f"{path} cannot be read: {error.strerror}.") from error
    except ConfigError as error:
        raise CallFileError(f"{path}: {error.args[0]}", remedy=error.remedy) from error
    if whole.get("schemaVersion") != _VERSION:
        version = whole.get("schemaVersion", "none")
        raise CallFileError(f"{path} is no suite of schema version {_VERSION}, but {version!r}.")
    return _Suite(whole).read()


class _Suite:
    def __init__(self, whole: Mapping[str, Any]) -> None:
        self._whole = whole
        servers = list_of(object_of(whole.get("target")).get("servers"))
        self._servers = [str(object_of(each).get("name", "")) for each in servers]
        self._notes: list[str] = []

    def read(self) -> ImportedSuite:
        defaults = object_of(self._whole.get("defaults"))
        document: dict[str, Any] = {"version": 1, "servers": self._servers}
        document |= _runs(defaults)
        if "toolPolicy" in defaults:
            self._notes.append("toolPolicy: what may be called is said by each case, and by --yes")
        cases = [object_of(each) for each in list_of(self._whole.get("cases"))]
        made = [each for case in cases if (each := self._case(case)) is not None]
        return ImportedSuite(document | {"calls": made}, made, self._notes)

    def _case(self, case: Mapping[str, Any]) -> dict[str, Any] | None:
        name = str(case.get("title") or case.get("id"))
        if case.get("disabled"):
            self._notes.append(f"{name}: is disabled, and left out")
            return None
        steps = [object_of(each) for each in list_of(case.get("steps"))]
        asked = [escape(str(each["prompt"])) for each in steps if each.get("kind") == "prompt"]
        for kind in {str(each.get("kind")) for each in steps} - {"prompt", "assert"}:
            self._notes.append(f"{name}: a step {kind} is left out")
        if not asked:
            self._notes.append(f"{name}: asks nothing, and is left out")
            return None
        checks = [each.get("assertion") for each in steps if each.get("kind") == "assert"]
        expect: dict[str, Any] = {}
        for check in (*checks, *list_of(case.get("assertions"))):
            self._check(name, object_of(check), expect)
        if case.get("isNegativeTest"):
            expect |= {"calls": [], "only": True}
        if words := case.get("expectedOutput"):
            expect["judge"] = f"It says what is said here: {words}"
        made = {"name": name, "ask": asked[0] if len(asked) == 1 else asked}
        return made | _runs(case) | {"expect": expect}

    def _check(self, name: str, check: Mapping[str, Any], expect: dict[str, Any]) -> None:
        if "toolName" in check and not str(check.get("type")).startswith("widget"):
            self._check_call(name, check, expect)
        else:
            self._check_answer(name, check, expect)

    def _check_call(self, name: str, check: Mapping[str, Any], expect: dict[str, Any]) -> None:
        tool = self._tool(check)
        match check.get("type"):
            case "toolCalledWith":
                wanted = object_of(check.get("args"))
                call = {"tool": tool, "arguments": escape(dict(object_of(wanted.get("args"))))}
                if wanted.get("argumentMatching", "partial") != "partial":
                    self._notes.append(f"{name}: arguments of {tool} may have more than is said")
                if (least := check.get("minCount", 1)) > 1:
                    call["times"] = [least, 1_000]
                self._expect_call(expect, call)
            case "toolCalledAtLeastOnce":
                self._expect_call(expect, {"tool": tool})
            case "toolNeverCalled":
                expect.setdefault("never", []).append(tool)
            case "firstToolWas":
                expect["first"] = tool
            case kind:
                self._notes.append(f"{name}: the check {kind} is left out")

    def _check_answer(self, name: str, check: Mapping[str, Any], expect: dict[str, Any]) -> None:
        match check.get("type"):
            case "responseContains":
                expect.setdefault("contains", []).append(escape(str(check.get("needle"))))
                if not check.get("caseSensitive"):
                    self._notes.append(f"{name}: {check.get('needle')!r} is compared with its case")
            case "responseMatches":
                expect.setdefault("contains", []).append(f"/{check.get('pattern')}/")
            case "noToolErrors":
                expect["errors"] = 0
            case "finalAssistantMessageNonEmpty":
                expect.setdefault("contains", []).append(r"/\S/")
            case "tokenBudgetUnder":
                expect["tokens"] = max(1, int(check.get("tokens", 1)) - 1)
            case kind:
                self._notes.append(f"{name}: the check {kind} is left out")

    @staticmethod
    def _expect_call(expect: dict[str, Any], call: dict[str, Any]) -> None:
        """In whatever order, as there."""
        expect.setdefault("calls", []).append(call)
        expect["any_order"] = True

    def _tool(self, check: Mapping[str, Any]) -> str:
        tool = str(check.get("toolName", ""))
        server = str(check.get("serverName") or (self._servers or [""])[0])
        if tool and not check.get("serverName") and len(self._servers) > 1:
            self._notes.append(f"{tool}: is taken for one of {server}; the suite does not say")
        return f"{server}:{tool}"


def _runs(said: Mapping[str, Any]) -> dict[str, Any]:
    """How often, how much and by whom, where that is said."""
    known = {"repetitions": "runs", "passThreshold": "pass", "model": "models"}
    return {ours: said[theirs] for theirs, ours in known.items() if theirs in said}
