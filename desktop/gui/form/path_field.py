"""A path: a line of text with a button that picks a file or a folder of this machine.

The text is the value: the server may run elsewhere, or the path may not exist yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QToolButton

from desktop.gui.form.scalar_fields import LineField
from desktop.gui.widgets.icons import set_icon

if TYPE_CHECKING:
    from desktop.gui.form.field import FormContext
    from desktop.gui.form.nodes import ScalarNode


class PathField(LineField):
    """The button inserts a path; nothing is read."""

    def __init__(self, node: ScalarNode, context: FormContext) -> None:
        super().__init__(node, context)
        self._is_folder = node.spec.path_of == "folder"
        words = self.tr("Choose a folder") if self._is_folder else self.tr("Choose a file")
        self.pick_button = QToolButton()
        self.pick_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.pick_button.setToolTip(words)
        self.pick_button.setAccessibleName(words)
        set_icon(context.theme, self.pick_button, "folder", "muted")
        self.pick_button.clicked.connect(self._pick)
        self.row.addWidget(self.pick_button)

    def _pick(self) -> None:
        picker = QFileDialog(self, self.pick_button.toolTip(), self.node.text)
        mode = QFileDialog.FileMode
        # A file that is still to be written can be named too.
        picker.setFileMode(mode.Directory if self._is_folder else mode.AnyFile)
        picker.fileSelected.connect(self.insert)
        picker.finished.connect(picker.deleteLater)
        picker.open()
