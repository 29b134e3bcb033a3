/** The words of a text as small cards in their rows, with their faults on the cards. */

import { cardElement, cardName } from "../cards.js";
import { el, plural } from "../dom.js";
import { withCards } from "../prose.js";

/** Where a place of the text (line and column, from 1) is in it, and where its word ends. */
export function rangeOf(text, { line, column }) {
  const lines = text.split(/\r\n|\n|\r/);
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
  const word = /^[^\s,]+/.exec(text.slice(start))?.[0] ?? "";
  return [start, start + word.length];
}

/** The rows of a text: { label, words: [{ token, faults }], faults }. A fault belongs to the word it points at, or to its row. */
function rowsOf(text, tokens, faults) {
  const lines = text.split(/\r\n|\n|\r/);
  const rows = [];
  let last = null;
  for (const token of tokens) {
    const raw = lines[token.line - 1] ?? "";
    const from = last?.line === token.line ? last.column - 1 + last.text.length : 0;
    const between = raw.slice(from, token.column - 1).replace(/[\s,]+/g, " ").trim();
    const label = between.replace(/^.*\//, "").trim();
    if (last?.line !== token.line || between.includes("/")) rows.push({ line: token.line, column: from + 1, label, words: [], faults: [] });
    rows.at(-1).words.push({ token, faults: [] });
    last = token;
  }
  const rest = [];
  for (const fault of faults) {
    if (fault.line === null) rest.push(fault);
    else (wordAt(rows, fault) ?? rowAt(rows, fault) ?? { faults: rest }).faults.push(fault);
  }
  return rows;
}

function wordAt(rows, { line, column }) {
  return rows.flatMap(({ words }) => words)
    .find(({ token }) => token.line === line && column >= token.column && column < token.column + token.text.length);
}

/** The row in which a place stands: several may share a line. */
const rowAt = (rows, { line, column }) => rows.filter((row) => row.line === line && row.column <= column + 1).at(-1);

/** The rows as elements. `onGo(fault or token)` shows its place in the text. */
export function drawRows(text, { tokens, faults }, onGo) {
  const ids = new Map(faults.map((fault, index) => [fault, faultId(index)]));
  return rowsOf(text, tokens, faults).map(({ label, words, faults: own }) =>
    el("div", { class: `read-row${own.length ? " is-wrong" : ""}`, role: "group", aria: { label: label || "Row", ...describedBy(own, ids) }, title: own.map(({ message }) => message).join("\n") || null },
      label ? el("span", { class: "read-label", text: label }) : null,
      words.map((word) => drawWord(word, ids, onGo))));
}

const faultId = (index) => `fault-${index}`;

const describedBy = (faults, ids) => {
  const known = faults.map((fault) => ids.get(fault)).filter(Boolean);
  return known.length ? { describedby: known.join(" ") } : {};
};

/** A word as a card, or as text. Its faults mark it; `ids` are the ids of their messages. */
export function drawWord({ token, faults }, ids, onGo) {
  const isDown = token.text.startsWith("[") || token.text.endsWith("]") || token.text.includes("##");
  const isUnseen = token.card === null && token.text.includes("##");
  const isBlank = /^-+$|^g$/i.test(token.text);
  const classes = ["read-word", token.card || isUnseen ? "" : isBlank ? "is-blank" : "is-text", isDown && token.card ? "is-down-known" : "", faults.length ? "is-wrong" : ""];
  const name = token.card ? cardName(token.card) : isUnseen ? "face-down card" : token.text;
  const node = el("button", {
    type: "button",
    class: classes.filter(Boolean).join(" "),
    title: faults.map(({ message }) => message).join("\n") || null,
    aria: { label: faults.length ? `${name}, wrong` : name, ...describedBy(faults, ids) },
    on: { click: () => onGo(token) },
  });
  if (token.card || isUnseen) node.append(cardElement({ face: token.card }, { isSmall: true }));
  else node.append(el("span", { class: "read-text", text: isBlank ? "" : token.text }));
  if (faults.length) node.append(el("span", { class: "read-mark", text: "!", aria: { hidden: true } }));
  return node;
}

/** The faults as a list; those with a place are buttons that show it in the text. */
export function drawFaults(faults, onGo) {
  if (!faults.length) return null;
  return el("section", { class: "faults", aria: { label: "Faults" } },
    el("h3", { text: plural(faults.length, "fault") }),
    el("ul", {}, faults.map((fault, index) => el("li", { id: faultId(index) },
      fault.line === null
        ? withCards(fault.message)
        : el("button", { type: "button", class: "fault-link", on: { click: () => onGo(fault) } },
          el("span", { class: "fault-place", text: `Line ${fault.line}, column ${fault.column}` }), " ", withCards(fault.message))))));
}
