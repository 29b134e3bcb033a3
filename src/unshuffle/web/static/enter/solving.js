/** The answers for a deal that was typed: whether it can be won, or with what chance where something in it is unknown. */

import { button, el, plural, put } from "../dom.js";
import { withCards } from "../prose.js";
import { waitFor } from "../waiting.js";

/** The style of a verdict. An unsolvable phase of a game with redeals is not shown as bad news. */
export function toneOf({ status, is_phase: isPhase }) {
  return { solved: "good", unsolvable: isPhase ? "open" : "bad" }[status] ?? "open";
}

/** The cost of the search, or the reason why none was needed. */
export function effortOf({ nodes, seconds, no_search: why }, isStopped) {
  if (why) return `No search was needed: ${why}.`;
  return `${isStopped ? "Stopped after" : "Searched"} ${plural(nodes ?? 0, "position")} in ${(seconds ?? 0).toFixed(1)} s.`;
}

/** Solve the deal of a text; `asked` is game, variant, rules and text. The verdict appears in `root`. */
export async function solveText(root, asked, { onStart, play }) {
  const job = await waitFor(root, "Solving", { kind: "solve", ...asked }, { onStart });
  if (!job.result) return void put(root, el("p", { class: "note", text: "Stopped before anything was found." }));
  const { verdict, moves, chance_text: chance } = job.result;
  put(root, el("section", { class: `verdict verdict-${toneOf(job.result)}`, aria: { label: "Verdict" } },
    chance ? el("p", { class: "verdict-words", text: chance }) : null,
    el("p", { class: "verdict-words" }, withCards(verdict)),
    el("p", { class: "note", text: effortOf(job.result, job.status === "cancelled") }),
    moves.length ? el("details", {}, el("summary", { text: plural(moves.length, "move") }),
      el("ol", { class: "line-of-moves" }, moves.map(({ text, token }) => el("li", {}, withCards(text || token))))) : null,
    el("div", { class: "row-x" }, button("Open this table", play, { icon: "play", class: "primary" }))));
}

/** Estimate the chance to win a deal in which something is unknown. */
export async function estimateText(root, asked, { onStart }) {
  const job = await waitFor(root, "Estimating the chance", { kind: "chance", ...asked }, { onStart });
  if (!job.result?.samples) return void put(root, el("p", { class: "note", text: "Stopped before a game was played." }));
  const { chance, low, high, samples, wins, policy, unknown } = job.result;
  put(root, el("section", { class: "verdict verdict-open", aria: { label: "Chance" } },
    el("p", { class: "verdict-words" }, el("strong", { text: `Chance to win: ${percent(chance)}` }), `, 95 % interval ${percent(low)} to ${percent(high)} (hidden: what a player sees).`),
    el("p", { class: "note", text: `Unknown: ${unknown}. In each of ${plural(samples, "game")} chance dealt it, and the player “${policy}”, who sees what you see, won ${wins.toLocaleString("en")}. The best player wins at least as often. Nobody can prove a deal that is not known.` })));
}

const percent = (p) => `${(100 * p).toFixed(1).replace(/\.0$/, "")} %`;
