/** The plan as a list of moves to make at the table, and what it is worth. */

import { button, el, plural, svg } from "../dom.js";
import { withCards } from "../prose.js";

const NUMBERED = /^\s*(\d+) {2,}(\S.*?) {2,}(\S+) {2,}(.*)$/;

/** The reasons that the server gave for the moves, by number; and the lines that are no moves. */
export function splitSaid(said, planned) {
  const reasons = new Map();
  const rest = [];
  for (const line of said) {
    const match = NUMBERED.exec(line);
    if (match && planned[match[1] - 1]?.token === match[3]) reasons.set(Number(match[1]), match[4]);
    else rest.push(line);
  }
  return { reasons, rest };
}

/** `onDone(count)`: the first moves of the plan are made. */
export function drawPlan(planned, reasons, onDone) {
  if (!planned.length) return null;
  return el("section", { class: "plan", aria: { label: "Plan" } },
    el("div", { class: "plan-head" }, el("h2", { text: "The plan" }), el("span", { class: "note", text: plural(planned.length, "move") })),
    el("ol", { class: "plan-moves" }, planned.map(({ token, kind, text }, index) =>
      el("li", { class: index === 0 ? "is-next" : "", value: index + 1 },
        el("div", { class: "plan-move" },
          el("span", { class: "plan-text" }, withCards(text || token), " ", el("span", { class: "plan-kind", text: kind })),
          reasons.get(index + 1) && reasons.get(index + 1) !== text ? el("small", { class: "plan-why" }, withCards(reasons.get(index + 1))) : null),
        button(index === planned.length - 1 && index > 0 ? "All done" : index === 0 ? "Done" : "Done to here", () => onDone(index + 1),
          { class: "small", aria: { label: `Moves 1 to ${index + 1} are done` } })))));
}

/** A chance to win: the figure, its error, and both on a line from 0 to 100 %. */
export function drawChance(chance) {
  if (!chance) return null;
  const { p, se } = chance;
  const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 2 : 1)} %`;
  const low = Math.max(0, p - 1.96 * (se ?? 0));
  const high = Math.min(1, p + 1.96 * (se ?? 0));
  const words = se ? `± ${(100 * se).toFixed(se < 0.0005 ? 2 : 1)}` : se === 0 ? "exact" : "";
  return el("div", { class: "chance" },
    el("div", { class: "chance-figure" }, el("strong", { text: p === 1 ? "100 %" : p === 0 ? "0 %" : percent(p) }), el("span", { class: "note", text: words })),
    bar(p, low, high),
    el("span", { class: "note", text: "chance to win this game" }));
}

function bar(p, low, high) {
  return svg("svg", { class: "chance-bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", role: "img", aria: { label: `${(100 * p).toFixed(1)} per cent` } },
    svg("rect", { class: "chance-track", width: 100, height: 8, rx: 1 }),
    svg("rect", { class: "chance-fill", width: 100 * p, height: 8, rx: 1 }),
    high > low ? svg("rect", { class: "chance-error", x: 100 * low, width: 100 * (high - low), y: 2.5, height: 3 }) : null);
}
