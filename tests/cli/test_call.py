from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from desktop.base.errors import UsageError
from desktop.cli.call import save_media
from desktop.values.tool_types import Content, ToolResult
from tests.cli.terminal import entry

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.terminal import Done, Terminal

TOKEN = "s3cr3t-t0ken"


@pytest.fixture
def plain_trace(terminal: Terminal) -> Terminal:
    terminal.configure(plain=entry("plain", env={"API_TOKEN": TOKEN}))
    return terminal


def methods(text: str) -> list[tuple[str, str]]:
    lines: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    return [(line["direction"], line["method"]) for line in lines]


def test_the_messages_are_written_to_a_file(plain_trace: Terminal, tmp_path: Path) -> None:
    file = tmp_path / "new" / "messages.jsonl"
    done = plain_trace.run("call", "plain:env", "names=API_TOKEN", "--trace", str(file))
    assert (done.code, done.err) == (0, "")
    assert TOKEN in done.out
    text = file.read_text(encoding="utf-8")
    assert methods(text)[-2:] == [("sent", "tools/call"), ("received", "tools/call")]
    assert TOKEN not in text
    assert "‹redacted›" in text


def test_they_go_to_stderr_and_leave_stdout_to_the_result(plain_trace: Terminal) -> None:
    done = plain_trace.run("call", "plain:echo", "message=\x9b31mü", "--trace", "-", "--json")
    assert done.document["data"]["output"] == "\x9b31mü"
    assert ("sent", "tools/call") in methods(done.err)
    assert done.err.isascii()


def test_a_server_that_cannot_be_reached_is_traced_too(terminal: Terminal) -> None:
    terminal.configure(dead=entry("sloppy", "--fault", "protocol-future"))
    done = terminal.run("call", "dead:t", "--trace", "-")
    assert done.code == 3
    assert '"server": "dead"' in done.err


def test_a_file_that_cannot_be_written_costs_the_trace_alone(
    plain_trace: Terminal, tmp_path: Path
) -> None:
    done = plain_trace.run("call", "plain:add", "a=1", "b=2", "--trace", str(tmp_path))
    assert (done.code, done.out) == (0, "3\n")
    assert f"{tmp_path} cannot be written" in done.err


def result(*content: Content) -> ToolResult:
    return ToolResult(success=True, content=content)


def test_each_block_with_bytes_becomes_a_file_of_its_type(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    files = save_media(
        result(
            Content("text", text="no file"),
            Content("image", data=b"png", mime="image/png"),
            Content("image", data=b"png2", mime="image/png; q=1"),
            Content("resource", data=b"blob", mime="x/unknown", uri="file:///../../etc/passwd"),
        ),
        folder,
    )
    assert [file.name for file in files] == ["image-1.png", "image-2.png", "resource-1.bin"]
    assert [file.read_bytes() for file in files] == [b"png", b"png2", b"blob"]
    assert {file.parent for file in files} == {folder}


def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "image-1.png").write_bytes(b"mine")
    save_media(result(Content("image", data=b"new", mime="image/png")), tmp_path)
    assert (tmp_path / "image-1.png").read_bytes() == b"mine"
    assert (tmp_path / "image-2.png").read_bytes() == b"new"


def test_no_folder_is_made_for_a_result_without_media(tmp_path: Path) -> None:
    assert save_media(result(Content("text", text="x")), tmp_path / "new") == []
    assert not (tmp_path / "new").exists()


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="cannot be written to"):
        save_media(result(Content("audio", data=b"x", mime="audio/wav")), tmp_path / "file")


@pytest.fixture
def plain(terminal: Terminal) -> Terminal:
    terminal.configure(plain=entry("plain"))
    return terminal


def call(terminal: Terminal, *args: str, stdin: str = "") -> Done:
    return terminal.run("call", *args, stdin=stdin)


def error(done: Done) -> dict[str, Any]:
    assert done.document["success"] is False
    return done.document["error"]


def test_the_text_of_the_result_goes_to_stdout(plain: Terminal) -> None:
    done = call(plain, "plain:add", "a=1", "b=2.5")
    assert (done.code, done.out, done.err) == (0, "3.5\n", "")


def test_the_document_is_the_whole_result(plain: Terminal) -> None:
    document = call(plain, "plain:structured", "--json").document
    assert (document["tool"], document["success"], document["error"]) == (
        "plain:structured",
        True,
        None,
    )
    assert document["data"]["structuredContent"]["city"] == "Paris"
    assert document["execution_time"] > 0
    assert document["timestamp"].startswith("20")


def test_the_document_has_what_the_server_put_beside_the_result(terminal: Terminal) -> None:
    terminal.configure(leaky=entry("leaky", "word"))
    document = call(terminal, "leaky:tell", "--json").document
    assert document["data"]["_meta"] == {"note": "word\n"}


