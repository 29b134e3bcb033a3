/** The chance to win along the line, by what the player saw, with its error as a band. */

import { svg } from "../dom.js";

const WIDE = 400;
const HIGH = 150;
const LEFT = 40;
const TOP = 8;
const BOTTOM = 24;

/** Null where no chance is known. `onChoose(after)` when a point is pressed; `choose(after)` of what is returned moves the cursor. */
export function drawCurve(positions, onChoose) {
  const told = positions.filter(({ chance }) => chance);
  if (told.length < 2) return null;
  const last = Math.max(1, positions.length - 1);
  const x = (after) => LEFT + ((WIDE - LEFT - 8) * after) / last;
  const most = TOPS.find((each) => told.every(({ chance }) => chance.p <= each));
  const y = (p) => TOP + (HIGH - TOP - BOTTOM) * (1 - Math.min(1, p / most));
  const ends = ({ p, se }) => [Math.max(0, p - 1.96 * (se ?? 0)), Math.min(1, p + 1.96 * (se ?? 0))];
  const point = (after, p) => `${x(after).toFixed(1)} ${y(p).toFixed(1)}`;
  const upper = told.map(({ after, chance }) => point(after, ends(chance)[1]));
  const lower = told.map(({ after, chance }) => point(after, ends(chance)[0])).reverse();
  const cursor = svg("line", { class: "curve-cursor", y1: TOP, y2: HIGH - BOTTOM, x1: LEFT, x2: LEFT });
  const words = `Chance to win by what the player saw: ${percent(told[0].chance.p)} at the start, ${percent(told.at(-1).chance.p)} at the end`;
  const node = svg("svg", { class: "curve", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", aria: { label: words } },
    [0, most / 2, most].map((p) => [svg("line", { class: "curve-grid", x1: LEFT, x2: WIDE - 8, y1: y(p), y2: y(p) }),
      svg("text", { x: LEFT - 6, y: y(p) + 4, "text-anchor": "end", text: percent(p) })]),
    marksOf(last).map((after) => svg("text", { x: x(after), y: HIGH - 6, "text-anchor": "middle", text: after })),
    svg("path", { class: "curve-band", d: `M${[...upper, ...lower].join("L")}Z` }),
    svg("path", { class: "curve-line", d: `M${told.map(({ after, chance }) => point(after, chance.p)).join("L")}` }),
    told.length <= 90 ? told.map(({ after, chance }) => svg("circle", { class: "curve-point", cx: x(after), cy: y(chance.p), r: 2.6 })) : null,
    cursor);
  node.addEventListener("click", (event) => {
    const box = node.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDE;
    onChoose(Math.min(last, Math.max(0, Math.round(((at - LEFT) / (WIDE - LEFT - 8)) * last))));
  });
  return { el: node, choose: (after) => ["x1", "x2"].forEach((name) => cursor.setAttribute(name, x(after))) };
}

const TOPS = [0.02, 0.05, 0.1, 0.2, 0.5, 1];

const percent = (p) => `${p > 0 && p < 0.095 ? (100 * p).toFixed(1) : Math.round(100 * p)} %`;

/** Some six round numbers of moves. */
function marksOf(last) {
  const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500].find((each) => last / each <= 8) ?? 1000;
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step);
}
