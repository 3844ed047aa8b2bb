"""What can be taken out: a folder for each feature, with all of it inside.

A feature has its core side in its folder, what needs Qt in `gui/` and its commands in `cli/`. One
line in `window` registers its side for the window, one in `desktop.cli.commands` each command.
Nothing else imports it, and no feature imports another, but for those that `pyproject.toml` says
stand on one: they are taken out together. The docstring of its `__init__.py` says in its first
paragraph what it is for, and in one that begins with "Needed by" who would miss it: the table of
docs/features.md is made of them.
"""
