"""A `file:` URL is read and written by the rules of each system, whatever is in the name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.base.file_url import is_file_url, path_of, url_of

LONG = "x" * 300


@pytest.mark.parametrize("platform", ["linux", "darwin"])
@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("file:///a%20b/%26%27%22", "/a b/&'\""),
        ("file:///a b/ö", "/a b/ö"),
        ("FILE:///a", "/a"),
        ("file:/a", "/a"),
        ("file://localhost/a", "/a"),
        ("file:///C:/a", "/C:/a"),
        ("file:///100%25%23%3F", "/100%#?"),
        (f"file:///{LONG}", f"/{LONG}"),
        ("file:///latin%E9", "/latin\udce9"),
    ],
)
def test_a_path_of_linux_and_macos(platform: str, url: str, path: str) -> None:
    assert is_file_url(url)
    assert path_of(url, platform) == path


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("file:///C:/a%20b", "C:/a b"),
        ("file:///c%3A/a", "c:/a"),
        ("file:/C:/a", "C:/a"),
        ("file:///C:", "C:"),
        ("file://server/share/a%20b", "//server/share/a b"),
        ("file:////server/share", "//server/share"),
        ("file://localhost/C:/a", "C:/a"),
        ("file:///Cxyz:/a", "/Cxyz:/a"),
        (f"file:///C:/{LONG}", f"C:/{LONG}"),
    ],
)
def test_a_path_of_windows(url: str, path: str) -> None:
    assert path_of(url, "win32") == path


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_another_computer_is_refused_where_its_files_have_no_path(platform: str) -> None:
    with pytest.raises(ValueError, match="must be on this computer"):
        path_of("file://server/share", platform)


@pytest.mark.parametrize("url", ["file:///a#b", "file:///a?b", "file:///a?", "file:///a#"])
def test_a_name_that_would_be_cut_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="%3F for each"):
        path_of(url, "linux")


@pytest.mark.parametrize(
    ("path", "url"),
    [
        (r"C:\a b\x&y'z", "file:///C:/a%20b/x%26y%27z"),
        (r"\\server\share\100%", "file://server/share/100%25"),
        (r"\\?\C:\long", "file:///C:/long"),
        (r"\\?\UNC\server\share\long", "file://server/share/long"),
    ],
)
def test_a_path_of_windows_becomes_a_url(path: str, url: str) -> None:
    assert url_of(path, "win32") == url
    assert path_of(url, "win32").replace("/", "\\") == path.replace("?\\UNC\\", "").replace(
        "\\\\?\\", ""
    )


@given(st.text(st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1))
def test_each_name_comes_back(name: str) -> None:
    if name not in (".", ".."):
        assert path_of(url_of(f"/a/{name}", "linux"), "linux") == f"/a/{name}"


@pytest.mark.parametrize("text", [r"C:\a", "/file:/a", "files:/a", "file", "https://file/"])
def test_what_is_no_file_url(text: str) -> None:
    assert not is_file_url(text)
