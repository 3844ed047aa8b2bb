from desktop.base.errors import DesktopError, ServerError, ServerTimeoutError


def test_an_error_reads_as_what_happened_and_then_what_to_do() -> None:
    error = DesktopError("The port is taken.", remedy="Choose another one.")
    assert str(error) == "The port is taken.\nChoose another one."


def test_an_error_without_a_remedy_is_one_sentence() -> None:
    assert str(DesktopError("The port is taken.")) == "The port is taken."


def test_a_time_limit_is_caught_as_a_failure_of_its_server() -> None:
    error = ServerTimeoutError("weather", "No answer within 30 s.")
    assert isinstance(error, ServerError)
    assert error.server == "weather"
