"""An app inside the window, where `mcp-desktop[apps]` (QtWebEngine) is installed.

The same page on the same loopback origins as in a browser, in a profile off the record that keeps
nothing, may use no device, opens no window and goes nowhere else. Imported at use: it is large.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from desktop.features.mcp_apps.gui.early import MODULE, is_installed
from desktop.gui.theme import space

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QUrl
    from PySide6.QtWidgets import QWidget

    from desktop.features.mcp_apps.views import AppView
    from desktop.gui.theme import Theme

HEIGHT: Final = space(130)

_NO_WEBRTC: Final = """
for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCIceTransport"]) {
  Object.defineProperty(globalThis, name, { value: undefined });
}
"""
"""WebRTC passes every policy of a page, and the engine (140) has no `Connection-Allowlist` yet.

What remains: a frame that an app fills by a `javascript:` address gets its globals before this.
"""


def embedding(theme: Theme) -> Callable[[AppView, QWidget], QWidget] | None:
    """Makes what shows a view inside the window; None where that is not installed."""
    if not is_installed():
        return None
    return lambda view, parent: _make(theme, view, parent)


def _make(theme: Theme, view: AppView, parent: QWidget) -> QWidget:
    # Not typed: the package is an extra, and its stubs come with it.
    core: Any = __import__("PySide6.QtWebEngineCore", fromlist=["QWebEnginePage"])
    widgets: Any = __import__(MODULE, fromlist=["QWebEngineView"])

    class Page(core.QWebEnginePage):
        """Stays where it is."""

        def acceptNavigationRequest(self, url: QUrl, _: Any, is_main_frame: bool) -> bool:
            return not is_main_frame or url.toString().startswith(view.url)

        def createWindow(self, _: Any) -> None:
            return None

        def javaScriptConsoleMessage(self, *_: Any) -> None:
            """Not to the terminal: it is a stranger's."""

    shown: Any = widgets.QWebEngineView(parent)
    profile = core.QWebEngineProfile()  # without a name: off the record
    profile.setHttpCacheType(core.QWebEngineProfile.HttpCacheType.NoCache)
    profile.setPersistentCookiesPolicy(
        core.QWebEngineProfile.PersistentCookiesPolicy.NoPersistentCookies
    )
    profile.downloadRequested.connect(_cancel)
    page = Page(profile, shown)
    profile.setParent(shown)  # after the page, so that it goes after it
    attributes = core.QWebEngineSettings.WebAttribute
    for name in (
        "LocalContentCanAccessFileUrls", "LocalContentCanAccessRemoteUrls", "PluginsEnabled",
        "JavascriptCanOpenWindows", "JavascriptCanAccessClipboard", "JavascriptCanPaste",
        "ScreenCaptureEnabled", "FullScreenSupportEnabled", "DnsPrefetchEnabled",
        "HyperlinkAuditingEnabled", "AllowRunningInsecureContent", "PdfViewerEnabled",
    ):  # fmt: skip
        page.settings().setAttribute(getattr(attributes, name), False)
    page.settings().setAttribute(attributes.WebRTCPublicInterfacesOnly, True)
    page.permissionRequested.connect(_deny)
    page.scripts().insert(_first_script(core))
    page.setBackgroundColor(theme.color("card"))
    shown.setPage(page)
    shown.setContextMenuPolicy(_no_menu())
    shown.setFixedHeight(HEIGHT)
    shown.setAccessibleName(view.shown.definition.label)
    page.load(_url(view.url))
    return shown


def _first_script(core: Any) -> Any:
    """Runs before any script of a page, also of one that an app makes itself with `srcdoc`."""
    script = core.QWebEngineScript()
    script.setName("no-webrtc")
    script.setSourceCode(_NO_WEBRTC)
    script.setInjectionPoint(core.QWebEngineScript.InjectionPoint.DocumentCreation)
    script.setWorldId(core.QWebEngineScript.ScriptWorldId.MainWorld)
    script.setRunsOnSubFrames(True)
    return script


def _cancel(download: Any) -> None:
    download.cancel()


def _deny(permission: Any) -> None:
    permission.deny()


def _no_menu() -> Any:
    from PySide6.QtCore import Qt

    return Qt.ContextMenuPolicy.NoContextMenu


def _url(text: str) -> QUrl:
    from PySide6.QtCore import QUrl

    return QUrl(text)
