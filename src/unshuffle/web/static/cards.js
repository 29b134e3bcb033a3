/** A card as an element, and its names. */

import { el } from "./dom.js";
import { faceImage, printed } from "./faces.js";
import { settings } from "./settings.js";

const RANKS = { A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen", K: "king" };
const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const MARKS = { C: "♣", D: "♦", H: "♥", S: "♠" };

/** "ten of hearts"; a card that lies face down says so. */
export function cardName(face) {
  return face === null ? "face-down card" : `${RANKS[face[0]] ?? face[0]} of ${SUITS[face[1]] ?? face[1]}`;
}

/** "10♥", for running text. */
export function cardText(face) {
  return face === null ? "▮" : `${printed(face[0])}${MARKS[face[1]] ?? face[1]}`;
}

/** Whether a suit is printed red. */
export const isRed = (face) => face !== null && "DH".includes(face[1]);

const shown = new WeakMap();

/** The element of a card. Its size is the `--card` of whatever it lies in; see css/cards.css. */
export function cardElement(card, { isSmall = false, isFanned = false } = {}) {
  const node = el("div", { class: "card" });
  drawCard(node, card, { isSmall, isFanned });
  return node;
}

/** Draw a card, or another one, on an element. */
export function drawCard(node, { face, settled = false }, { isSmall = false, isFanned = false } = {}) {
  node.dataset.face = face ?? "";
  node.classList.toggle("is-down", face === null);
  node.classList.toggle("is-settled", settled);
  const image = faceImage(face, { isSmall, isFanned, fourColours: settings().fourColours });
  // A picture is some kilobytes of text, which the browser would parse again though it be the same.
  if (shown.get(node) !== image) node.style.backgroundImage = image;
  shown.set(node, image);
}
