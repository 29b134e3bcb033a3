/** Routes in the fragment: `#/play?deal=spider/4-suits@7&moves=3-7,d`. The server never sees them, so any link opens offline. */

import { VIEWS } from "./views.js";
import { showError } from "./toast.js";

let leave = null;
let turn = 0;

/** The route that the address bar shows: { path, parts, query }. */
export function route(hash = location.hash) {
  const [path, search = ""] = split(hash.replace(/^#\/?/, ""), "?");
  const query = {};
  for (const pair of search.split("&").filter(Boolean)) {
    const [name, value = ""] = split(pair, "=");
    query[decode(name)] = decode(value);
  }
  return { path, parts: path.split("/").filter(Boolean).map(decode), query };
}

/** The fragment of a route; what reads well in a link stays as it is. */
export function link(path, query = {}) {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const search = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
  return `#/${path}${search ? `?${search}` : ""}`;
}

/** Go to a route, as a click on its link would. */
export function go(fragment) {
  if (location.hash === fragment) show();
  else location.hash = fragment;
}

/** Change what the address bar shows, and nothing else. */
export function rewrite(fragment) {
  try {
    history.replaceState(history.state, "", fragment);
  } catch {
    // Some browsers limit the rate of changes; the next move sets the address again.
  }
}

/** Show the view of the present route. */
export async function show() {
  const mine = ++turn;
  const root = document.getElementById("main");
  const now = route();
  const view = VIEWS.find(({ name }) => name === (now.parts[0] ?? "")) ?? VIEWS[0];
  await leave?.();
  leave = null;
  root.replaceChildren();
  root.className = `view view-${view.name || "home"}`;
  document.title = `${view.title} · unshuffle`;
  for (const anchor of document.querySelectorAll("#nav a")) {
    if (anchor.dataset.view === view.group) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  try {
    const { render } = await view.load();
    if (mine !== turn) return;
    const left = await render(root, now);
    if (mine !== turn) return void (await left?.());
    leave = left ?? null;
    // The clicked element is gone with the old view; the focus moves to the new one for screen readers.
    if (mine > 1 && document.activeElement === document.body) root.focus({ preventScroll: true });
  } catch (error) {
    if (mine === turn) showError(error);
  }
}

/** Follow the address bar from now on. */
export function start() {
  addEventListener("hashchange", () => {
    if (location.hash === "" || location.hash.startsWith("#/")) show();
  });
  return show();
}

function split(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function encode(text) {
  return encodeURIComponent(text).replace(/%2F/g, "/").replace(/%40/g, "@").replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%2B/g, "+").replace(/%3D/g, "=");
}
