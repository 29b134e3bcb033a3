/** A box of cards to click instead of typing: which are on the table already shows on them. */

import { cardName, cardText } from "../cards.js";
import { button, el } from "../dom.js";

const RANKS = [..."A23456789TJQK"];
const SUITS = [..."CDHS"];

/**
 * `onPick(word)` gets the card's text ("TH"), or one of `keys` [{ label, word, title }]; `onBack` takes the last word away.
 * Arrow keys go from card to card; one Tab stop for all of them.
 */
export class Picker {
  constructor({ onPick, onBack, keys = [] }) {
    this.onPick = onPick;
    this.pack = null;
    this.cards = new Map();
    this.grid = el("div", { class: "picker-cards", role: "group", aria: { label: "Cards to pick" }, on: { keydown: (event) => this.walk(event) } },
      SUITS.flatMap((suit) => RANKS.map((rank) => this.key(`${rank}${suit}`))));
    [...this.cards.values()][0].tabIndex = 0;
    this.el = el("div", { class: "picker" }, this.grid,
      el("div", { class: "picker-keys" },
        keys.map(({ label, word, title }) => button(label, () => onPick(word), { class: "small", title })),
        button("Delete", onBack, { class: "small", icon: "back", title: "Take the last word away" })));
    this.mark(new Map());
  }

  key(face) {
    const node = el("button", { type: "button", class: "picker-card", tabindex: -1, data: { suit: face[1], pick: face }, on: { click: () => this.onPick(face) } },
      el("span", { class: "picker-rank", text: cardText(face).slice(0, -1) }), el("span", { class: "picker-suit", text: cardText(face).slice(-1) }));
    this.cards.set(face, node);
    return node;
  }

  /** Show how often each card is used; `pack`: how often it is in the pack, where the server has told. */
  mark(used, pack = this.pack) {
    this.pack = pack;
    for (const [face, node] of this.cards) {
      const count = used.get(face) ?? 0;
      const most = pack ? (pack[face] ?? 0) : 1;
      node.classList.toggle("is-used", most > 0 ? count >= most : count > 0);
      node.classList.toggle("is-over", pack ? count > most : false);
      node.classList.toggle("is-foreign", most === 0);
      node.dataset.count = count > 1 || (count && most > 1) ? `${count}${most > 1 ? `/${most}` : "×"}` : "";
      const where = count === 0 ? "not used yet" : most > 1 ? `used ${count} of ${most} times` : count === 1 ? "used" : `used ${count} times`;
      node.setAttribute("aria-label", `${cardName(face)}, ${most === 0 ? "not in this pack" : where}`);
    }
  }

  walk(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const nodes = [...this.cards.values()];
    const now = nodes.indexOf(document.activeElement);
    const next = nodes[now + steps[event.key]];
    if (!next) return;
    nodes[now].tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}

/** How often each card is among `faces`. */
export function countFaces(faces) {
  const counts = new Map();
  for (const face of faces) if (face) counts.set(face, (counts.get(face) ?? 0) + 1);
  return counts;
}

/** Put a word where the caret of a text control is, with a blank before it where one is needed. */
export function insertWord(control, word) {
  const { value, selectionStart: start, selectionEnd: end } = control;
  const before = value.slice(0, start);
  const glue = word === "\n" || before === "" || /[\s[(]$/.test(before) ? "" : " ";
  control.setRangeText(`${glue}${word}`, start, end, "end");
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Take the word before the caret away, or the selection. */
export function takeWord(control) {
  const { value, selectionStart: start, selectionEnd: end } = control;
  const left = start === end ? value.slice(0, start).replace(/(\n|[^\s]+[ \t]*|[ \t]+)$/, "").replace(/ $/, "") : value.slice(0, start);
  control.setRangeText("", left.length, end, "end");
  control.dispatchEvent(new Event("input", { bubbles: true }));
}
