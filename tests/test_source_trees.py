from __future__ import annotations

import ast
import gc

from tests.source_trees import trees


def test_no_collection_of_a_later_test_walks_through_the_trees() -> None:
    assert len(trees()) > 700
    assert sum(isinstance(each, ast.AST) for each in gc.get_objects()) < 1_000
