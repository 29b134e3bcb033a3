/** The dialog of keys and gestures; the help page shows the same. */

import { openDialog } from "../dialog.js";
import { el } from "../dom.js";

const KEYS = [
  ["Arrows", "from card to card; while one is lifted, from target to target"],
  ["Enter, Space", "lift the card, set it down, press the stock"],
  ["Shift + Enter", "send the card up, or where alone it can go"],
  ["Escape", "put it back"],
  ["T", "to the table"],
  ["U, Ctrl + Z", "undo"],
  ["R, Ctrl + Y", "redo"],
  ["D", "deal, or redeal"],
  ["H", "hint"],
  ["S", "can this still be won?"],
  ["L", "list of legal moves"],
  ["N", "new game"],
  ["?", "this list"],
];

const GESTURES = [
  ["Drag", "a card to one of the places that light up"],
  ["Click, then click", "a card, then where it goes"],
  ["Double click", "up, or where alone it can go"],
  ["Click on the stock", "deal"],
];

/** Both lists, as elements. */
export function keyLists() {
  const list = (rows, isKeys) => el("dl", { class: "keys" }, rows.map(([key, text]) => [
    el("dt", {}, isKeys ? key.split(", ").map((one, at) => [at ? " " : "", el("kbd", { text: one })]) : key), el("dd", { text })]));
  return [el("h3", { text: "Keys" }), list(KEYS, true), el("h3", { text: "Mouse and touch" }), list(GESTURES, false)];
}

export function showKeys() {
  return openDialog({ title: "Keys and gestures", content: keyLists(), actions: [{ label: "Close", value: true, class: "primary" }] });
}
