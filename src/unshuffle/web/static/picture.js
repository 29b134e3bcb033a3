/** Draws a `Picture` of the server, of any game, and animates its cards to their places in the next picture. */

import { cardElement, cardName, drawCard } from "./cards.js";
import { el } from "./dom.js";
import { matchCards, travel } from "./flip.js";
import { areaGap, measure, offsetsDown, offsetsRight } from "./layout.js";
import { isAnimated, onSettings } from "./settings.js";

/**
 * A picture on the page.
 *
 *     const view = new PictureView(root, { label: "The table" });
 *     view.show(table.picture, { told: table.last });
 *     view.close();                        // when the view is left
 *
 * `isFitted`: the picture keeps within the height of `root` (piles are squeezed); else it is as high as it needs to be.
 * `isLive`: cards and empty places are buttons for the keyboard and for screen readers.
 */
export class PictureView {
  constructor(root, { label = "Cards", isFitted = false, isLive = false } = {}) {
    this.root = root;
    this.isFitted = isFitted;
    this.isLive = isLive;
    this.picture = { areas: [] };
    /** id -> { el, place, area, cards: [elements] } */
    this.places = new Map();
    this.most = new Map();
    root.classList.add("picture");
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", label);
    // A picture that is as high as it needs to be changes its own size when its width has changed. Within the observer's
    // callback the browser would report that as an error; a frame later it is none.
    this.watch = new ResizeObserver(() => requestAnimationFrame(() => this.arrange()));
    this.watch.observe(root);
    this.endSettings = onSettings(() => this.redraw());
  }

  close() {
    this.watch.disconnect();
    this.endSettings();
  }

  /** Show a picture. `told`: the move that led to it, which says where cards without a face came from or went. */
  show(picture, { told = null, animate = true } = {}) {
    const moves = animate && isAnimated() && this.places.size > 0 && document.visibilityState === "visible";
    const before = moves ? this.boxes() : null;
    // Dragged cards continue from where they were dropped.
    for (const node of this.root.querySelectorAll(".is-lifted")) {
      node.classList.remove("is-lifted");
      node.style.transform = "";
    }
    const matched = matchCards(this.places, picture);
    this.picture = picture;
    this.build(matched);
    this.arrange();
    if (before) travel(this, before, matched, told);
    else for (const { node } of matched.gone) node.remove();
  }

  /** Where every card and place is on the screen now. */
  boxes() {
    const boxes = new Map();
    for (const { el: node, cards } of this.places.values()) {
      boxes.set(node, node.getBoundingClientRect());
      for (const card of cards) boxes.set(card, card.getBoundingClientRect());
    }
    return boxes;
  }

  build({ kept }) {
    const areas = this.picture.areas;
    const signature = areas.map((area) => `${area.name}:${area.arrange}:${area.places.map(({ id }) => id)}`).join(";");
    const old = this.places;
    if (signature !== this.signature) {
      // Places that stay keep their elements, and so the focus.
      this.places = new Map();
      this.root.replaceChildren(...this.bands(old));
      this.signature = signature;
    }
    for (const area of areas) {
      this.most.set(area.name, Math.max(this.most.get(area.name) ?? 0, area.places.length));
      for (const place of area.places) this.fillPlace(place, area, kept);
    }
  }

  /** Areas from top to bottom; rows that follow each other stand in one band. */
  bands(old) {
    const bands = [];
    for (const area of this.picture.areas) {
      const section = el("div", { class: `area area-${area.arrange}`, role: "group", aria: { label: area.label }, data: { area: area.name } },
        area.places.map((place) => {
          const known = old.get(place.id);
          const entry = known ?? { el: el("div", { class: "place", data: { place: place.id } }), cards: [] };
          this.places.set(place.id, entry);
          return entry.el;
        }));
      const band = bands.at(-1);
      if (area.arrange === "row" && band?.dataset.arrange === "row") band.append(section);
      else bands.push(el("div", { class: "band", data: { arrange: area.arrange } }, section));
    }
    return bands;
  }

  fillPlace(place, area, kept) {
    const entry = this.places.get(place.id);
    Object.assign(entry, { place, area });
    entry.el.dataset.kind = place.kind;
    entry.el.dataset.spread = place.spread;
    const isStack = place.cards.length === 0 && (place.count ?? 0) > 0;
    entry.el.classList.toggle("is-empty", place.cards.length === 0 && !isStack);
    const nodes = place.cards.map((card, index) => {
      const node = kept.get(place.id)?.[index];
      if (node) drawCard(node, card, this.style(place));
      return node ?? cardElement(card, this.style(place));
    });
    entry.cards = nodes;
    const furniture = [
      place.cards.length === 0 && !isStack ? el("span", { class: "place-hint", text: place.hint || (place.kind === "redeal" ? place.label : ""), aria: { hidden: true } }) : null,
      isStack ? stack(place.count, this.plan?.isSmall) : null,
      place.count !== null && place.count !== undefined && (isStack || place.count > 1) ? el("span", { class: "badge", text: place.count, aria: { hidden: true } }) : null,
    ].filter(Boolean);
    // Elements that stay are not taken out and put back: that would end their focus and their pointer.
    for (const child of [...entry.el.children]) if (!nodes.includes(child)) child.remove();
    nodes.forEach((node, index) => {
      if (entry.el.children[index] !== node) entry.el.insertBefore(node, entry.el.children[index] ?? null);
    });
    entry.el.append(...furniture);
    if (this.isLive) this.name(entry);
    else entry.el.setAttribute("aria-label", placeWords(place));
    if (!this.isLive) entry.el.setAttribute("role", "img");
  }

