// Calls a tool a thousand times a second, for two seconds.
(async () => {
  await begin();
  const kinds = {};
  let open = 0;
  for (let second = 0; second < 2; second += 1) {
    for (let n = 0; n < 1000; n += 1) {
      open += 1;
      tool("echo", { message: String(n) }).then((answer) => {
        kinds[says(answer)] = (kinds[says(answer)] || 0) + 1;
        open -= 1;
      });
    }
    await pause(1000);
  }
  while (open > 0) await pause(50);
  await pause(1000);
  await tool("report", { found: JSON.stringify(kinds) });
})();
