"""Options that open a container to this computer are said by name; what is ordinary is not."""

from __future__ import annotations

import pytest

from desktop.config.imports.container_dangers import container_dangers
from desktop.config.imports.dangers import dangers_of
from desktop.config.imports.warnings import finding_words
from desktop.config.models import ServerConfig


def found(*words: str, program: str = "docker") -> list[tuple[str, str]]:
    line = (program, "run", "-i", "--rm", *words, "docker.io/example/image:1")
    return [(each.kind, each.subject) for each in container_dangers(line)]


@pytest.mark.parametrize(
    "words",
    [
        ("--privileged",),
        ("--privileged=true",),
        ("-v", "/:/host"),
        ("-v/:/host",),
        ("-itv", "/:/host:ro"),
        ("--volume=/:/host",),
        ("--volume", "//:/host"),
        ("-v", "/./etc/..:/host"),
        ("-v", "/etc:/etc:ro"),
        ("-v", "/home:/h"),
        ("-v", "~:/h"),
        ("-v", "${HOME}:/h"),
        ("-v", "${HOME:-/root}:/h"),
        ("-v", r"C:\:/c"),
        ("-v", "/var/run/docker.sock:/var/run/docker.sock"),
        ("--mount", "type=bind,source=/,target=/host"),
        ("--mount=type=bind,src=/run/podman/podman.sock,dst=/s",),
        ("--pid", "host"),
        ("--pid=host",),
        ("--cap-add", "ALL"),
        ("--cap-add=SYS_ADMIN",),
        ("--cap-add", "cap_sys_admin"),
    ],
)
def test_what_gives_away_the_whole_computer_is_said(words: tuple[str, ...]) -> None:
    assert found(*words) == [("container_open", " ".join(words))]


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (("--network", "host"), "container_host"),
        (("--net=host",), "container_host"),
        (("--ipc", "host"), "container_host"),
        (("--userns=host",), "container_host"),
        (("--network", "container:db"), "container_host"),
        (("-v", "/home/me/notes:/data"), "container_files"),
        (("-v", "./notes:/data:ro"), "container_files"),
        (("-v", "${FOLDER}:/data"), "container_files"),
        (("--mount", "type=bind,src=/srv/a,dst=/data"), "container_files"),
        (("--cap-add", "NET_RAW"), "container_rights"),
        (("--device", "/dev/sda"), "container_rights"),
        (("--device=/dev/kvm",), "container_rights"),
        (("--security-opt", "seccomp=unconfined"), "container_rights"),
        (("--volumes-from", "other"), "container_rights"),
    ],
)
def test_what_widens_it_is_said(words: tuple[str, ...], kind: str) -> None:
    assert found(*words) == [(kind, " ".join(words))]


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--network", "none"),
        ("--network=bridge",),
        ("-v", "notes:/data"),
        ("--mount", "type=volume,source=notes,target=/data"),
        ("--mount", "type=tmpfs,target=/tmp"),
        ("-e", "KEY"),
        ("-e", "--privileged-user=x"),
        ("--cap-drop", "ALL"),
        ("--privileged=false",),
        ("--security-opt", "no-new-privileges"),
        ("-p", "8080:8080"),
        ("-v",),
    ],
)
def test_what_is_ordinary_is_not_said(words: tuple[str, ...]) -> None:
    assert found(*words) == []


@pytest.mark.parametrize("program", ["/usr/bin/docker", "podman", r"C:\bin\docker.exe", "nerdctl"])
def test_the_program_is_known_by_its_name(program: str) -> None:
    assert found("--privileged", program=program) == [("container_open", "--privileged")]


def test_another_program_has_options_of_its_own() -> None:
    assert list(container_dangers(("npx", "x", "--privileged", "--network", "host"))) == []


def test_a_program_before_it_does_not_hide_it() -> None:
    words = ("env", "A=b", "docker", "run", "--privileged", "image")
    assert [each.place for each in container_dangers(words)] == ["args[3]"]


def test_it_is_among_the_dangers_of_a_server_the_first_and_in_words() -> None:
    args = ("run", "-e", "PATH=x", "-v", "/:/host", "image")
    config = ServerConfig.checked(name="a", transport="stdio", command="docker", args=args)
    first, *others = dangers_of(config)
    assert (first.is_severe, first.is_danger, first.is_warning) == (True, True, True)
    assert "args[3]: -v /:/host lets the container take over" in finding_words(first)
    assert not any(each.is_severe for each in others)


def test_a_word_of_many_variables_is_judged_at_once() -> None:
    assert found("-v", "${A}" * 5_000) == []
    assert found("-v", "${A}" * 5_000 + ":/x")[0][0] == "container_files"
