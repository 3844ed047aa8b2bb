"""Pictures of every page, from a real run: the command `screenshots`, and a demo to picture.

`app.run_screenshots` alone comes here. The demo ships: the command is documented with it.
"""
