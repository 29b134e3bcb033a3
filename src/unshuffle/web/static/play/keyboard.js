/** The table without a mouse: one stop for Tab, arrows from card to card, Enter to lift and drop; and the letters. */

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Keyboard {
  constructor(view, gestures) {
    this.view = view;
    this.gestures = gestures;
    this.spot = null; // where the focus is, or will be at the next Tab
    view.root.addEventListener("keydown", (event) => this.key(event));
    view.root.addEventListener("focusin", (event) => this.stop(gestures.spotOf(event.target)));
  }

  /** After a new picture: make one element reachable by Tab, and restore the focus. */
  update() {
    const had = this.hasFocus;
    if (!this.spot || !this.view.places.has(this.spot.place)) this.spot = this.gestures.spotOf(this.nodes()[0]);
    if (this.spot) {
      const { cards } = this.view.places.get(this.spot.place);
      this.spot = { place: this.spot.place, index: cards.length ? Math.min(this.spot.index ?? cards.length, cards.length - 1) : null };
    }
    this.stop(this.spot);
    if (had) this.gestures.nodeOf(this.spot)?.focus({ preventScroll: true });
    this.hasFocus = false;
  }

  /** Before a new picture: elements may be taken away, and their focus with them. */
  remember() {
    this.hasFocus = this.view.root.contains(document.activeElement);
  }

  /** Let the focus go to the place of a move that is about to be made. */
  follow(move) {
    if (this.view.root.contains(document.activeElement) && move.to) this.spot = { place: move.to.place, index: Infinity };
  }

  stop(spot) {
    for (const node of this.view.root.querySelectorAll('[tabindex="0"]')) node.tabIndex = -1;
    if (!spot) return;
    this.spot = spot;
    const node = this.gestures.nodeOf(spot);
    if (node) node.tabIndex = 0;
  }

  /** Everything the focus can be on: cards that show a face or are the last of their place, and empty places. */
  nodes() {
    return [...this.view.places.values()].flatMap(({ el: node, place, cards }) =>
      cards.length ? cards.filter((_, index) => index === cards.length - 1 || (place.spread !== "none" && place.cards[index].face !== null)) : [node]);
  }

  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || this.gestures.isPaused) return;
    if (event.key in ARROWS) {
      event.preventDefault();
      this.step(...ARROWS[event.key]);
    } else if (event.key === "Enter" || event.key === " ") {
      const spot = this.gestures.spotOf(event.target);
      if (!spot) return;
      event.preventDefault();
      if (event.shiftKey) this.gestures.sendUp(spot, null) || this.gestures.activate(spot, null);
      else this.gestures.activate(spot, null);
      this.goToTarget();
    } else if (event.key === "Escape" && this.gestures.chosen) {
      event.preventDefault();
      const { chosen } = this.gestures;
      this.gestures.choose(null);
      this.gestures.nodeOf(chosen)?.focus();
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      this.nodes().at(event.key === "Home" ? 0 : -1)?.focus();
    }
  }

  /** A card was lifted: the focus goes on to the first place where it may be set down. */
  goToTarget() {
    const [first] = this.gestures.targets();
    if (first) this.gestures.markOf(first)?.focus();
  }

  /** To the nearest card in a direction; while one is lifted, only to where it may go and to where it came from. */
  step(x, y) {
    const here = document.activeElement;
    const start = pointOf(here);
    const { chosen } = this.gestures;
    const all = chosen ? [...this.gestures.targets().map((id) => this.gestures.markOf(id)), this.gestures.nodeOf(chosen)] : this.nodes();
    let best = null;
    let least = Infinity;
    for (const node of all) {
      if (node === here || !node) continue;
      const point = pointOf(node);
      const along = (point.x - start.x) * x + (point.y - start.y) * y;
      const across = Math.abs((point.x - start.x) * y) + Math.abs((point.y - start.y) * x);
      if (along < 4) continue;
      const cost = along + across * (x ? 1.2 : 3);
      if (cost < least) [best, least] = [node, cost];
    }
    best?.focus();
  }
}

/** The corner that shows of a card under others; not its middle, which they hide. */
function pointOf(node) {
  const box = node.getBoundingClientRect();
  return { x: box.left + 6, y: box.top + 6 };
}

/** Letters for the whole view. `keys`: { "u": f, "ctrl+z": f }. Returns a function that ends it. */
export function listen(keys) {
  const onKey = (event) => {
    if (event.defaultPrevented || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.closest?.("input, textarea, select")) return;
    const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const key = `${event.ctrlKey || event.metaKey ? "ctrl+" : ""}${event.shiftKey && letter !== "?" ? "shift+" : ""}${letter}`;
    if (!keys[key]) return;
    event.preventDefault();
    keys[key]();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
