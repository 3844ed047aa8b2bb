"""The commands; that they work in a tree is shown by `make bundle-test`."""

from __future__ import annotations

import os
import sys

import pytest

from resources.packaging import bare_tree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a tree is made on Linux alone")


def test_who_is_not_root_gets_no_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert bare_tree.why_not() == "that takes root"


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", "")
    assert bare_tree.why_not() == "debootstrap, unshare, chroot not found"


def test_the_tree_is_of_a_debian() -> None:
    assert bare_tree.codename().isalpha()


def test_no_package_of_the_tree_is_python() -> None:
    assert not [name for name in bare_tree.PACKAGES if "python" in name]


def test_a_person_is_not_root_and_has_no_variable_of_this_run() -> None:
    step = bare_tree.as_person("echo 'a b'")
    assert step.startswith("chroot --userspec=1000:1000 . /usr/bin/env -i ")
    assert "--userspec" not in bare_tree.as_root("true")
    assert bare_tree.inside(step)[:4] == ["unshare", "--mount", "--pid", "--fork"]
