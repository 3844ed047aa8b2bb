"""The checks of `self-test`, a file per subject; a check is a coroutine that returns a sentence."""
