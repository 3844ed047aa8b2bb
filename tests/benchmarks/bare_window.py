"""The barest PySide6 window that can be painted; prints when it was, in CLOCK_MONOTONIC seconds."""

import sys
import time

from PySide6.QtWidgets import QApplication, QLabel, QMainWindow

app = QApplication(sys.argv)
window = QMainWindow()
window.setCentralWidget(QLabel("bare"))
window.resize(1120, 720)
window.show()
app.processEvents()
print(time.monotonic(), flush=True)
