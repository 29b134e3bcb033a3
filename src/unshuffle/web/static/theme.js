// A classic script, run before the first paint: a chosen theme must not flash the other one first.
try {
  const { theme } = JSON.parse(localStorage.getItem("unshuffle.settings") ?? "{}");
  if (theme === "felt" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage that is switched off or spoilt: the scheme of the system serves.
}
