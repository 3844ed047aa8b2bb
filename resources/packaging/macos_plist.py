"""What the app for macOS says of itself: the part of its `Info.plist` that PyInstaller cannot know.

Files and links that it can open arrive as `QFileOpenEvent` (`desktop.gui.open_requests`). Must not ask
the system anything: it can be made anywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

IDENTIFIER = "io.github.mcp-desktop"
NAME = "mcp-desktop"
SCHEME = "mcp-desktop"
_BUNDLE_TYPE = f"{IDENTIFIER}.bundle"


def info_plist(version: str, minimum_system: str, copyright_line: str) -> dict[str, Any]:
    """The entries; `minimum_system` is the oldest macOS that Qt runs on."""
    return {
        "CFBundleDisplayName": NAME,
        "CFBundleVersion": version,
        "CFBundleDevelopmentRegion": "en",
        "CFBundleLocalizations": ["en", "zh_CN"],
        "CFBundleDocumentTypes": [
            _documents("Server configuration", ["public.json"]),
            _documents("MCP bundle", [_BUNDLE_TYPE]),
        ],
        "CFBundleURLTypes": [{"CFBundleURLName": IDENTIFIER, "CFBundleURLSchemes": [SCHEME]}],
        # Nobody else declares what an MCP bundle is.
        "UTImportedTypeDeclarations": [
            {
                "UTTypeIdentifier": _BUNDLE_TYPE,
                "UTTypeDescription": "MCP bundle",
                "UTTypeConformsTo": ["public.data", "public.archive"],
                "UTTypeTagSpecification": {"public.filename-extension": ["mcpb", "dxt"]},
            }
        ],
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        "LSMinimumSystemVersion": minimum_system,
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": copyright_line,
    }


def minimum_system(packed: Iterable[int]) -> str:
    """The oldest macOS that takes all these libraries, each as its header has it, `0x000E0400`."""
    newest = max(packed)
    return f"{newest >> 16}.{newest >> 8 & 0xFF}"


def _documents(name: str, types: list[str]) -> dict[str, Any]:
    """Opened and never changed, and only where the person says so: other apps come first."""
    return {
        "CFBundleTypeName": name,
        "CFBundleTypeRole": "Viewer",
        "LSHandlerRank": "Alternate",
        "LSItemContentTypes": types,
    }