def test_a_bare_name_is_enough_where_one_enabled_server_has_it(terminal: Terminal) -> None:
    terminal.configure(one=entry("plain"), two=entry("garbage"), off=entry("plain", enabled=False))
    assert call(terminal, "add", "a=1", "b=1").out == "2\n"
    both = call(terminal, "echo", "message=x", "--json")
    assert both.code == 2
    assert "one:echo, two:echo" in error(both)["message"]


def test_a_bare_name_is_called_although_another_server_could_not_be_asked(
    terminal: Terminal,
) -> None:
    terminal.configure(one=entry("plain"), dead=entry("exits_at_start"))
    done = call(terminal, "add", "a=1", "b=1")
    assert (done.code, done.out) == (0, "2\n")
    assert "dead could not be asked for the tool" in done.err


def test_only_the_named_server_is_started_and_also_when_it_is_off(terminal: Terminal) -> None:
    terminal.configure(
        off=entry("plain", enabled=False), other=entry("exits_at_start"), third=entry("plain")
    )
    assert call(terminal, "off:echo", "message=on").out == "on\n"
    assert terminal.server_log("other") == ""


def test_a_builtin_server_can_be_called_without_any_config(terminal: Terminal) -> None:
    assert call(terminal, "calculator:evaluate", "expression=2*(3+4)").out.startswith("14")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["plain:add", "a=1"], "'b' is required"),
        (["plain:add", "a=1", "b=two"], "b: must be a number"),
        (["plain:add", "a=1", "b=2", "b=3"], "'b' is given 2 times"),
        (["plain:missing"], "There is no tool 'plain:missing'"),
        (["plain:ech"], "plain:echo"),
        (["missing"], "There is no tool 'missing'"),
    ],
)
def test_what_does_not_fit_the_tool_is_2_with_path_and_reason_and_nothing_is_sent(
    args: list[str], said: str, plain: Terminal
) -> None:
    done = call(plain, *args, "--json")
    assert done.code == 2
    assert error(done)["code"] in {"invalid_arguments", "tool_not_found"}
    assert said in error(done)["message"]
    text = call(plain, *args)
    assert (text.code, text.out) == (2, "")
    assert said in text.err


def test_a_refused_call_never_reaches_the_tool(plain: Terminal) -> None:
    target = plain.folder / "written"
    done = call(plain, "plain:write_file", f"path:={json.dumps([str(target)])}")
    assert done.code == 2
    assert not target.exists()
    assert call(plain, "plain:write_file", f"path={target}").code == 0
    assert target.exists()


def test_arguments_are_sent_unchecked_on_purpose_and_the_result_says_so(plain: Terminal) -> None:
    done = call(plain, "plain:fail", 'message:=["no", "text"]', "--no-validate")
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines() == [
        "not validated: the arguments were sent as they are (--no-validate)",
        "['no', 'text']",
    ]
    document = call(plain, "plain:echo", "message=x", "--no-validate", "--json").document
    assert (document["success"], document["unchecked"]) == (True, True)
    assert "unchecked" not in call(plain, "plain:echo", "message=x", "--json").document


def test_what_is_said_of_unchecked_calls_in_the_help(plain: Terminal) -> None:
    help_text = " ".join(call(plain, "--help").out.split())
    assert "--no-validate" in help_text
    assert "Invalid arguments are not sent, unless --no-validate is given" in help_text


def test_a_tool_that_its_server_does_not_list_is_called_on_purpose(terminal: Terminal) -> None:
    terminal.configure(sloppy=entry("sloppy", "--fault", "tools-null"), plain=entry("plain"))
    refused = call(terminal, "plain:missing", "message=hi")
    assert (refused.code, refused.out) == (2, "")
    assert "There is no tool 'plain:missing'" in refused.err
    assert "--no-validate" in refused.err
    done = call(terminal, "sloppy:good", "message=hi", "--no-validate")
    assert (done.code, done.out) == (0, "hi\n")
    assert "sloppy does not list this tool" in done.err


def test_a_server_has_the_last_word_on_a_tool_that_it_does_not_list(plain: Terminal) -> None:
    done = call(plain, "plain:missing", "n=1", "--no-validate", "--json")
    assert done.code == 1
    assert "missing" in error(done)["message"]
    nobody = call(plain, "missing", "--no-validate")
    assert (nobody.code, nobody.out) == (2, "")


