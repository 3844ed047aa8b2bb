"""Pictures of every page, light and dark, of a window that runs: for the README and the eye.

Waits for nothing: whoever calls shows the window and lets its pages fill first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.gui.main_window import MainWindow
    from desktop.gui.theme import Scheme

_SCHEMES: tuple[Scheme, ...] = ("light", "dark")


def grab_pages(window: MainWindow, folder: Path) -> tuple[Path, ...]:
    """Write `PAGE-light.png` and `PAGE-dark.png` into `folder`; the window is left as it was.

    Raises:
        OSError: a picture cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    scheme, page = window.theme.scheme, window.current_page
    try:
        return tuple(
            _grab(window, page_id, shade, folder)
            for shade in _SCHEMES
            for page_id in window.page_ids
        )
    finally:
        window.theme.set_scheme(scheme)
        window.show_page(page)


def _grab(window: MainWindow, page: str, shade: Scheme, folder: Path) -> Path:
    if window.theme.scheme != shade:
        window.theme.set_scheme(shade)
    window.show_page(page)
    path = folder / f"{page}-{shade}.png"
    if not window.grab().save(str(path)):
        raise OSError(f"cannot write {path}")
    return path
