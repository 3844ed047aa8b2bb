"""The tool form: any JSON Schema becomes fields, and the fields become the same JSON again.

`json_text`, `fields`, `schema_reader`, `nodes` and `model` know nothing of Qt; the widgets stand on
them. Whoever needs a form imports `desktop.gui.form.schema_form.SchemaForm`.
"""
