/**
 * The drawings on the cards, as SVG text for images: each face is drawn once and then shown by as many elements as lie on the table.
 * 100 by 140 units. Small faces, for phones, are 100 by 160 and have a large index instead of pips.
 */

import { court } from "./courts.js";

// Within a box of 20 by 20 round the origin.
const PIPS = {
  H: "M0 9C-3.5 5-9.3 1.6-9.3-3.4-9.3-6.7-7-8.9-4.4-8.9-2.3-8.9-.7-7.6 0-5.6.7-7.6 2.3-8.9 4.4-8.9 7-8.9 9.3-6.7 9.3-3.4 9.3 1.6 3.5 5 0 9z",
  D: "M0-10C2-6 4.7-2.8 8 0 4.7 2.8 2 6 0 10-2 6-4.7 2.8-8 0-4.7-2.8-2-6 0-10z",
  S: "M0-9.5C3-5.2 9.3-2.2 9.3 3 9.3 7.5 3.6 8.5.9 4.8 1.1 7.2 2.1 8.6 3.9 9.6H-3.9C-2.1 8.6-1.1 7.2-.9 4.8-3.6 8.5-9.3 7.5-9.3 3-9.3-2.2-3-5.2 0-9.5z",
  C: "M0-9.6C2.5-9.6 4.4-7.7 4.4-5.3 4.4-3.9 3.7-2.6 2.7-1.7 5.6-3.2 9.5-1.3 9.5 2.2 9.5 6.7 3.4 8 .9 4.5 1.1 7.1 2.1 8.6 3.9 9.6H-3.9C-2.1 8.6-1.1 7.1-.9 4.5-3.4 8-9.5 6.7-9.5 2.2-9.5-1.3-5.6-3.2-2.7-1.7-3.7-2.6-4.4-3.9-4.4-5.3-4.4-7.7-2.5-9.6 0-9.6z",
};

const INKS = { C: "#1a2030", S: "#1a2030", H: "#c4202f", D: "#c4202f" };
const FOUR_INKS = { C: "#10703c", S: "#1a2030", H: "#c4202f", D: "#1558b0" };

const PAPER = `<rect width="100" height="160" fill="#fffdf8"/>`;
const FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif";

/** The positions of the pips of a rank: x, y. Those of the lower half are upside down. */
const LEFT = 35, MIDDLE = 50, RIGHT = 65;
const COLUMNS = { 4: [30, 110], 6: [30, 70, 110], 8: [28, 56, 84, 112] };
const SPOTS = {
  2: [[MIDDLE, 30], [MIDDLE, 110]],
  3: [[MIDDLE, 28], [MIDDLE, 70], [MIDDLE, 112]],
  4: pairs(4),
  5: [...pairs(4), [MIDDLE, 70]],
  6: pairs(6),
  7: [...pairs(6), [MIDDLE, 50]],
  8: [...pairs(6), [MIDDLE, 50], [MIDDLE, 90]],
  9: [...pairs(8), [MIDDLE, 70]],
  T: [...pairs(8), [MIDDLE, 42], [MIDDLE, 98]],
};

function pairs(count) {
  return COLUMNS[count].flatMap((y) => [[LEFT, y], [RIGHT, y]]);
}

/** The mark of a suit, `size` units wide. */
export function pip(suit, x, y, size, ink, isTurned = false) {
  const turn = isTurned ? " rotate(180)" : "";
  return `<path d="${PIPS[suit]}" fill="${ink}" transform="translate(${x} ${y})${turn} scale(${size / 20})"/>`;
}

/** A rank as it is printed: T is 10. */
export const printed = (rank) => (rank === "T" ? "10" : rank);

const drawn = new Map();

/** The picture of a face ("TH"), or of the back (null), as a value for `background-image`. */
export function faceImage(face, { isSmall, isFanned, fourColours }) {
  const kind = isSmall ? (isFanned ? "fanned" : "small") : "large";
  const key = `${face} ${kind} ${fourColours}`;
  if (!drawn.has(key)) drawn.set(key, draw(face, kind, fourColours ? FOUR_INKS : INKS));
  return drawn.get(key);
}

