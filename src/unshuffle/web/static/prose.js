/** Text of the server as elements: cards in the colours of their suits, columns kept. */

import { cardText } from "./cards.js";
import { el } from "./dom.js";

const SUITS = { C: "C", D: "D", H: "H", S: "S", "♣": "C", "♦": "D", "♥": "H", "♠": "S", "♧": "C", "♢": "D", "♡": "H", "♤": "S" };
const CARD = /(?<![\p{L}\p{N}_])(10|[A2-9TJQKX])([CDHS♣♦♥♠♧♢♡♤])(?![\p{L}\p{N}_])/gu;

/** The face ("TH") that a word spells, or null. */
export function readFace(word) {
  const [match] = [...word.toUpperCase().matchAll(CARD)];
  return match && match[0].length === word.length ? faceOf(match) : null;
}

const faceOf = ([, rank, suit]) => `${rank === "10" || rank === "X" ? "T" : rank}${SUITS[suit]}`;

/** A card in running text. */
export function cardSpan(face) {
  return el("span", { class: "in-text", data: { suit: face[1] }, text: cardText(face) });
}

/** Text with its cards in colour. */
export function withCards(text) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(CARD)) {
    parts.push(text.slice(at, match.index), cardSpan(faceOf(match)));
    at = match.index + match[0].length;
  }
  parts.push(text.slice(at));
  return parts.filter((part) => part !== "");
}

/** Lines of the server: text is joined into paragraphs that were wrapped for a terminal; columns stay columns. */
export function proseLines(lines) {
  const blocks = [];
  for (const line of lines) {
    if (!line.trim()) {
      blocks.push(null);
      continue;
    }
    const kind = /\S {2,}\S/.test(line) ? "pre" : "p";
    const last = blocks.at(-1);
    if (kind === "pre" && last?.kind === "pre") last.lines.push(line);
    else if (kind === "p" && last?.kind === "p" && /[^.:;!?]$/.test(last.lines[0]) && /^\p{Ll}/u.test(line)) last.lines[0] += ` ${line}`;
    else blocks.push({ kind, lines: [line] });
  }
  return blocks.filter(Boolean).map(({ kind, lines: own }) => kind === "pre"
    ? el("pre", { class: "said-pre", tabindex: 0 }, withCards(own.join("\n")))
    : el("p", { class: `said-p${/^ {2,}/.test(own[0]) ? " is-indented" : ""}` }, withCards(own[0].trim())));
}
