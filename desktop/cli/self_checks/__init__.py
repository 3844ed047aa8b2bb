"""What `self-test` looks at, one file a subject; a check is a coroutine that answers in words."""
