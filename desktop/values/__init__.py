"""The plain types that servers and tools share: they hold what was said and do nothing with it.

They know no network, no file of the app and no Qt.
"""
