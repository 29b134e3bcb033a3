/** What the page can do, for people who look before they leap. */

import { get, games } from "../api.js";
import { el, put } from "../dom.js";
import { keyLists } from "../play/keys.js";

const PARTS = [
  ["Play", "Drag a card, or click it and then its target. Every game is saved from its first move on; it can be continued here or in the terminal. The address bar always holds the deal and the moves, so a copied link opens the same position."],
  ["Hint", "The best move by what you can see, with its reason and the chance to win. Nothing hidden is used."],
  ["Can this still be won?", "The solver knows every card. Where some are hidden from you it asks first. \"Undecided\" is not a no: the time was too short."],
  ["Watch", "A solution can be played back, step by step or at speed, and you can play on from any of its positions."],
  ["Coach", "Switched on in the settings, it asks before a move that gives a proved win away."],
];

export async function render(root) {
  const about = el("p", { class: "note" });
  const rules = el("div", { class: "stack-y" });
  put(root, el("div", { class: "page help" },
    el("h1", { text: "Help" }),
    el("div", { class: "help-columns" },
      el("div", { class: "panel" }, PARTS.map(([title, text]) => [el("h2", { text: title }), el("p", { text })])),
      el("div", { class: "panel" }, keyLists())),
    el("h2", { text: "The games" }), rules, about));
  const [known, server] = await Promise.all([games(), get("about")]);
  put(rules, known.map(({ name, summary, entry_help: entry }) => el("div", { class: "panel" }, el("h3", { text: name }), el("p", { text: summary }),
    entry ? el("details", {}, el("summary", { text: "How its cards are typed" }), el("pre", { class: "entry-help", text: entry })) : null)));
  about.textContent = `unshuffle ${server.version}, engine ${server.engine}.`;
}
