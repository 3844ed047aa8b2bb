"""A template becomes the URI that its server understands, of the scheme that stands in it."""

from __future__ import annotations

import pytest

from desktop.base.errors import UsageError
from desktop.base.uri_template import (
    MAX_TEMPLATE_LENGTH,
    MAX_URI_LENGTH,
    TemplateVariable,
    expand_template,
    template_variables,
)


@pytest.mark.parametrize(
    ("template", "values", "uri"),
    [
        ("test://a/{id}", {"id": "1"}, "test://a/1"),
        ("test://a/{id}", {"id": "a b/../c"}, "test://a/a%20b%2F..%2Fc"),
        ("file:///{+path}", {"path": "etc/x y"}, "file:///etc/x%20y"),
        ("test://{name:3}", {"name": "abcdef"}, "test://abc"),
        ("test://{a}{b}", {"a": "1", "b": "2"}, "test://12"),
        ("test://s{?q,lang}", {"q": "x&y"}, "test://s?q=x%26y"),
        ("test://s{?q*}", {"q": ["1", "2"]}, "test://s?q=1&q=2"),
        ("test://s{/p*}", {"p": ["a", "b"]}, "test://s/a/b"),
        ("test://fixed", {}, "test://fixed"),
        ("test://a/{id}", {"id": ""}, "test://a/"),
    ],
)
def test_values_are_encoded_as_their_place_asks_for(
    template: str, values: dict[str, str | list[str]], uri: str
) -> None:
    assert expand_template(template, values) == uri


def test_the_variables_are_named_once_and_a_query_can_be_left_out() -> None:
    assert template_variables("test://{a}/{b:2}{?c,a*}{#d}") == (
        TemplateVariable("a", required=True),
        TemplateVariable("b", required=True),
        TemplateVariable("c", required=False),
        TemplateVariable("d", required=False),
    )


@pytest.mark.parametrize(
    ("template", "values", "words"),
    [
        ("test://{id}", {}, "needs a value for id"),
        ("test://{id}", {"id": "1", "idd": "2"}, "has no variable 'idd'.\nIt has: id."),
        (
            "{+uri}",
            {"uri": "file:///etc/passwd"},
            "lets a value choose the scheme of the URI; nothing was sent",
        ),
        (
            "test{+rest}",
            {"rest": "x:y"},
            "lets a value choose the scheme of the URI; nothing was sent",
        ),
        ("test://{", {}, "is not a URI template"),
        ("test://{a:x}", {"a": "1"}, "is not a URI template"),
        ("test://{}", {}, "is not a URI template"),
        ("test://" + "x" * MAX_TEMPLATE_LENGTH, {}, "is not a URI template"),
        ("test://{id}", {"id": "x" * MAX_URI_LENGTH}, "the limit is "),
    ],
)
def test_what_cannot_be_sent_is_said(template: str, values: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        expand_template(template, values)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 500
