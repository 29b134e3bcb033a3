/** The answer to "can this be won?", for a table that was typed. */

import { confirm } from "../dialog.js";
import { button, el, plural, put } from "../dom.js";
import { withCards } from "../prose.js";
import { go } from "../router.js";
import { settings } from "../settings.js";
import { waitFor } from "../waiting.js";

const TONES = { solved: " verdict-good", unsolvable: " verdict-bad" };

/** Solve a table, with its progress and its verdict in `root`. */
export async function solveTable(root, table, onStart) {
  let look = settings().mayLook;
  if (table.solver_looks && !table.looked && !look) {
    look = await confirm("Look at hidden cards?", "The solver knows every card, also those that lie face down. What it tells is no longer a game of guessing.", "Let it look");
    if (!look) return;
  }
  const job = await waitFor(root, "Solving", { kind: "solve", table: table.id, look: Boolean(look) }, { onStart });
  if (!job.result) {
    put(root, el("p", { class: "note", text: "Stopped before anything was found." }));
    return;
  }
  const { verdict, moves, nodes, seconds, status } = job.result;
  put(root, el("section", { class: `verdict${TONES[status] ?? ""}`, aria: { label: "Verdict" } },
    el("p", { class: "verdict-words" }, withCards(verdict)),
    el("p", { class: "note", text: `${plural(nodes, "position")} in ${seconds.toFixed(1)} s, every card known.` }),
    moves.length ? el("details", {}, el("summary", { text: plural(moves.length, "move") }),
      el("ol", { class: "line-of-moves" }, moves.map(({ text, token }) => el("li", {}, withCards(text || token))))) : null,
    el("div", { class: "row-x" }, button("Open this table", () => go(`#/table/${table.id}`), { icon: "play", class: "primary" }))));
}

