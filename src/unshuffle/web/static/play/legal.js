/** The legal moves as text and buttons: for screen readers, for games without a picture, and as a list. */

import { button, el, put } from "../dom.js";

/** Moves that no card is dragged for. */
export const isPress = ({ from }) => from !== null && from.card === null;

/** The disclosure of all legal moves. */
export function showLegal(box, table, play) {
  const { legal } = table;
  const isOpen = box.open || table.picture.areas.length === 0;
  put(box,
    el("summary", { text: `Legal moves (${legal.length})` }),
    legal.length
      ? el("ul", { class: "legal-list" }, legal.map((move) => el("li", {},
        button(move.text, () => play(move), { class: "quiet small", title: move.token, data: { token: move.token } }))))
      : el("p", { class: "note", text: table.outcome ? "The game is over." : "There is none." }));
  box.open = isOpen;
}

/** The buttons for moves that no card is dragged for: deal, redeal. */
export function showPresses(box, table, play) {
  const presses = table.legal.filter(isPress);
  put(box, presses.length > 3 ? null : presses.map((move) =>
    button(move.kind, () => play(move), { icon: "cards", class: "tool press", title: move.text })));

}
