// What each page needs to speak with its host.
let id = 0;
const waiting = new Map();
addEventListener("message", (event) => {
  const one = event.data;
  if (one && waiting.has(one.id)) { waiting.get(one.id)(one); waiting.delete(one.id); }
});
const raw = (message) => parent.postMessage(message, "*");
const ask = (method, params = {}) => new Promise((resolve) => {
  id += 1;
  waiting.set(id, resolve);
  raw({ jsonrpc: "2.0", id, method, params });
});
const tool = (name, args = {}) => ask("tools/call", { name, arguments: args });
const begin = async () => {
  const hello = await ask("ui/initialize", { protocolVersion: "2026-01-26", appCapabilities: {},
    appInfo: { name: "hostile", version: "1" } });
  raw({ jsonrpc: "2.0", method: "ui/notifications/initialized", params: {} });
  return hello.result;
};
const within = (promise, ms = 4000) => Promise.race(
  [promise, new Promise((resolve) => setTimeout(() => resolve("late"), ms))]);
const attempt = async (what) => {
  try { return String(await within(what())); } catch (error) { return error.name; }
};
const says = (answer) => (answer.error ? `error ${answer.error.code}` : "answered");
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