const FRONTS = { large: largeFace, small: smallFace, fanned: fannedFace };

function draw(face, kind, inks) {
  const high = kind !== "large" && face !== null ? 160 : 140;
  const content = PAPER + (face === null ? back() : FRONTS[kind](face[0], face[1], inks[face[1]]));
  // The back is a pattern and may be stretched.
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 ${high}" width="300" height="${high * 3}" preserveAspectRatio="none">${content}</svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(text)}")`;
}

function largeFace(rank, suit, ink) {
  const index = number(rank, 12, 22, 21, ink) + pip(suit, 12, 33.5, 13.5, ink);
  const corners = `${index}<g transform="rotate(180 50 70)">${index}</g>`;
  if (rank === "A") return corners + pip(suit, 50, 70, 44, ink);
  if ("JQK".includes(rank)) return corners + court(rank, suit, ink, pip);
  return corners + SPOTS[rank].map(([x, y]) => pip(suit, x, y, 18, ink, y > 70)).join("");
}

/** A rank large enough to be read on a card as wide as a finger, its suit beside it and again below. */
function smallFace(rank, suit, ink) {
  const isCourt = "JQK".includes(rank);
  const frame = isCourt ? `<rect x="14" y="62" width="72" height="84" rx="8" fill="#f7e3ac" stroke="${ink}" stroke-width="2.5"/>` : "";
  return number(rank, 27, 41, 46, ink) + pip(suit, 76, 25, 32, ink) + frame + pip(suit, 50, isCourt ? 104 : 106, isCourt ? 48 : 62, ink);
}

/** The small face of a card in a fan, of which the left edge shows: the suit is under the rank. */
function fannedFace(rank, suit, ink) {
  const frame = "JQK".includes(rank) ? `<rect x="42" y="78" width="52" height="74" rx="8" fill="#f7e3ac" stroke="${ink}" stroke-width="2.5"/>` : "";
  return number(rank, 23, 40, 43, ink) + pip(suit, 23, 62, 30, ink) + frame + pip(suit, 68, 115, frame ? 38 : 50, ink);
}

/** "10" is squeezed to the width that other ranks have. */
function number(rank, x, y, size, ink) {
  const squeeze = rank === "T" ? ` textLength="${size * 0.92}" lengthAdjust="spacingAndGlyphs"` : "";
  return `<text x="${x}" y="${y}" font-family="${FONT}" font-weight="700" font-size="${size}" text-anchor="middle" fill="${ink}"${squeeze}>${printed(rank)}</text>`;
}

/** A lattice in a frame, with the four suits in a rosette. */
function back() {
  const lines = [];
  for (let step = -140; step <= 140; step += 10) {
    lines.push(`M${step} 0l140 140M${step + 100} 0l-140 140`);
  }
  const dots = [];
  for (let row = 0; row <= 14; row += 1) for (let column = 0; column <= 10; column += 1) {
    dots.push(`<circle cx="${column * 10}" cy="${row * 10 + 5}" r="1.1"/>`);
  }
  const rose = ["S", "H", "C", "D"].map((suit, quarter) =>
    `<g transform="rotate(${quarter * 90} 50 70)">${pip(suit, 50, 57.5, 12.5, "#f6ead0")}</g>`).join("");
  return `<clipPath id="inner"><rect x="6" y="6" width="88" height="128" rx="5"/></clipPath>`
    + `<g clip-path="url(#inner)"><rect width="100" height="140" fill="#23407a"/>`
    + `<path d="${lines.join("")}" stroke="#4a69a8" stroke-width="1.2" fill="none"/><g fill="#9db2dc">${dots.join("")}</g></g>`
    + `<rect x="9.5" y="9.5" width="81" height="121" rx="3.5" fill="none" stroke="#f6ead0" stroke-width="1.2" opacity=".8"/>`
    + `<circle cx="50" cy="70" r="25" fill="#1b3263" stroke="#f6ead0" stroke-width="1.4"/>`
    + `<circle cx="50" cy="70" r="21.5" fill="none" stroke="#f6ead0" stroke-width=".7" opacity=".7"/>${rose}`;
}
