/** The help page: what the page can do, and the games in words. */

import { get, games, part } from "../api.js";
import { el, put } from "../dom.js";
import { WINNABLE } from "../play/dealing.js";
import { keyLists } from "../play/keys.js";
import { withCards } from "../prose.js";
import { link } from "../router.js";

const PARTS = [
  ["Play", "Drag a card, or click it and then its target. Every game is saved from its first move on; it can be continued here or in the terminal. The address bar always holds the deal and the moves, so a copied link opens the same position."],
  ["Hint", "The best move by what you can see, with its reason and the chance to win."],
  ["Can this still be won?", "The solver's answer is proved. “Not decided” means that the time was too short, which is not a no. If it answers only for a phase of a game with redeals, the chance to win with the redeals is beside it. A solution can be played back, and you can play on from any of its positions."],
  ["Winnable", `A property of a deal id. ${WINNABLE} A player who does not know them may still lose it.`],
  ["Review", "After a game: where it could still be won, which move lost it, and one that would have kept it.", "#/review"],
  ["Enter a deal", "The cards of your own table, typed or picked; faults are shown on the cards. If some cards are unknown, nothing is proved: you get the chance to win, or the rest is dealt at random and you play that.", "#/enter"],
  ["Beside a real table", "Advice deal by deal while you play with real cards, redeals included. Saved after every answer.", "#/advise"],
  ["Studies", "How often a game is won, over as many deals as you like, each rate with its interval.", "#/studies"],
  ["Coach", "Switched on in the settings, it asks before a move that loses a proved win."],
];

const INFORMATION = [
  ["Hidden", "Only what a player sees: hints, advice, chances and the policies of a study use no face-down card and no coming redeal."],
  ["Open", "All cards are known: the solver, the review, “can this still be won?”. If cards are hidden from you, the page asks before it uses them."],
];

export async function render(root) {
  const about = el("p", { class: "note" });
  const rules = el("div", { class: "stack-y" });
  put(root, el("div", { class: "page help" },
    el("h1", { text: "Help" }),
    el("p", { class: "lead", text: "unshuffle is a laboratory for patience. This page runs on your machine and contacts no other." }),
    el("div", { class: "help-columns" },
      el("div", { class: "panel" }, el("h2", { text: "What there is" }),
        el("dl", { class: "help-list" }, PARTS.map(([title, text, href]) => [el("dt", {}, href ? el("a", { href, text: title }) : title), el("dd", { text })]))),
      el("div", { class: "stack-y" },
        el("div", { class: "panel" }, el("h2", { text: "What was known?" }),
          el("p", { text: "Every figure about winning says which information it had." }),
          el("dl", { class: "help-list" }, INFORMATION.map(([title, text]) => [el("dt", { text: title }), el("dd", { text })]))),
        el("div", { class: "panel" }, keyLists()))),
    el("h2", { text: "The games" }), rules, about));
  const [known, server] = await Promise.all([games(), get("about")]);
  put(rules, known.map(drawGame));
  about.textContent = `unshuffle ${server.version}, engine ${server.engine}. Games are saved in “${server.saves}”.`;
}

function drawGame({ id, name, summary, entry_help: entry, rules, variants }) {
  return el("article", { class: "panel game-help", aria: { label: name } },
    el("div", { class: "section-head" }, el("h3", { text: name }),
      el("div", { class: "row-x" }, el("a", { class: "button small", href: link("play", { game: id }), text: "Play" }), el("a", { class: "button small", href: `#/enter/${part(id)}`, text: "Enter a deal" }))),
    el("p", { text: `${summary[0].toUpperCase()}${summary.slice(1)}.` }),
    entry ? el("details", {}, el("summary", { text: "How its cards are typed" }), el("p", {}, withCards(entry))) : null,
    el("details", {}, el("summary", { text: "Rules and variants" }),
      el("dl", { class: "help-list" }, rules.map(({ name: rule, help, values }) => [
        el("dt", { text: rule.replaceAll("_", " ") }), el("dd", {}, help, values ? el("small", { class: "note", text: ` ${values.map((value) => value || "none").join(", ")}` }) : null)])),
      el("p", { class: "note", text: `Variants: ${variants.map(({ id: slug }) => slug).join(", ")}.` })));
}
