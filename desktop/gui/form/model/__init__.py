"""The values of a form: what each field of a schema is, and the JSON that it holds.

Free of Qt, which an import contract checks. Judges no value: `desktop.tools.validation` does.
"""