@pytest.mark.parametrize(
    "args", [["message:=1e999"], ["message=1", "--args", '{"n": [1, -1e400]}'], ["a:=NaN"]]
)
def test_what_is_no_number_of_json_is_not_sent_even_unchecked(
    args: list[str], plain: Terminal
) -> None:
    for more in ([], ["--no-validate"]):
        done = call(plain, "plain:echo", *args, *more, "--json")
        assert done.code == 2
        assert error(done)["code"] in {"invalid_arguments", "usage"}
        assert not (plain.folder / "data").exists()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nobody:echo"], "No server is named 'nobody'"),
        (["plain:"], "is not the name of a tool"),
        (["plain:echo", "message"], "is not an argument"),
        (["plain:echo", "--args", "[]"], "must be a JSON object"),
        (["plain:echo", "--args", "@/nowhere/x.json"], "cannot be read"),
        (["plain:echo", "--timeout", "0"], "more than 0"),
        (["plain:echo", "--timeout", "nan"], "more than 0"),
        (["plain:echo", "--timeout", "soon"], "--timeout"),
    ],
)
def test_wrong_usage_starts_no_server(args: list[str], said: str, plain: Terminal) -> None:
    done = call(plain, *args, "--json")
    assert done.code == 2
    assert said in error(done)["message"]
    assert not (plain.folder / "data").exists()


def test_a_server_with_a_wrong_config_is_2(terminal: Terminal) -> None:
    terminal.configure(wrong={"command": 5, "args": "x"}, plain=entry("plain"))
    done = call(terminal, "wrong:echo", "--json")
    assert done.code == 2
    assert error(done)["code"] == "invalid_config"
    assert call(terminal, "plain:echo", "message=hi").code == 0


def test_an_error_of_the_tool_is_1_and_goes_to_stderr(plain: Terminal) -> None:
    done = call(plain, "plain:fail", "message=no luck")
    assert (done.code, done.out, done.err) == (1, "", "no luck\n")
    assert error(call(plain, "plain:fail", "--json"))["code"] == "tool_error"


@pytest.mark.parametrize(
    ("server", "said"),
    [
        (entry("exits_at_start"), "API_KEY is not set"),
        ({"command": "no-such-program"}, "Searched PATH"),
        ({"url": "http://127.0.0.1:9/mcp"}, "nothing answers"),
        ({"command": "python3", "env": {"X": "${NOT_SET_ANYWHERE}"}}, "NOT_SET_ANYWHERE"),
        (entry("silent", connectTimeout=1), "did not answer within 1 s"),
    ],
)
def test_a_server_that_cannot_be_reached_is_3_with_the_reason(
    server: dict[str, object], said: str, terminal: Terminal
) -> None:
    terminal.configure(dead=server)
    done = call(terminal, "dead:echo", "--json")
    assert done.code == 3
    assert error(done)["code"] == "server_unreachable"
    assert said in error(done)["message"]


def test_a_server_that_dies_in_the_call_is_3(plain: Terminal) -> None:
    done = call(plain, "plain:crash", "--json")
    assert done.code == 3
    assert "plain" in error(done)["message"]


def test_a_slow_tool_is_4_after_its_limit_and_is_cancelled(plain: Terminal) -> None:
    done = call(plain, "plain:slow", "seconds=40", "steps=1", "--timeout", "0.3", "--json")
    assert done.code == 4
    assert error(done)["code"] == "timeout"
    assert "cancelled" in plain.server_log("plain")


def test_progress_renews_the_limit(plain: Terminal) -> None:
    done = call(plain, "plain:slow", "seconds=1.5", "steps=15", "--timeout", "1")
    assert (done.code, done.out, done.err) == (0, "done after 15 steps\n", "")


def test_all_arguments_come_from_the_standard_input_or_a_file(plain: Terminal) -> None:
    assert call(plain, "plain:add", "--args", "-", stdin='{"a": 1, "b": 2}').out == "3\n"
    file = plain.folder / "args.json"
    file.write_text('{"a": 1, "b": 2}', encoding="utf-8")
    assert call(plain, "plain:add", "--args", f"@{file}", "b=5").out == "6\n"


def test_media_are_noted_and_saved_where_asked(plain: Terminal) -> None:
    assert call(plain, "plain:image").out == "[Image: image/png]\n"
    folder = plain.folder / "pictures"
    done = call(plain, "plain:image", "--output", str(folder), "--json")
    assert done.document["saved"] == [str(folder / "image-1.png")]
    assert (folder / "image-1.png").read_bytes().startswith(b"\x89PNG")


def test_a_result_is_printed_although_it_cannot_be_saved(plain: Terminal) -> None:
    done = call(plain, "plain:image", "--output", str(plain.config))
    assert (done.code, done.out) == (0, "[Image: image/png]\n")
    assert "cannot be written to" in done.err


