// Tries to reach the network by WebRTC: from frames inside its own, which have globals of their
// own, or else from its own. Reports what has begun, as a frame may not live to tell the rest.
const connect = (port, begun) => {
  begun();
  const peer = new RTCPeerConnection({ iceServers: [
    { urls: `stun:127.0.0.1:${port}` },
    { urls: `turn:127.0.0.1:${port}?transport=tcp`, username: "a", credential: "b" }] });
  peer.createDataChannel("x");
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));
};
const PORT = "PORT_OF_THE_TEST";
const WAY = "WAY_OF_THE_TEST";
const code = `(${connect})("${PORT}", () => parent.postMessage("begun", "*"))`;
const ways = {
  itself: (begun) => connect(PORT, begun),
  srcdoc: () => inside((frame) => { frame.srcdoc = `<script>${code}<${"/"}script>`; }),
  address: () => inside((frame) => { frame.src = `javascript:${encodeURIComponent(code)}`; }),
};
const inside = (fill) => {
  const frame = document.createElement("iframe");
  fill(frame);
  document.body.append(frame);
};
(async () => {
  await begin();
  const report = () => tool("report", { found: JSON.stringify({ begun: WAY }) });
  addEventListener("message", (event) => { if (event.data === "begun") report(); });
  ways[WAY](report);
})();
