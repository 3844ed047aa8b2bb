from __future__ import annotations

import copy
import gc
import json
import weakref

import pytest

from desktop.base.errors import DesktopError
from desktop.base.translatable import (
    TranslatableText,
    join_and,
    join_texts,
    map_values,
    split_joined,
    translatable,
)


def test_a_sentence_is_the_text_it_says_and_remembers_how_it_was_made() -> None:
    said = translatable("{server} exited with code {code}", server="time", code=3)

    assert said == "time exited with code 3"
    assert (said.pattern, said.values) == (
        "{server} exited with code {code}",
        {"server": "time", "code": 3},
    )
    assert json.dumps({"error": said}) == '{"error": "time exited with code 3"}'


def test_a_copy_remembers_it_too() -> None:
    said = copy.deepcopy(translatable("{server} is gone", server="time"))

    assert (str(said), said.pattern) == ("time is gone", "{server} is gone")


def test_what_others_wrote_is_never_read_as_a_pattern() -> None:
    said = translatable("It wrote: {words}", words="{words!r} {0} {")

    assert said == "It wrote: {words!r} {0} {"


def test_an_error_says_message_and_remedy_as_one_sentence() -> None:
    error = DesktopError(translatable("It is gone"), remedy=translatable("Start it."))

    assert str(error) == "It is gone\nStart it."
    assert split_joined(str(error)) == ("It is gone", "Start it.")
    assert all(isinstance(part, TranslatableText) for part in split_joined(str(error)))
    assert isinstance(str(ValueError(translatable("must not be empty"))), TranslatableText)


def test_plain_texts_stay_plain() -> None:
    assert join_texts("\n", "one", "", "two") == "one\ntwo"
    assert not isinstance(join_texts("\n", "one", "two"), TranslatableText)
    assert split_joined("one; two") == ("one; two",)


@pytest.mark.parametrize(
    ("texts", "said"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a and b and c")]
)
def test_several_things_are_named_one_after_the_other(texts: list[str], said: str) -> None:
    assert join_and(texts) == said


def test_an_error_that_stands_in_a_sentence_is_not_kept_alive_by_it() -> None:
    class OddError(Exception):
        """One that can be watched."""

    error = OddError("odd")
    watched = weakref.ref(error)
    said = translatable("It failed: {error}", error=error)
    del error
    gc.collect()

    assert watched() is None
    assert said == "It failed: odd"


def test_what_others_wrote_can_be_changed_inside_of_a_sentence() -> None:
    inner = translatable("{label} failed: {said}", label="X", said="key abc is wrong")
    said = map_values(join_texts("\n", inner, "abc"), lambda text: text.replace("abc", "[key]"))

    assert said == "X failed: key [key] is wrong\n[key]"
    assert all(isinstance(part, TranslatableText) for part in split_joined(said)[:1])
    assert map_values("abc", str.upper) == "ABC"
