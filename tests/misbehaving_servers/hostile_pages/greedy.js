// Asks for what is not its own, sends what is too large and what is no message.
(async () => {
  const found = {};
  found.early = says(await tool("echo", { message: "before hello" }));
  await begin();
  found.unknown = says(await tool("no such tool"));
  found.other = says(await tool("other:echo", { message: "of another server" }));
  found.secret = says(await tool("secret"));
  found.inner = says(await tool("inner"));
  found.method = says(await ask("sampling/createMessage", {}));
  found.link = says(await ask("ui/open-link", { url: "javascript:alert(1)" }));
  found.file = says(await ask("ui/open-link", { url: "file:///etc/passwd" }));
  found.resource = says(await ask("resources/read", { uri: "ui://hostile/nothing" }));
  found.mode = JSON.stringify((await ask("ui/request-display-mode", { mode: "fullscreen" })).result);
  found.window = JSON.stringify((await ask("ui/request-display-mode", { mode: "pip" })).result);
  found.huge = says(await tool("echo", { message: "x".repeat(2000000) }));
  for (const odd of [null, 7, "text", [1], { jsonrpc: "1.0" }, { jsonrpc: "2.0" },
    { jsonrpc: "2.0", id: {}, method: 3 }]) raw(odd);
  raw({ jsonrpc: "2.0", method: "ui/notifications/size-changed", params: { height: 1e9 } });
  raw({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "hello" } });
  await tool("report", { found: JSON.stringify(found) });
})();
