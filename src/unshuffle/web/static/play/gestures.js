/** Mouse and touch on the table: drag and drop, tap then tap, double tap. The server lists the legal moves. */

import { cardName } from "../cards.js";
import { chooseAt } from "../dialog.js";
import { settings } from "../settings.js";
import { toast } from "../toast.js";

const DOUBLE = 380; // milliseconds between the taps of a double tap
const SLOP = { mouse: 4, pen: 6, touch: 9 }; // pixels before a press becomes a drag

export class Gestures {
  /** `view`: the PictureView; `play(move)`: make a legal move. */
  constructor(view, play) {
    this.view = view;
    this.play = play;
    this.legal = [];
    this.isPaused = false;
    this.chosen = null; // { place, index }
    this.press = null;
    this.lastTap = { node: null, at: 0 };
    const { root } = view;
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.moved(event));
    root.addEventListener("pointerup", (event) => this.up(event));
    root.addEventListener("pointercancel", () => this.drop());
    // A flicked card must not scroll the page: the browser would use the next tap to stop the scrolling.
    root.addEventListener("touchmove", (event) => this.press?.lifted && event.preventDefault(), { passive: false });
    root.addEventListener("lostpointercapture", (event) => {
      // A finger belongs to the card it first touched, and leaves that card when the table takes it over.
      if (event.target === root) this.drop();
    });
  }

  /** New legal moves: mark what can be lifted or pressed. */
  update(legal) {
    this.legal = legal;
    if (this.press?.lifted) this.press = null;
    this.choose(null);
    for (const [id, { el: node, cards }] of this.view.places) {
      cards.forEach((card, index) => card.classList.toggle("can-lift", this.movesFrom(id, index).length > 0));
      node.classList.toggle("can-press", this.pressesOf(id).length > 0);
    }
  }

  movesFrom(place, index) {
    return this.legal.filter(({ from }) => from && from.place === place && from.card === index);
  }

  movesTo(place) {
    return this.legal.filter(({ to }) => to?.place === place);
  }

  /** Moves that no card is dragged for: a click on the place does them. */
  pressesOf(place) {
    return this.legal.filter(({ from }) => from && from.card === null && from.place === place);
  }

  // Pointer events.

  down(event) {
    if (this.isPaused || event.button !== 0 || this.press) return;
    const spot = this.spotOf(event.target);
    if (!spot) return void this.choose(null);
    this.press = { ...spot, x: event.clientX, y: event.clientY, id: event.pointerId, kind: event.pointerType, lifted: null };
  }

  moved(event) {
    const press = this.press;
    if (!press || event.pointerId !== press.id) return;
    const x = event.clientX - press.x;
    const y = event.clientY - press.y;
    if (!press.lifted) {
      if (Math.hypot(x, y) < (SLOP[press.kind] ?? 6) || !this.lift(press)) return;
      this.view.root.setPointerCapture(press.id);
    }
    event.preventDefault();
    press.lifted.forEach((node) => (node.style.transform = `translate(${x}px, ${y}px)`));
    const target = this.targetUnder(press, event);
    for (const node of this.view.root.querySelectorAll(".is-over")) node.classList.remove("is-over");
    if (target) this.markOf(target)?.classList.add("is-over");
  }

  up(event) {
    const press = this.press;
    if (!press || event.pointerId !== press.id) return;
    this.press = null;
    if (!press.lifted) return void this.tap(press, event);
    const target = this.targetUnder(press, event);
    const moves = this.movesFrom(press.place, press.index).filter(({ to }) => to?.place === target);
    const other = this.spotOf(document.elementsFromPoint(event.clientX, event.clientY).find((node) => !press.lifted.includes(node)));
    this.unmark();
    if (moves.length) {
      this.make(moves, event, () => this.settle(press.lifted));
    } else {
      this.settle(press.lifted);
      if (other && other.place !== press.place) this.explain(press, other);
    }
  }

  /** The drag ended without a drop. */
  drop() {
    if (!this.press?.lifted) return;
    const { lifted } = this.press;
    this.press = null;
    this.unmark();
    this.settle(lifted);
  }

  lift(press) {
    if (press.index === null || !this.movesFrom(press.place, press.index).length) return false;
    this.choose(null);
    press.lifted = this.handful(press);
    press.lifted.forEach((node) => node.classList.add("is-lifted"));
    this.markTargets(this.movesFrom(press.place, press.index));
    return true;
  }

  /** The cards that go together when this one is lifted. */
  handful({ place, index }) {
    const [{ from }] = this.movesFrom(place, index);
    return this.view.places.get(place).cards.slice(index, index + from.count);
  }

  /** Put lifted cards back; they glide. */
  settle(nodes) {
    for (const node of nodes) {
      const from = node.style.transform;
      node.style.transform = "";
      node.classList.remove("is-lifted");
      if (from && document.documentElement.dataset.animated !== "no") {
        node.animate([{ transform: from }, { transform: "none" }], { duration: 160, easing: "ease-out" });
      }
    }
  }

  /** The legal target which the lifted card covers most, or under the pointer. */
  targetUnder(press, { clientX, clientY }) {
    const held = press.lifted[0].getBoundingClientRect();
    let best = null;
    let most = 0;
    for (const { to } of this.movesFrom(press.place, press.index)) {
      const entry = to && this.view.places.get(to.place);
      if (!entry) continue;
      const box = this.dropBox(entry);
      const wide = Math.min(held.right, box.right) - Math.max(held.left, box.left);
      const high = Math.min(held.bottom, box.bottom) - Math.max(held.top, box.top);
      const isUnder = clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
      const cover = Math.max(0, wide) * (high > 0 ? high : 0) + (isUnder ? held.width * held.height : 0);
      if (cover > most) [best, most] = [to.place, cover];
    }
    return most > held.width * held.height * 0.08 ? best : null;
  }

  /** A pile takes a card anywhere along its length. */
  dropBox({ el: node, cards }) {
    const box = node.getBoundingClientRect();
    const last = cards.at(-1)?.getBoundingClientRect() ?? box;
    return { left: Math.min(box.left, last.left), right: Math.max(box.right, last.right), top: box.top, bottom: Math.max(box.bottom, last.bottom) };
  }

  // Taps, and Enter on the keyboard.

  tap(press, event) {
    const node = this.nodeOf(press);
    const now = performance.now();
    const isDouble = this.lastTap.node === node && now - this.lastTap.at < DOUBLE;
    this.lastTap = isDouble ? { node: null, at: 0 } : { node, at: now };
    if (isDouble && this.sendUp(press, event)) return;
    this.activate(press, event, { isDouble });
  }

  /** The move that a double click makes: up, or else the only one there is. */
  sendUp({ place, index }, event) {
    const moves = this.movesFrom(place, index);
    const up = moves.filter((move) => move.goes_up);
    if (up.length) return this.make(up, event), true;
    if (moves.length === 1) return this.make(moves, event), true;
    return false;
  }

  /** A tap on a card or place, or Enter on it. */
  activate(spot, at, { isDouble = false } = {}) {
    const { place, index } = spot;
    const from = this.chosen;
    if (from) {
      const moves = this.movesFrom(from.place, from.index).filter(({ to }) => to?.place === place);
      if (moves.length) return void this.make(moves, at);
      const isSame = from.place === place && from.index === index;
      this.choose(null);
      if (isSame) return;
      if (index === null || !this.movesFrom(place, index).length) return void this.explain(from, spot);
    }
    const moves = index === null ? [] : this.movesFrom(place, index);
    if (moves.length) {
      if (settings().tapMoves && moves.length === 1) return void this.make(moves, at);
      return void this.choose({ place, index });
    }
    const presses = this.pressesOf(place);
    if (presses.length) return void (isDouble || this.make(presses, at));
    const { cards, place: shown } = this.view.places.get(place);
    const here = this.movesTo(place);
    if (!cards.length && here.length === 1) return void this.make(here, at);
    if (!cards.length && here.length) return void toast(`Lift a card first, then set it on ${shown.label}.`);
    this.refuse(spot);
  }

  /** Make the move; where one gesture means several, ask which. */
  async make(moves, at, back = () => {}) {
    this.choose(null);
    let move = moves[0];
    if (moves.length > 1) {
      const token = await chooseAt(pointOf(at), "Which move?", moves.map(({ token: value, text }) => ({ label: text, value })));
      move = moves.find((one) => one.token === token);
      if (!move) return void back();
    }
    if (!(await this.play(move))) back();
  }

  choose(spot) {
    this.unmark();
    for (const node of this.view.root.querySelectorAll(".is-chosen")) {
      node.classList.remove("is-chosen");
      node.removeAttribute("aria-pressed");
    }
    this.chosen = spot;
    if (!spot) return;
    const nodes = this.handful(spot);
    nodes.forEach((node) => node.classList.add("is-chosen"));
    nodes[0].setAttribute("aria-pressed", "true");
    this.markTargets(this.movesFrom(spot.place, spot.index));
  }

  /** The places to which what is chosen may go. */
  targets() {
    return this.chosen ? this.movesFrom(this.chosen.place, this.chosen.index).map(({ to }) => to?.place).filter(Boolean) : [];
  }

  // Marks and words.

  markTargets(moves) {
    for (const { to } of moves) if (to) this.markOf(to.place)?.classList.add("is-target");
  }

  unmark() {
    for (const node of this.view.root.querySelectorAll(".is-target, .is-over")) node.classList.remove("is-target", "is-over");
  }

  /** The element that marks a place: its last card, or the place. */
  markOf(id) {
    const entry = this.view.places.get(id);
    return entry ? (entry.cards.at(-1) ?? entry.el) : null;
  }

  explain(from, to) {
    const { place } = this.view.places.get(from.place);
    const target = this.view.places.get(to.place)?.place;
    toast(`The ${cardName(place.cards[from.index]?.face ?? null)} cannot go to ${target?.label ?? "that place"}.`, { seconds: 3 });
  }

  refuse({ place, index }) {
    const entry = this.view.places.get(place);
    const node = entry.cards[index] ?? null;
    if (node) {
      node.classList.remove("is-shaken");
      void node.offsetWidth; // the animation starts anew only if the class was seen to go
      node.classList.add("is-shaken");
    }
    const card = entry.place.cards[index];
    toast(card ? (card.face === null ? "That card lies face down." : `The ${cardName(card.face)} cannot move now.`)
      : entry.place.count ? `Nothing can be done with ${entry.place.label} now.` : `${entry.place.label} is empty; no card can go there now.`, { seconds: 3 });
  }

  /** The card or place that an element belongs to: { place, index } with index null for a place without cards. */
  spotOf(node) {
    const home = node?.closest?.(".place");
    if (!home || !this.view.root.contains(home)) return null;
    const { cards } = this.view.places.get(home.dataset.place) ?? { cards: [] };
    const index = cards.indexOf(node.closest(".card"));
    return { place: home.dataset.place, index: index >= 0 ? index : cards.length ? cards.length - 1 : null };
  }

  nodeOf({ place, index }) {
    const entry = this.view.places.get(place);
    return entry?.cards[index] ?? entry?.el ?? null;
  }
}

function pointOf(at) {
  if (at instanceof Event && at.clientX !== undefined) return { x: at.clientX, y: at.clientY };
  const box = document.activeElement?.getBoundingClientRect() ?? { left: innerWidth / 2, bottom: innerHeight / 2, width: 0 };
  return { x: box.left + box.width / 2, y: box.bottom };
}
