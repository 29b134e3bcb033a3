/** Settings: kept in the browser, with listeners for changes. */

const KEY = "unshuffle.settings";

const DEFAULTS = {
  theme: "auto", // auto, felt, dark
  fourColours: false,
  animation: "auto", // auto: as the system wishes; on, off
  speed: 1, // of the play-back
  coach: false,
  tapMoves: false, // a card with one way to go goes there at the first tap
  mayLook: false, // the solver may use hidden cards, asked once
  game: "",
  variants: {},
};

const listeners = new Set();
let chosen = { ...DEFAULTS, ...read() };

function read() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

/** All settings, as they are now. */
export function settings() {
  return chosen;
}

/** Change some settings, store them, and call the listeners. */
export function choose(changes) {
  chosen = { ...chosen, ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  apply();
  for (const listener of listeners) listener(chosen);
}

/** Call `listener` after each change; returns a function that ends it. */
export function onSettings(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether things may move on the screen now. */
export function isAnimated() {
  if (chosen.animation !== "auto") return chosen.animation === "on";
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Let the document show what CSS needs to know. */
export function apply() {
  const { dataset } = document.documentElement;
  if (chosen.theme === "auto") delete dataset.theme;
  else dataset.theme = chosen.theme;
  dataset.animated = isAnimated() ? "yes" : "no";
}
