/** The figures of a study: a table with an interval drawn beside each rate, and the pictures of its report. */

import { el, svg } from "../dom.js";

const percent = (share, digits) => (share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)} %`);

/** As many decimals of per cent as the interval supports. */
const digitsOf = ({ low, high }) => (high - low > 0.02 ? 1 : high - low > 0.002 ? 2 : 3);

const number = (value) => (value === null || value === undefined ? "–" : value.toLocaleString("en", { maximumFractionDigits: value >= 100 ? 0 : 1 }));

/** The table of rates, one row for each run. */
export function drawTable(rows) {
  const span = spanOf(rows);
  const heads = [["Game and player", ""], ["Won, 95 % interval", ""], ["", ""], ["Deals", "number"], ["Won", "number"], ["Lost", "number"], ["Undecided", "number"], ["Nodes (mean)", "number"]];
  return el("div", { class: "scroll-x" },
    el("table", { class: "figures rates-table" },
      el("thead", {}, el("tr", {}, heads.map(([text, classes]) => el("th", { scope: "col", class: classes, text })))),
      el("tbody", {}, rows.map((row) => el("tr", {},
        el("th", { scope: "row" }, row.game, el("span", { class: "run-name", text: row.variant }),
          el("span", { class: "run-name" }, `${row.method} `, el("span", { class: "chip", text: row.information, title: INFORMATION[row.information] }))),
        el("td", { class: "rate" }, rateWords(row)),
        el("td", { class: "interval-cell" }, drawInterval(row, span)),
        ...[row.n, row.won, row.lost, row.undecided].map((value) => el("td", { class: "number", text: number(value) })),
        el("td", { class: "number", text: number(row.nodes_mean) }))))));
}

export const INFORMATION = {
  open: "All cards were known (open information).",
  hidden: "Only what a player sees was known (hidden information).",
};

function rateWords(row) {
  if (row.rate === null) return "no deals";
  const digits = digitsOf(row);
  return [el("strong", { text: percent(row.rate, digits) }), el("small", { class: "note", text: `${(100 * row.low).toFixed(digits)} – ${(100 * row.high).toFixed(digits)}` }),
    row.undecided ? el("small", { class: "note", text: ` undecided as won: ${percent(row.rate_if_won, digits)}` }) : null].filter(Boolean);
}

/** The range of the rates of all rows, a little widened. */
function spanOf(rows) {
  const ends = rows.filter(({ rate }) => rate !== null).flatMap((row) => [row.low, row.undecided ? row.high_if_won : row.high]);
  if (!ends.length) return [0, 1];
  const room = Math.max(0.02, (Math.max(...ends) - Math.min(...ends)) * 0.12);
  return [Math.max(0, Math.min(...ends) - room), Math.min(1, Math.max(...ends) + room)];
}

/** A rate on its scale: the point, and the interval as a line with ends; undecided deals reach on, dashed. */
function drawInterval(row, [from, to]) {
  if (row.rate === null) return null;
  const x = (share) => 4 + (152 * (share - from)) / (to - from);
  const line = (classes, a, b) => svg("line", { class: classes, x1: x(a), x2: x(b), y1: 14, y2: 14 });
  const end = (share) => svg("line", { class: "interval-end", x1: x(share), x2: x(share), y1: 9, y2: 19 });
  const words = `${percent(row.rate, 2)}, from ${percent(row.low, 2)} to ${percent(row.high, 2)}`;
  return svg("svg", { class: "interval", viewBox: "0 0 160 34", width: 160, height: 34, role: "img", aria: { label: words } },
    svg("line", { class: "interval-scale", x1: 4, x2: 156, y1: 25, y2: 25 }),
    svg("text", { x: 4, y: 34, text: percent(from, to - from < 0.05 ? 1 : 0) }),
    svg("text", { x: 156, y: 34, "text-anchor": "end", text: percent(to, to - from < 0.05 ? 1 : 0) }),
    row.undecided ? line("interval-open", row.rate, row.high_if_won) : null,
    line("interval-line", row.low, row.high), end(row.low), end(row.high),
    svg("circle", { class: "interval-point", cx: x(row.rate), cy: 14, r: 4 }));
}

const SAFE = new Set(["SVG", "G", "PATH", "RECT", "LINE", "CIRCLE", "POLYLINE", "POLYGON", "TEXT", "TSPAN", "TITLE", "DESC", "DEFS", "CLIPPATH",
  "UL", "LI", "DIV", "SPAN", "P", "SMALL", "H3", "H4", "STRONG", "EM", "B", "I", "FIGURE", "FIGCAPTION"]);

/** A picture of the server as elements: only shapes and words come through, nothing that could run or be fetched. */
export function drawChart({ title, svg: markup, caption = "" }) {
  const parsed = new DOMParser().parseFromString(markup, "text/html");
  for (const node of [...parsed.body.querySelectorAll("*")]) {
    if (!SAFE.has(node.tagName.toUpperCase())) node.remove();
    else for (const { name } of [...node.attributes]) if (/^on|href|style|src$/i.test(name)) node.removeAttribute(name);
  }
  return el("figure", { class: "panel chart" }, el("h3", { text: title }),
    el("div", { class: "charts scroll-x" }, [...parsed.body.childNodes].map((node) => document.importNode(node, true))),
    caption ? el("figcaption", { class: "note", text: caption }) : null);
}

/** The provenance of the figures: names and values, nested. */
export function drawProvenance(value) {
  if (value === null || value === undefined || value === "") return el("span", { class: "note", text: "–" });
  if (Array.isArray(value)) {
    if (!value.length) return el("span", { class: "note", text: "none" });
    if (value.every((each) => typeof each !== "object")) return el("span", { text: value.join(", ") });
    if (value.every((each) => Array.isArray(each) && each.length === 2 && each.every((end) => typeof end === "number"))) {
      return el("span", { text: value.map(([first, last]) => `${first}–${last}`).join(", ") });
    }
    return el("ol", { class: "provenance-list" }, value.map((each) => el("li", {}, drawProvenance(each))));
  }
  if (typeof value === "object") {
    return el("dl", { class: "provenance" }, Object.entries(value).map(([name, own]) => el("div", {}, el("dt", { text: name.replaceAll("_", " ") }), el("dd", {}, drawProvenance(own)))));
  }
  return el("span", { text: typeof value === "boolean" ? (value ? "yes" : "no") : String(value) });
}
