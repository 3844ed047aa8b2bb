from __future__ import annotations

import pytest

from resources.packaging import project

TEXT = project.FILE.read_text(encoding="utf-8")
ADDRESS = "https://example.org/team/app"


@pytest.mark.parametrize(
    ("remote", "address"),
    [
        ("https://example.org/team/app.git", ADDRESS),
        ("https://example.org/team/app/", ADDRESS),
        ("git@example.org:team/app.git\n", ADDRESS),
        ("ssh://git@example.org/team/app", ADDRESS),
        ("/srv/git/app", ""),
        ("https://token@example.org/team/app", ""),
        ("", ""),
    ],
)
def test_a_browser_finds_what_git_calls_the_remote(remote: str, address: str) -> None:
    assert project.web_address(remote) == address


def test_an_address_is_written_into_pyproject_and_read_again() -> None:
    changed = project.with_repository(TEXT, ADDRESS)
    assert project.repository(changed) == ADDRESS
    assert project.repository(project.with_repository(changed, "")) == ""
    assert len(changed.splitlines()) == len(TEXT.splitlines())


def test_without_an_address_nothing_is_invented() -> None:
    readme = "[ci](docs/ci.md)"
    assert project.urls("") == {}
    assert project.with_absolute_links(readme, "") == readme


def test_the_links_of_a_readme_lead_to_the_project() -> None:
    readme = (
        "![A form](resources/a.png) [CI](docs/ci.md#exit) [here](#here) "
        "[MCP](https://modelcontextprotocol.io)"
    )
    assert project.with_absolute_links(readme, ADDRESS) == (
        f"![A form]({ADDRESS}/raw/main/resources/a.png) [CI]({ADDRESS}/blob/main/docs/ci.md#exit) "
        "[here](#here) [MCP](https://modelcontextprotocol.io)"
    )


def test_the_links_of_the_package_lead_to_the_project() -> None:
    assert project.urls(ADDRESS)["Issues"] == f"{ADDRESS}/issues"
    assert project.urls(ADDRESS)["Homepage"] == ADDRESS
