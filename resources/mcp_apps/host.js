// Our page around an app: shows it in a sandboxed frame and carries messages between it and
// mcp-desktop, which alone decides about them. Reads nothing of them; only bounds what it holds.
"use strict";

const MAX_MESSAGE = 1000000;
const MAX_QUEUE = 400;
const MAX_BATCH = 64;
const BATCH_BYTES = 3000000;

let labels = {};
let secret = "";
let frame = null;
let queue = [];
let dropped = 0;
let sending = false;
let over = false;
let place = null;

const say = (text) => { document.getElementById("notice").textContent = text; };

function post(path, body, headers = {}) {
  return fetch(path, { method: "POST", body, headers, credentials: "omit", redirect: "error" });
}

const authorization = () => ({ Authorization: `Bearer ${secret}` });

// For as long as the tab lives, also over a reload; another tab has no part of it.
function stored() {
  try { return sessionStorage.getItem("secret") || ""; } catch { return ""; }
}

async function open() {
  const answer = await post("open", JSON.stringify({ secret: stored() }));
  const about = answer.status === 200 || answer.status === 409 ? await answer.json() : {};
  labels = about.labels || {};
  document.title = labels.title || document.title;
  document.getElementById("title").textContent = labels.title || "";
  if (answer.status !== 200) {
    end(answer.status === 409 ? labels.taken : labels.closed);
    return;
  }
  secret = about.secret;
  try { sessionStorage.setItem("secret", secret); } catch { /* then a reload opens nothing */ }
  say(labels.notice);
  window.addEventListener("message", take);
  document.getElementById("leave").textContent = labels.leave || "";
  document.getElementById("leave").addEventListener("click", () => show("inline"));
  receive();
  frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-forms");
  frame.setAttribute("allow", "");
  frame.referrerPolicy = "no-referrer";
  frame.title = labels.title || "App";
  frame.src = about.frame;
  document.getElementById("place").append(frame);
  new ResizeObserver(() => { clearTimeout(settling); settling = setTimeout(tell, 150); }).observe(frame);
}

// --- how large -----------------------------------------------------------------------------------

let settling = 0;

// The header stays in every mode: a person sees whose page this is, and leaves it by our button.
function show(mode) {
  document.body.classList.toggle("full", mode === "fullscreen");
  document.getElementById("leave").hidden = mode !== "fullscreen";
  tell();
}

function tell() {
  if (over || frame === null) return;
  const mode = document.body.classList.contains("full") ? "fullscreen" : "inline";
  place = { mode, width: frame.clientWidth, height: frame.clientHeight };
  if (!sending) flush();
}

function end(words) {
  over = true;
  queue = [];
  if (frame !== null) frame.remove();
  frame = null;
  document.getElementById("leave").hidden = true;
  say(words || "");
}

// --- from the app --------------------------------------------------------------------------------

function take(event) {
  if (over || frame === null || event.source !== frame.contentWindow) return;
  const message = event.data;
  if (message === null || typeof message !== "object" || message.jsonrpc !== "2.0") return;
  if (queue.length >= MAX_QUEUE) {
    refuse(message, "Too many messages.");
    return;
  }
  let line;
  try { line = JSON.stringify(message); } catch { line = undefined; }
  if (typeof line !== "string" || line.length > MAX_MESSAGE) {
    refuse(message, "The message is too large.");
    return;
  }
  queue.push(line);
  if (!sending) flush();
}

function refuse(message, words) {
  dropped += 1;
  const id = message.id;
  if (typeof message.method === "string" && (typeof id === "string" || typeof id === "number")) {
    give({ jsonrpc: "2.0", id, error: { code: -32000, message: words } });
  }
  if (!sending) flush();
}

async function flush() {
  sending = true;
  try {
    while (!over && (queue.length || dropped || place)) {
      const lines = [];
      let size = 0;
      while (queue.length && lines.length < MAX_BATCH && size < BATCH_BYTES) {
        size += queue[0].length;
        lines.push(queue.shift());
      }
      if (dropped) {
        lines.push(JSON.stringify({ dropped }));
        dropped = 0;
      }
      if (place) {
        lines.push(JSON.stringify({ page: place }));
        place = null;
      }
      const answer = await post("send", lines.join("\n"), authorization());
      if (answer.status === 401) end(labels.closed);
    }
  } catch {
    end(labels.lost);
  }
  sending = false;
}

// --- to the app ----------------------------------------------------------------------------------

function give(message) {
  // To any origin, because a sandboxed frame has none to be named; frame-src keeps it in its place.
  if (frame !== null) frame.contentWindow.postMessage(message, "*");
}

function obey(instruction) {
  if (typeof instruction.height === "number" && frame !== null) {
    frame.style.height = `${instruction.height}px`;
  }
  if (typeof instruction.mode === "string") show(instruction.mode);
  if (instruction.closed) end(labels.closed);
}

async function receive() {
  try {
    const answer = await post("receive", "", authorization());
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let held = [];
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      held.push(value);
      if (!value.includes("\n")) continue;  // a large line comes in many parts
      const lines = held.join("").split("\n");
      held = [lines.pop()];
      for (const line of lines) {
        const one = JSON.parse(line);
        if (one.app !== undefined) give(one.app);
        if (one.host !== undefined) obey(one.host);
      }
    }
    if (!over) end(labels.closed);
  } catch {
    if (!over) end(labels.lost);
  }
}

open().catch(() => end(labels.lost || "mcp-desktop does not answer."));
