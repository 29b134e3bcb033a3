/** Short messages on the screen, and messages for screen readers only. */

import { Unreachable } from "./api.js";
import { button, el } from "./dom.js";

/** Show a message. `action`: { label, run } adds a button. The same message again replaces the first. */
export function toast(text, { kind = "info", seconds = 5, action = null } = {}) {
  const all = document.getElementById("toasts");
  for (const other of all.children) if (other.dataset.text === text) other.remove();
  const close = () => note.remove();
  const note = el("div", { class: `toast toast-${kind}`, role: kind === "error" ? "alert" : "status", data: { text } },
    el("span", { class: "toast-text", text }),
    action ? button(action.label, () => (close(), action.run()), { class: "small" }) : null,
    button("Close", close, { icon: "close", class: "icon-only quiet small" }));
  all.append(note);
  while (all.children.length > 3) all.firstElementChild.remove();
  if (seconds) setTimeout(close, seconds * 1000);
  return close;
}

/** Show the message of an error. A lost server is shown by the banner, not here. */
export function showError(error) {
  if (error instanceof Unreachable || error?.name === "AbortError") return;
  const isKnown = error?.status !== undefined;
  if (!isKnown) console.warn(error);
  toast(isKnown ? error.message : `Something went wrong in the page: ${error?.message ?? error}. Nothing is lost; reload it if need be.`,
    { kind: "error", seconds: 9 });
}

/** Announce a message to screen readers without showing it. */
export function say(text) {
  const log = document.getElementById("said");
  log.append(el("p", { text }));
  while (log.children.length > 4) log.firstElementChild.remove();
}
