// Tries to leave the sandbox in every way, then reports what came of it.
const PORT = "PORT_OF_THE_TEST";
const found = {};
const loaded = (make) => new Promise((resolve) => {
  const element = make();
  element.onload = () => resolve("loaded");
  element.onerror = () => resolve("refused");
  document.body.append(element);
});
(async () => {
  const hello = await begin();
  found.capabilities = Object.keys(hello.hostCapabilities).sort().join(" ");
  found.allowed = JSON.stringify(hello.hostCapabilities.sandbox.csp);
  const http = `http://127.0.0.1:${PORT}/`;
  found.fetch = await attempt(() => fetch(http + "fetch", { mode: "no-cors" }));
  found.host = await attempt(() => fetch(document.referrer || http + "host", { mode: "no-cors" }));
  found.declared = await attempt(() => fetch("https://api.example.com/", { mode: "no-cors" }));
  found.image = await attempt(() => loaded(() => Object.assign(new Image(), { src: http + "image" })));
  found.script = await attempt(() => loaded(() =>
    Object.assign(document.createElement("script"), { src: http + "script.js" })));
  found.style = await attempt(() => loaded(() =>
    Object.assign(document.createElement("link"), { rel: "stylesheet", href: http + "style.css" })));
  found.socket = await attempt(() => new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${PORT}/socket`);
    socket.onopen = () => resolve("open");
    socket.onerror = () => resolve("refused");
  }));
  found.beacon = await attempt(() => navigator.sendBeacon(http + "beacon", "x") && "queued");
  found.worker = await attempt(() => new Promise((resolve) => {
    const worker = new Worker(URL.createObjectURL(new Blob(["postMessage(1)"])));
    worker.onmessage = () => resolve("works");
    worker.onerror = () => resolve("refused");
  }));
  found.parent = await attempt(() => parent.document.title);
  found.parentAddress = await attempt(() => parent.location.href);
  found.top = await attempt(() => { top.location.href = http + "top"; return "set"; });
  found.popup = await attempt(() => String(open(http + "popup")));
  found.cookie = await attempt(() => document.cookie);
  found.storage = await attempt(() => localStorage.length);
  found.database = await attempt(() => indexedDB.open("x") && "open");
  found.camera = await attempt(() => navigator.mediaDevices.getUserMedia({ video: true }));
  found.clipboard = await attempt(() => navigator.clipboard.readText());
  found.origin = String(self.origin);
  await tool("report", { found: JSON.stringify(found) });
  const form = Object.assign(document.createElement("form"), { action: http + "form", method: "post" });
  document.body.append(form);
  form.submit();
  const frame = document.createElement("iframe");
  frame.src = http + "frame";
  document.body.append(frame);
  location.href = http + "itself";
})();
