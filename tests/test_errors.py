from desktop.errors import ConfigError, DesktopError, ServerError, ServerTimeoutError


def test_an_error_reads_as_what_happened_and_then_what_to_do() -> None:
    error = DesktopError("The port is taken.", remedy="Choose another one.")
    assert str(error) == "The port is taken.\nChoose another one."


def test_an_error_without_a_remedy_is_one_sentence() -> None:
    assert str(DesktopError("The port is taken.")) == "The port is taken."


def test_a_config_error_knows_the_place_in_the_file() -> None:
    error = ConfigError("A comma is missing.", line=3, column=7, remedy="Add it.")
    assert (error.line, error.column, error.remedy) == (3, 7, "Add it.")


def test_a_time_limit_is_caught_as_a_failure_of_its_server() -> None:
    error = ServerTimeoutError("weather", "No answer within 30 s.")
    assert isinstance(error, ServerError)
    assert error.server == "weather"
