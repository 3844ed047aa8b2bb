from desktop.tools.call import Progress, ToolCall


def test_every_call_has_an_id_of_its_own() -> None:
    assert ToolCall("files:read").call_id != ToolCall("files:read").call_id


def test_calls_do_not_share_their_arguments() -> None:
    assert ToolCall("files:read").arguments is not ToolCall("files:read").arguments


def test_a_call_is_a_person_s_and_has_the_server_s_limit_unless_said_otherwise() -> None:
    call = ToolCall("files:read")
    assert (call.origin, call.timeout) == ("person", None)


def test_a_server_may_not_know_how_much_there_is_to_do() -> None:
    assert Progress(3).total is None
