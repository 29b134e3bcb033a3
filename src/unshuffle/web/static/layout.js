/** Computes the sizes and distances of the cards of a picture, in pixels, from the available room. No DOM. */

const RATIO = 1.4; // height of a card by its width
const SMALL_RATIO = 1.6; // small cards are taller, so that a finger can hit them
const LARGEST = 140;
const SMALLEST = 24;
const SMALL_FACE = 58; // narrower cards show the large index only

/** The gap between cards as a share of their width. */
const gapOf = (card, places) => Math.max(places > 9 ? 2 : 4, Math.round(card * (places > 9 ? 0.08 : 0.14)));

/**
 * Sizes for the areas of a picture within `width` by `height` pixels (height may be Infinity: then it scrolls with the page).
 * `most`: the most places each area has had, so that cards keep their size when fans leave the table.
 */
export function measure(areas, width, height, most = new Map()) {
  const counts = areas.map((area) => Math.max(area.places.length, most.get(area.name) ?? 0));
  let found = null;
  for (let card = Math.min(LARGEST, Math.floor(width / 3.2)); card >= SMALLEST; card -= 1) {
    const plan = planFor(areas, counts, card, width);
    if (!plan.isWideEnough) continue;
    found = plan;
    // On a low screen the page scrolls, so that cards stay large enough for a finger.
    if (plan.height <= height || card <= Math.min(44, width / 9)) break;
  }
  return found ?? planFor(areas, counts, SMALLEST, width);
}

function planFor(areas, counts, card, width) {
  const isSmall = card < SMALL_FACE;
  const high = Math.round(card * (isSmall ? SMALL_RATIO : RATIO));
  const step = isSmall ? 0.5 : 0.3; // how much of a card shows beside the next one, by its width
  const rise = isSmall ? 0.33 : 0.295; // and above it, by its height
  const bands = [];
  let isWideEnough = true;
  areas.forEach((area, at) => {
    const before = bands.at(-1);
    const count = Math.max(1, counts[at]);
    if (area.arrange === "row") {
      const gap = gapOf(card, count);
      const wide = count * card + (count - 1) * gap;
      // Rows that follow each other share a line while they fit.
      if (before?.arrange === "row" && before.wide + card * 0.5 + wide <= width) before.wide += card * 0.5 + wide;
      else bands.push({ arrange: "row", wide: Math.min(wide, width), high: high * Math.ceil(wide / width) });
    } else if (area.arrange === "flow") {
      const slot = Math.round(card * (1 + 2 * step));
      const gap = gapOf(card, 4);
      const fit = Math.max(1, Math.floor((width + gap) / (slot + gap)));
      const rows = Math.ceil(count / fit);
      isWideEnough &&= slot <= width;
      bands.push({ arrange: "flow", wide: width, high: rows * high + (rows - 1) * gap });
    } else {
      const across = area.arrange === "grid" ? (area.columns ?? count) : count;
      const gap = gapOf(card, across);
      isWideEnough &&= across * card + (across - 1) * gap <= width;
      const rows = Math.ceil(count / across);
      const tall = area.arrange === "columns" ? high * 2.9 : rows * high + (rows - 1) * gap;
      bands.push({ arrange: area.arrange, wide: across * card + (across - 1) * gap, high: tall });
    }
  });
  const between = Math.round(Math.max(8, card * 0.2));
  const total = bands.reduce((sum, band) => sum + band.high, 0) + between * Math.max(0, bands.length - 1);
  return { card, high, isSmall, step, rise, between, isWideEnough, height: total };
}

/** The gap between the places of an area. */
export function areaGap(area, { card }) {
  const across = area.arrange === "grid" ? (area.columns ?? area.places.length) : area.arrange === "columns" ? area.places.length : 4;
  return gapOf(card, across);
}

/** Where each card of a pile that runs down lies, so that it ends within `room`. */
export function offsetsDown(cards, plan, room) {
  const open = plan.high * plan.rise;
  const down = plan.high * 0.11;
  const steps = cards.slice(0, -1).map(({ face }) => (face === null ? down : open));
  const wanted = steps.reduce((sum, step) => sum + step, 0);
  const free = Math.max(0, room - plan.high);
  const least = plan.isSmall ? 0.6 : 0.42; // closer than that no index can be read: then the table scrolls
  const squeeze = wanted > free ? Math.max(least, free / wanted) : 1;
  let at = 0;
  return cards.map((_, index) => (index === 0 ? 0 : (at += steps[index - 1] * squeeze)));
}

/** Where each card of a fan that runs to the right lies, and how many slots the fan takes. */
export function offsetsRight(cards, plan, slot, gap, fit) {
  const wanted = plan.card * plan.step;
  const least = wanted * (plan.isSmall ? 0.8 : 0.62);
  const steps = Math.max(0, cards.length - 1);
  const span = Math.min(fit, Math.max(1, Math.ceil((plan.card + steps * least + gap) / (slot + gap))));
  const room = span * slot + (span - 1) * gap - plan.card;
  const step = steps ? Math.min(wanted, room / steps) : 0;
  return { span, offsets: cards.map((_, index) => index * step) };
}
