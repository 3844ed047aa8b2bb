from __future__ import annotations

import pytest

from builtin_servers.catalog import CATALOG
from desktop.gui.servers.builtin_words import description_words


@pytest.mark.parametrize("name", CATALOG)
def test_each_built_in_server_is_described_as_the_catalogue_does(name: str) -> None:
    assert description_words(name) == CATALOG[name].description


def test_a_name_that_is_none_of_ours_has_no_words() -> None:
    assert description_words("github") == ""
