// Wants to fill its page, and reports the mode and size that it is told.
(async () => {
  await begin();
  addEventListener("message", (event) => {
    const { method, params } = event.data;
    if (method === "ui/notifications/host-context-changed" && params.containerDimensions.height) {
      tool("report", { found: JSON.stringify(params) });
    }
  });
  await ask("ui/request-display-mode", { mode: "fullscreen" });
})();
