"""What is edited or tried again begins a branch; the others stay and can be gone back to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.features.chat.agent.message_tree import ROOT, MessageTree, Versions
from desktop.features.models.messages import (
    AssistantMessage,
    Message,
    ToolMessage,
    ToolRequest,
    UserMessage,
)

CALL = AssistantMessage("", (ToolRequest("1", "a__b"),), stop="tools")


def said(tree: MessageTree) -> list[str]:
    return [getattr(node.message, "text", "…") for node in tree.path()]


def test_messages_follow_each_other() -> None:
    tree = MessageTree([UserMessage("a"), AssistantMessage("b")])
    tree.add(UserMessage("c"))
    assert said(tree) == ["a", "b", "c"]
    assert [(node.number, node.parent) for node in tree.path()] == [(0, ROOT), (1, 0), (2, 1)]


def test_an_edited_question_and_an_answer_tried_again_are_versions_of_one_place() -> None:
    tree = MessageTree([UserMessage("first"), AssistantMessage("one")])
    tree.go_to(0)
    tree.add(AssistantMessage("two"))
    assert tree.versions(0) == Versions((1, 2), 1)
    tree.go_to(ROOT)
    edited = tree.add(UserMessage("second"))
    assert said(tree) == ["second"]
    assert tree.versions(0) == tree.versions(edited.number) == Versions((1, 2, 3), 2)
    tree.add(AssistantMessage("three"))
    assert tree.versions(edited.number) == Versions((1, 2, 4), 2)
    tree.go_to(tree.end(1))
    assert said(tree) == ["first", "one"]
    assert tree.versions(0) == Versions((1, 2, 4), 0)


def test_going_back_to_a_branch_leads_to_its_newest_end() -> None:
    tree = MessageTree([UserMessage("a"), AssistantMessage("b"), UserMessage("c")])
    tree.go_to(1)
    tree.add(UserMessage("d"))
    tree.add(AssistantMessage("e"))
    assert tree.end(0) == tree.head
    tree.go_to(2)
    assert tree.versions(2) == Versions((2, 4), 0)


def test_a_question_whose_new_answer_has_not_come_is_a_version_of_its_own() -> None:
    tree = MessageTree([UserMessage("a"), AssistantMessage("b")])
    tree.go_to(0)
    assert tree.versions(0) == Versions((1, 0), 1)


@pytest.mark.parametrize(
    ("messages", "place"),
    [
        ([UserMessage("a")], 0),
        ([UserMessage("a"), AssistantMessage("half an")], 0),
        ([UserMessage("a"), CALL, ToolMessage(())], 2),
        ([UserMessage("a"), CALL, ToolMessage(()), AssistantMessage("half")], 2),
        ([], ROOT),
    ],
)
def test_a_broken_answer_is_begun_anew_after_what_was_done(
    messages: list[Message], place: int
) -> None:
    assert MessageTree(messages).resume_point() == place


@given(st.lists(st.tuples(st.integers(-3, 8), st.integers(-3, 8)), max_size=12))
def test_whatever_a_file_says_of_places_it_is_a_tree(places: list[tuple[int, int]]) -> None:
    tree = MessageTree()
    for number, parent in places:
        tree.put(number, parent, UserMessage("x"))
    assert len(tree) == len(places)
    path = tree.path()
    assert len({node.number for node in path}) == len(path)
    for node in path:
        assert node.number in tree.versions(node.number).starts or tree.end(node.number)


def test_a_place_that_is_not_there_is_refused() -> None:
    tree = MessageTree([UserMessage("a")])
    with pytest.raises(LookupError):
        tree.go_to(7)
    assert tree.head == 0
