/** A table as far as it is typed: its places with small cards, faults on the cards. */

import { el } from "../dom.js";
import { drawWord } from "../enter/reading.js";
import { readFace, withCards } from "../prose.js";

const SINGLES = 13; // places in a row if each holds one card: the length of a suit

/** `onChoose(text)` gets the answer that edits the pressed place: its name and its cards. */
export function drawDraft({ cells, labels, rows, faults }, onChoose) {
  const isGrid = cells.length > SINGLES && cells.every((cell) => !cell.includes(" "));
  const doubled = new Set([...rows.join(" ").matchAll(/(\S+?)!/g)].map(([, word]) => readFace(word)).filter(Boolean));
  const messages = faults.map((message, index) => ({ message, id: `draft-fault-${index}` }));
  const ids = new Map(messages.map((each) => [each, each.id]));
  const draw = (text, number) => words(text).map((word) => drawWord(
    { token: word, faults: faultsOf(word, number, messages, doubled) }, ids,
    () => onChoose(isGrid ? `${cellName(number)} ` : `${number}: ${text}`)));
  const places = cells.map((cell, index) => el("div", { class: `draft-place${cell ? "" : " is-open"}`, role: "group", aria: { label: `Place ${index + 1}` } },
    isGrid ? null : el("span", { class: "draft-number", text: index + 1, aria: { hidden: true } }),
    cell ? draw(cell, index + 1) : isGrid ? el("span", { class: "read-word is-blank is-open" }) : null));
  return [
    el("div", { class: `draft ${isGrid ? "draft-grid" : "draft-flow"}` }, places),
    Object.keys(labels).length ? el("dl", { class: "draft-labels" }, Object.entries(labels).map(([label, value]) => [
      el("dt", { text: label }), el("dd", {}, withCards(value || "–"))])) : null,
    messages.length ? el("section", { class: "faults", aria: { label: "Faults" } },
      el("ul", {}, messages.map(({ message, id }) => el("li", { id }, withCards(message))))) : null,
  ];
}

/** The faces that lie on a draft, for the picker. */
export function facesOf({ cells, labels }) {
  return [...cells, ...Object.values(labels)].flatMap((text) => words(text).map(({ card }) => card)).filter(Boolean);
}

const words = (text) => text.split(/\s+/).filter(Boolean).map((word) => ({ text: word, card: readFace(word.replace(/[[\]]/g, "")) }));

/** The faults of a word: messages that quote it or name its place. A card that is there twice is a fault by itself. */
function faultsOf({ text, card }, number, messages, doubled) {
  const isKnown = card || /^-+$|^g$|^\?$|##|^\d+$/i.test(text);
  const own = messages.filter(({ message }) => (card && message.includes(`'${card}'`)) || message.includes(`'${text}'`));
  if (own.length) return own;
  if (card && doubled.has(card)) return [{ message: "this card is there twice" }];
  return isKnown ? [] : messages.filter(({ message }) => message.includes(` ${number}:`)).concat({ message: "this is not a card" }).slice(0, 1);
}

const cellName = (number) => `r${Math.ceil(number / SINGLES)}c${((number - 1) % SINGLES) + 1}`;
