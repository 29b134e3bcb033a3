// A classic script, run before the first paint: a chosen theme must not flash the other one first.
try {
  const { theme } = JSON.parse(localStorage.getItem("unshuffle.settings") ?? "{}");
  if (theme === "felt" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without readable storage the scheme of the system is used.
}