def test_control_characters_of_a_result_do_not_reach_the_terminal(plain: Terminal) -> None:
    message = '{"message": "a\\u001b[2Jb\\u0007\\r\\tc\\nd"}'
    assert call(plain, "plain:echo", "--args", message).out == "a[2Jb\tc\nd\n"
    document = call(plain, "plain:echo", "--args", message, "--json")
    assert document.document["data"]["output"] == "a\x1b[2Jb\x07\r\tc\nd"
    assert "\x1b" not in document.out


@pytest.mark.parametrize(
    "encoding",
    [
        "ascii",
        "gbk",
        *(pytest.param(each, marks=pytest.mark.exhaustive) for each in ("cp1252", "cp850")),
    ],
)
def test_what_comes_from_a_pipe_and_goes_into_one_is_utf_8_whatever_the_code_page(
    encoding: str, plain: Terminal
) -> None:
    plain.environment["PYTHONIOENCODING"] = encoding
    done = call(plain, "plain:echo", "message=é 服务 😀", "--json")
    assert done.document["data"]["output"] == "é 服务 😀"
    text = '{"message": "é 服务 😀"}'
    assert call(plain, "plain:echo", "--args", "-", stdin=text).out == "é 服务 😀\n"


def test_progress_is_shown_on_a_terminal_and_gone_from_the_result(plain: Terminal) -> None:
    code, shown = plain.watch("call", "plain:slow", "seconds=0.5", "steps=5")
    assert code == 0
    assert "step 3 of 5" in shown
    assert shown.endswith("\r\x1b[Kdone after 5 steps\r\n")


def test_a_tool_that_is_switched_off_is_not_called(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain", disabledTools=["echo"]))
    done = call(terminal, "plain:echo", "message=x")
    assert done.code == 2
    assert "switched off" in done.err
    assert "--no-validate" not in done.err
    assert call(terminal, "plain:echo", "message=x", "--no-validate").code == 2


def test_a_warning_about_the_arguments_does_not_stop_the_call(plain: Terminal) -> None:
    done = call(plain, "plain:echo", "message=hi", "mesage=typo")
    assert (done.code, done.out) == (0, "hi\n")
    assert "mesage" in done.err


def test_the_moments_of_a_call_are_traced(plain: Terminal) -> None:
    trace = plain.folder / "trace"
    plain.environment["MCP_DESKTOP_TRACE"] = str(trace)
    call(plain, "plain:echo", "message=hi")
    events = [json.loads(line)["event"] for line in trace.read_text("utf-8").splitlines()]
    assert events == ["start", "ready", "tool_result", "quit"]


def test_output_that_breaks_its_schema_is_printed_with_a_warning(plain: Terminal) -> None:
    done = call(plain, "plain:broken_structured")
    assert (done.code, json.loads(done.out)["degrees"]) == (0, "warm")
    assert done.err == (
        "warning: the output does not match its schema: degrees: must be a number, is text\n"
    )


def test_the_document_says_what_was_found_where_the_output_was_checked(plain: Terminal) -> None:
    broken = call(plain, "plain:broken_structured", "--json").document
    assert broken["success"] is True
    assert broken["data"]["structuredContent"]["degrees"] == "warm"
    assert broken["output_issues"] == [
        {
            "path": ["degrees"],
            "layer": "type",
            "severity": "error",
            "code": "type",
            "message": "must be a number, is text",
        }
    ]
    assert call(plain, "plain:structured", "--json").document["output_issues"] == []
    assert "output_issues" not in call(plain, "plain:add", "a=1", "b=2", "--json").document


def test_a_rule_of_the_config_stops_a_call_that_breaks_it(terminal: Terminal) -> None:
    terminal.configure(plain=entry("plain", toolRules={"add": ["b >= a", "a likes b"]}))
    done = call(terminal, "plain:add", "a=2", "b=1")
    assert done.code == 2
    assert "b: must not be less than a (your rule b >= a)" in done.err
    done = call(terminal, "plain:add", "a=1", "b=2")
    assert (done.code, done.out) == (0, "3\n")
    assert "The rule 'a likes b' could not be applied" in done.err


def test_a_tool_that_a_broken_list_does_not_name_is_called_all_the_same(
    terminal: Terminal,
) -> None:
    terminal.configure(odd=entry("sloppy", "--fault", "tools-null"))
    done = call(terminal, "odd:t", "a=x")
    assert (done.code, done.out) == (0, "ok\n")
    assert "odd does not list t, but its list is incomplete" in done.err
    refused = call(terminal, "odd:nothing")
    assert refused.code == 1
    assert "nothing" in refused.err


def test_a_tool_that_is_switched_off_is_not_called_past_a_broken_list(terminal: Terminal) -> None:
    terminal.configure(odd=entry("sloppy", "--fault", "name-missing", disabledTools=["t"]))
    assert call(terminal, "odd:t").code == 2
