/** Jack, queen and king: own drawings of one half, shown twice, the second time rotated. */

const SKIN = "#f3d3b3";
const GOLD = "#dba73a";
const LINE = "#2b2233";
const CREAM = "#fff5df";

const SECOND = { C: "#2f6f73", S: "#3b4f8f", H: "#27408a", D: "#7a3b78" };
const HAIR = { J: "#8a5a2b", Q: "#6b3d1e", K: "#55514e" };

/** The framed picture of a court card. `ink` is the suit's colour, `pip` draws its mark. */
export function court(rank, suit, ink, pip) {
  const half = figure(rank, suit, ink) + pip(suit, 33, 25, 13, ink);
  return `<clipPath id="half"><path d="M24 14H76V70H24z"/></clipPath>`
    + `<rect x="24" y="14" width="52" height="112" rx="2" fill="${CREAM}"/>`
    + `<g clip-path="url(#half)">${half}</g><g transform="rotate(180 50 70)"><g clip-path="url(#half)">${half}</g></g>`
    + `<path d="M24 70H76" stroke="${LINE}" stroke-width=".9"/>`
    + `<rect x="24" y="14" width="52" height="112" rx="2" fill="none" stroke="${ink}" stroke-width="1.2"/>`;
}

function figure(rank, suit, ink) {
  return robe(rank, suit, ink) + { J: jack, Q: queen, K: king }[rank](suit, ink);
}

/** Shoulders in two halves, with a collar, a broad sash and studs. */
function robe(rank, suit, ink) {
  const cloth = SECOND[suit];
  return `<path d="M24 72V62C26 55 36 51 50 51S74 55 76 62V72z" fill="${cloth}" stroke="${LINE}" stroke-width=".9"/>`
    + `<path d="M50 51C63 51 74 55 76 62V72H50z" fill="${ink}" stroke="${LINE}" stroke-width=".9"/>`
    + `<path d="M42 51.5 50 72 58 51.5z" fill="${GOLD}" stroke="${LINE}" stroke-width=".9"/>`
    + [58, 63, 68].map((y) => `<circle cx="50" cy="${y}" r="1.3" fill="${CREAM}" stroke="${LINE}" stroke-width=".6"/>`).join("")
    + [[30, 62], [36, 58], [31, 69], [38, 66]].map(([x, y]) =>
      `<path d="M${x} ${y - 2.2}l1.6 2.2-1.6 2.2-1.6-2.2z" fill="${GOLD}"/><path d="M${100 - x} ${y - 2.2}l1.6 2.2-1.6 2.2-1.6-2.2z" fill="${GOLD}"/>`).join("");
}

function face({ browY = 35.5 } = {}) {
  return `<path d="M46.5 45H53.5V53.5Q50 55.5 46.5 53.5z" fill="${SKIN}" stroke="${LINE}" stroke-width=".8"/>`
    + `<path d="M42 34.5C42 30.5 45 28.5 50 28.5S58 30.5 58 34.5V41C58 46 54.5 49 50 49S42 46 42 41z" fill="${SKIN}" stroke="${LINE}" stroke-width=".9"/>`
    + `<path d="M44 ${browY}h4M52 ${browY}h4" stroke="${LINE}" stroke-width="1" stroke-linecap="round"/>`
    + `<circle cx="46.2" cy="38" r=".95" fill="${LINE}"/><circle cx="53.8" cy="38" r=".95" fill="${LINE}"/>`
    + `<path d="M50 37.5 49.2 41.3H50.8" fill="none" stroke="${LINE}" stroke-width=".7" stroke-linecap="round" stroke-linejoin="round"/>`;
}

const mouth = (ink) => `<path d="M47.7 44.3Q50 45.7 52.3 44.3" fill="none" stroke="${ink}" stroke-width="1.2" stroke-linecap="round"/>`;

