"""MCP Apps: the pages that servers bring to show their results, in a sandbox of a browser.

Needed by people who use or write servers that show their results as pages.

Implements the extension io.modelcontextprotocol/ui as of specification 2026-01-26 (SEP-1865, "MCP
Apps", stable). Of it: HTML apps (`text/html;profile=mcp-app`), `ui/initialize`, tool input, result
and cancellation, host context, `tools/call`, `resources/read`, `ping`, `notifications/message`,
`notifications/cancelled`, `ui/open-link`, `ui/message`, `ui/update-model-context`,
`ui/download-file`, `ui/request-display-mode`, sizes and the teardown. Not: streamed input
(`tool-input-partial`: an app is opened by a person beside a result, when the input is complete),
the display mode `pip`, sampling, the permissions of devices and `domain`: the app is told that they
are not there. The page is sandboxed in one frame of an opaque origin, which the specification asks
of native hosts; there are no cookies and no storage in it.

Knows no Qt, and no page of the window.
"""
