/** The entry point: navigation, settings, the banner for a lost server, and the view of the address. */

import { onServer } from "./api.js";
import { button, el } from "./dom.js";
import { openSettings } from "./preferences.js";
import { start } from "./router.js";
import { apply } from "./settings.js";
import { showError, toast } from "./toast.js";
import { NAVIGATION } from "./views.js";

addEventListener("error", (event) => showError(event.error ?? event.message));
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  showError(event.reason);
});

document.getElementById("nav").append(
  ...NAVIGATION.map(({ group, label, more, href }) =>
    el("a", { href, data: { view: group } }, label, more ? el("span", { class: "nav-more", text: more }) : null)));
document.getElementById("top-tools").append(
  button("Settings", openSettings, { icon: "gear", class: "icon-only quiet", title: "Settings", id: "open-settings" }));

// No fragment: the address bar belongs to the routes.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("main").focus();
});

const offline = document.getElementById("offline");
onServer((isGone) => {
  offline.hidden = !isGone;
  offline.textContent = isGone ? "The server does not answer. What was saved is safe; trying again…" : "";
  if (!isGone) toast("The server is back.");
});

apply();
matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", apply);
start();
