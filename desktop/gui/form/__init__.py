"""The tool form: any JSON Schema becomes fields, and the fields become the same JSON again.

`model` holds the values; the modules here draw them. Whoever needs a form imports
`desktop.gui.form.schema_form.SchemaForm`.
"""