function jack(suit, ink) {
  const hair = `<path d="M40.5 33C39 40 39.5 46 38 49.5 42 50.5 44.5 48 44.5 44V33zM59.5 33C61 40 60.5 46 62 49.5 58 50.5 55.5 48 55.5 44V33z" fill="${HAIR.J}" stroke="${LINE}" stroke-width=".8"/>`;
  const cap = `<path d="M39 32.5C38 25 44 21.5 51 22 58 22.3 62.5 26 61.5 32.5 55 30.3 45 30.3 39 32.5z" fill="${ink}" stroke="${LINE}" stroke-width=".9"/>`
    + `<path d="M38.5 34.2C45 31.4 55 31.4 61.8 34.2L62 31.2C55 28.3 45 28.3 38.3 31.2z" fill="${GOLD}" stroke="${LINE}" stroke-width=".8"/>`;
  const feather = `<path d="M57 24.5C60 18.5 66 16.5 71.5 18 68.5 19.5 68.5 21 70 22.5 66 22.2 62 24 59.5 28z" fill="${SECOND[suit]}" stroke="${LINE}" stroke-width=".8"/>`
    + `<path d="M58.5 26Q63 20.5 69 19" fill="none" stroke="${CREAM}" stroke-width=".8"/>`;
  return hair + face() + mouth(ink) + feather + cap;
}

function queen(suit, ink) {
  const hair = `<path d="M41 31C35.5 36 38.5 44 35.5 51.5 39 54.5 44 53 44.5 47L43.5 34zM59 31C64.5 36 61.5 44 64.5 51.5 61 54.5 56 53 55.5 47L56.5 34z" fill="${HAIR.Q}" stroke="${LINE}" stroke-width=".8"/>`
    + `<path d="M41 35C41 28 45 26 50 26S59 28 59 35C56.5 31.5 53 30.5 50 30.5S43.5 31.5 41 35z" fill="${HAIR.Q}" stroke="${LINE}" stroke-width=".8"/>`;
  const crown = `<path d="M40.5 28.5 38.5 20.5 44 24 46 18.5 50 23 54 18.5 56 24 61.5 20.5 59.5 28.5C54 26.5 46 26.5 40.5 28.5z" fill="${GOLD}" stroke="${LINE}" stroke-width=".9" stroke-linejoin="round"/>`
    + [[38.5, 20], [46, 18], [54, 18], [61.5, 20]].map(([x, y]) => `<circle cx="${x}" cy="${y}" r="1.5" fill="${ink}" stroke="${LINE}" stroke-width=".6"/>`).join("");
  const necklace = `<path d="M45 53.2Q50 57.5 55 53.2" fill="none" stroke="${CREAM}" stroke-width="1.4" stroke-dasharray=".1 2.1" stroke-linecap="round"/>`;
  return hair.split("<path").slice(0, 2).join("<path") + face({ browY: 35.3 }) + `<path${hair.split("<path")[2]}` + mouth("#b3263a") + crown + necklace;
}

function king(suit, ink) {
  const hair = `<path d="M40.5 32C38.5 38 39.5 44 37.5 48.5 41 50 44 48.5 44.5 45V32zM59.5 32C61.5 38 60.5 44 62.5 48.5 59 50 56 48.5 55.5 45V32z" fill="${HAIR.K}" stroke="${LINE}" stroke-width=".8"/>`;
  const beard = `<path d="M42 40C43.5 43 46 42.7 47.5 42.5 49 42 51 42 52.5 42.5 54 42.7 56.5 43 58 40 58.8 47 56.5 55.5 50 57.5 43.5 55.5 41.2 47 42 40z" fill="${HAIR.K}" stroke="${LINE}" stroke-width=".8"/>`
    + `<path d="M47.8 45Q50 46.4 52.2 45" stroke="#e7a08e" stroke-width="1.3" fill="none" stroke-linecap="round"/>`;
  const crown = `<path d="M39.5 31.5 37.5 21.5 43.5 25.5 45.5 19.5 50 24 54.5 19.5 56.5 25.5 62.5 21.5 60.5 31.5C54 29.3 46 29.3 39.5 31.5z" fill="${GOLD}" stroke="${LINE}" stroke-width=".9" stroke-linejoin="round"/>`
    + `<path d="M39.5 32.5C46 30 54 30 60.5 32.5L60.2 29.8C54 27.6 46 27.6 39.8 29.8z" fill="${ink}" stroke="${LINE}" stroke-width=".7"/>`
    + `<path d="M50 16.5v6M47.3 18.9h5.4" stroke="${GOLD}" stroke-width="1.8"/>`;
  return hair + face() + beard + crown;
}
