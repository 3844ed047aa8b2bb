"""Nothing outside the allowed folders is reached: not by `..`, not by a link, not by a race."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from builtin_servers.files.roots import Roots, open_file, open_folder
from builtin_servers.framework.tool import ToolCallError
from tests.builtin_command import InProcess
from tests.fifos import make_fifo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECRET = "the secret outside"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "file").write_text(SECRET)
    (tmp_path / "root-beside").mkdir()
    (tmp_path / "root-beside" / "file").write_text(SECRET)
    inside = tmp_path / "root"
    (inside / "sub" / "deep").mkdir(parents=True)
    (inside / "file").write_text("in")
    (inside / "sub" / "file").write_text("in sub")
    (inside / "up").symlink_to("..")
    (inside / "out").symlink_to(tmp_path / "outside")
    (inside / "etc").symlink_to("/etc")
    (inside / "out-file").symlink_to("../outside/file")
    (inside / "sub" / "root").symlink_to("..")
    (inside / "sub" / "near").symlink_to("../file")
    (inside / "sub" / "absolute").symlink_to(inside / "sub" / "deep" / ".." / "file")
    (inside / "loop").symlink_to("loop")
    return inside


def read(roots: Roots, path: str) -> str:
    with roots.resolve(path) as place, os.fdopen(open_file(place)) as file:
        return file.read()


@pytest.mark.parametrize(
    "path",
    [
        "../outside/file",
        "sub/../../outside/file",
        "/etc/passwd",
        "{root}/../outside/file",
        "{root}-beside/file",
        "up/outside/file",
        "out/file",
        "etc/passwd",
        "out-file",
        "sub/root/out/file",
        "sub/root/up/root/up/outside/file",
        "~/file",
        "~root/file",
        "//etc/passwd",
        "/proc/self/root/etc/passwd",
    ],
)
def test_no_way_leads_outside(root: Path, path: str) -> None:
    roots = Roots([str(root)])
    with pytest.raises(ToolCallError, match=r"outside the allowed|leads out of the allowed"):
        read(roots, path.format(root=root))


@pytest.mark.parametrize(
    "tool",
    [
        ("write_file", {"path": "{}", "content": "x"}),
        ("edit_file", {"path": "{}", "edits": [{"oldText": "the", "newText": "x"}]}),
        ("create_directory", {"path": "{}"}),
        ("move_file", {"source": "{}", "destination": "taken"}),
        ("move_file", {"source": "file", "destination": "{}"}),
        ("copy_file", {"source": "{}", "destination": "taken"}),
        ("copy_file", {"source": "file", "destination": "{}"}),
        ("read_media_file", {"path": "{}"}),
        ("list_directory", {"path": "{}"}),
        ("directory_tree", {"path": "{}"}),
        ("search_files", {"path": "{}", "pattern": "*"}),
        ("search_content", {"path": "{}", "pattern": "secret"}),
        ("get_file_info", {"path": "{}"}),
    ],
    ids=lambda tool: "-".join([tool[0], *(key for key, value in tool[1].items() if value == "{}")]),
)
@pytest.mark.parametrize("path", ["../outside/new", "out/new", "up/outside/file"])
def test_every_tool_stays_inside(
    root: Path, tool: tuple[str, dict[str, object]], path: str
) -> None:
    files = InProcess("filesystem", root)
    name, template = tool
    arguments = {key: path if value == "{}" else value for key, value in template.items()}
    with pytest.raises(ToolCallError, match=r"outside the allowed|leads out of the allowed"):
        files(name, **arguments)
    assert sorted(os.listdir(root.parent / "outside")) == ["file"]
    assert (root.parent / "outside" / "file").read_text() == SECRET


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("file", "in"),
        ("./sub/../file", "in"),
        ("sub/near", "in"),
        ("sub/absolute", "in sub"),
        ("sub/root/sub/file", "in sub"),
        ("{root}/file", "in"),
        ("up/root/file", None),
    ],
)
def test_links_that_stay_inside_are_followed(root: Path, path: str, text: str | None) -> None:
    roots = Roots([str(root)])
    if text is None:  # through the folder above: out, though it would come back
        with pytest.raises(ToolCallError, match="leads out"):
            read(roots, path)
    else:
        assert read(roots, path.format(root=root)) == text


def test_a_link_may_lead_from_one_allowed_folder_to_another(root: Path) -> None:
    roots = Roots([str(root), str(root.parent / "outside")])
    assert read(roots, "out/file") == SECRET
    assert read(roots, str(root.parent / "outside" / "file")) == SECRET


def test_an_allowed_folder_may_be_given_by_a_link(root: Path) -> None:
    alias = root.parent / "alias"
    alias.symlink_to(root)
    assert read(Roots([str(alias)]), str(alias / "file")) == "in"
    assert read(Roots([str(alias)]), str(root / "file")) == "in"


def test_a_loop_of_links_ends(root: Path) -> None:
    with pytest.raises(ToolCallError, match="too many symbolic links"):
        read(Roots([str(root)]), "loop")


def test_what_is_no_file_is_said_and_a_pipe_is_not_waited_for(root: Path) -> None:
    make_fifo(root / "pipe")
    roots = Roots([str(root)])
    with pytest.raises(ToolCallError, match="not a regular file"):
        read(roots, "pipe")
    with pytest.raises(ToolCallError, match="is a folder"):
        read(roots, "sub")
    with pytest.raises(ToolCallError, match="does not exist"):
        read(roots, "none")
    with pytest.raises(ToolCallError, match="NUL"):
        read(roots, "a\0b")
    with pytest.raises(ToolCallError, match="is not a folder"):
        read(roots, "file/x")
    with roots.resolve("file") as place, pytest.raises(ToolCallError, match="is not a folder"):
        open_folder(place)


def test_no_descriptor_is_left_open(root: Path) -> None:
    roots = Roots([str(root)])
    before = os.listdir("/dev/fd")
    for path in ["sub/root/sub/file", "out/file", "loop", "none/x", "sub/absolute"]:
        try:
            read(roots, path)
        except ToolCallError:
            continue
    assert len(os.listdir("/dev/fd")) == len(before)


class Swapping:
    """A thread that makes `name` a folder and a link to the outside in turn, as fast as it can."""

    def __init__(self, root: Path, outside: Path) -> None:
        self.swaps = 0
        self._name, self._kept, self._link = root / "turn", root / "kept", root / "link"
        self._kept.mkdir()
        (self._kept / "file").write_text("in")
        self._link.symlink_to(outside)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._swap)

    def __enter__(self) -> Swapping:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _swap(self) -> None:
        while not self._stop.is_set():
            for path in (self._kept, self._link):
                try:
                    os.rename(path, self._name)
                except OSError:  # create_directory made one of this name meanwhile
                    with suppress(OSError):  # and a tool may have moved it away since
                        os.rename(self._name, f"{self._name}-made-{self.swaps}")
                    continue
                os.rename(self._name, path)
                self.swaps += 1


def outcomes(files: InProcess, rounds: int) -> Iterator[str]:
    for number in range(rounds):
        for tool, arguments in (
            ("read_text_file", {"path": "turn/file"}),
            ("search_files", {"path": "turn", "pattern": "*"}),
            ("list_directory", {"path": "turn"}),
            ("write_file", {"path": f"turn/new{number % 7}", "content": "mine"}),
            ("edit_file", {"path": "turn/file", "edits": [{"oldText": "in", "newText": "in"}]}),
            ("create_directory", {"path": f"turn/made{number % 7}"}),
            ("copy_file", {"source": "turn/file", "destination": f"copy{number}"}),
            ("move_file", {"source": f"copy{number}", "destination": f"turn/moved{number}"}),
        ):
            try:
                yield files(tool, **arguments).text
            except ToolCallError as error:
                yield f"refused: {error}"


def test_a_folder_that_is_swapped_for_a_link_meanwhile_never_leads_outside(root: Path) -> None:
    outside = root.parent / "outside"
    files = InProcess("filesystem", root)
    seen: dict[str, int] = {"refused": 0, "done": 0}
    with Swapping(root, outside) as swapping:
        for number, text in enumerate(outcomes(files, rounds=10_000)):
            assert SECRET not in text
            seen["refused" if text.startswith("refused") else "done"] += 1
            if number > 3_000 and swapping.swaps > 100 and min(seen.values()) > 10:
                break
    assert swapping.swaps > 100
    assert all(count > 10 for count in seen.values()), seen  # both happened: it was a race
    assert os.listdir(outside) == ["file"]
    assert (outside / "file").read_text() == SECRET
    for copied in root.glob("copy*"):
        assert copied.read_text() == "in"


def test_the_same_race_is_lost_by_whoever_checks_the_path_first(root: Path) -> None:
    """Else the test above would show nothing."""

    def check_then_read() -> str:
        try:
            if not os.path.realpath(root / "turn" / "file").startswith(f"{root}/"):
                return ""
            return (root / "turn" / "file").read_text()
        except OSError:
            return ""

    with Swapping(root, root.parent / "outside"):
        assert any(check_then_read() == SECRET for _ in range(200_000))