  /** What a screen reader says of each card and of an empty place. */
  name({ el: node, place, cards }) {
    node.setAttribute("role", cards.length ? "group" : "button");
    const down = place.cards.filter(({ face }) => face === null).length;
    node.setAttribute("aria-label", cards.length ? `${place.label}${down ? `, ${down} face down` : ""}` : placeWords(place));
    node.tabIndex = -1;
    cards.forEach((card, index) => {
      // A screen reader reads the cards that can be taken: faces, and the last card. The label of the place names the rest.
      const isTold = index === cards.length - 1 || (place.spread !== "none" && place.cards[index].face !== null);
      const { face, settled } = place.cards[index];
      card.setAttribute("role", "button");
      card.tabIndex = -1;
      if (isTold) card.removeAttribute("aria-hidden");
      else card.setAttribute("aria-hidden", "true");
      const where = cards.length > 1 ? `, card ${index + 1} of ${cards.length}` : "";
      card.setAttribute("aria-label", `${cardName(face)}, ${place.label}${where}${settled ? ", settled" : ""}`);
    });
  }

  /** Give every card its size and place. */
  arrange() {
    const { areas } = this.picture;
    if (!areas.length || !this.root.isConnected) return;
    const style = getComputedStyle(this.root);
    const width = this.root.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const room = this.isFitted ? this.root.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom) : Infinity;
    if (width <= 0) return;
    const plan = measure(areas, width, room, this.most);
    const isOtherFace = this.plan?.isSmall !== plan.isSmall;
    this.plan = plan;
    if (isOtherFace) this.redraw();
    this.root.style.setProperty("--card", `${plan.card}px`);
    this.root.style.setProperty("--card-high", `${plan.high}px`);
    this.root.style.setProperty("--between", `${plan.between}px`);
    this.root.classList.toggle("has-small-cards", plan.isSmall);
    const columns = areas.filter(({ arrange }) => arrange === "columns");
    const spare = columns.length ? (room - plan.height) / columns.length + plan.high * 2.9 : Infinity;
    for (const area of areas) this.arrangeArea(area, plan, width, Math.max(spare, plan.high * 2.2));
    for (const area of areas) this.spread(area, columns[0], plan);
  }

  arrangeArea(area, plan, width, room) {
    const gap = areaGap(area, plan);
    const slot = Math.round(plan.card * (1 + 2 * plan.step));
    const fit = Math.max(1, Math.floor((width + gap) / (slot + gap)));
    const section = this.places.get(area.places[0]?.id)?.el.parentElement;
    if (!section) return;
    section.style.gap = `${gap}px`;
    if (area.arrange === "flow") section.style.gridTemplateColumns = `repeat(${Math.min(fit, this.most.get(area.name))}, ${slot}px)`;
    else if (area.arrange === "grid") section.style.gridTemplateColumns = `repeat(${area.columns ?? area.places.length}, ${plan.card}px)`;
    for (const { id } of area.places) {
      const { el: node, place, cards } = this.places.get(id);
      if (place.spread === "down") {
        const offsets = offsetsDown(place.cards, plan, room);
        put(cards, offsets, "top", "left");
        node.style.height = `${plan.high + (offsets.at(-1) ?? 0)}px`;
      } else if (place.spread === "right") {
        const { span, offsets } = offsetsRight(place.cards, plan, slot, gap, fit);
        put(cards, offsets, "left", "top");
        node.style.gridColumn = area.arrange === "flow" ? `span ${span}` : "";
        node.style.width = `${plan.card + (offsets.at(-1) ?? 0)}px`;
      } else {
        put(cards, cards.map(() => 0), "left", "top");
      }
    }
  }

  /** A stock that heads a row stands over the first pile, and the rest of the row over the last ones. */
  spread(area, columns, plan) {
    const section = this.places.get(area.places[0]?.id)?.el.parentElement;
    const isSpread = area.arrange === "row" && area.places[0]?.kind === "stock" && columns && columns.places.length >= area.places.length;
    section?.classList.toggle("is-spread", Boolean(isSpread));
    if (!isSpread) return;
    const gap = areaGap(columns, plan);
    section.style.gap = `${gap}px`;
    section.style.width = `${columns.places.length * (plan.card + gap) - gap}px`;
  }

  /** Which of its faces a card shows there. */
  style({ spread }) {
    return { isSmall: this.plan?.isSmall, isFanned: spread === "right" };
  }

  redraw() {
    for (const { place, cards, el: node } of this.places.values()) {
      if (!place) continue;
      cards.forEach((card, index) => drawCard(card, place.cards[index], this.style(place)));
      for (const card of node.querySelectorAll(".stack .card")) drawCard(card, { face: null }, { isSmall: this.plan?.isSmall });
    }
  }
}

function put(cards, offsets, along, across) {
  cards.forEach((card, index) => {
    card.style[along] = `${offsets[index]}px`;
    card.style[across] = "0";
  });
}

/** A pile that shows only the number of its cards. */
function stack(count, isSmall) {
  const layers = Math.min(3, count);
  return el("div", { class: "stack", data: { layers }, aria: { hidden: true } },
    Array.from({ length: layers }, () => cardElement({ face: null }, { isSmall })));
}

/** A place in words: "Pile 3: face-down card, queen of hearts". */
export function placeWords(place) {
  if (place.cards.length) return `${place.label}: ${place.cards.map(({ face }) => cardName(face)).join(", ")}`;
  if (place.count) return `${place.label}: ${place.count} card${place.count === 1 ? "" : "s"}`;
  return `${place.label}: empty${place.hint ? `, ${place.hint}` : ""}`;
}

/** A picture drawn once, for a list or a preview. */
export function drawPicture(root, picture, options = {}) {
  const view = new PictureView(root, options);
  view.show(picture, { animate: false });
  return view;
}
