/** Matches the cards of two pictures, and animates them from the old to the new place. */

/**
 * Cards that stay keep their elements. Returns { kept: place id -> [element or undefined], turned: Set, gone: [{ node, place }] }.
 * Faces may come twice (two packs) or be unknown (face down), so a card is the same if it lies where it lay, or has the same face
 * as one that has left its place.
 */
export function matchCards(places, picture) {
  const kept = new Map();
  const turned = new Set();
  const free = [];
  const wanted = [];
  const seen = new Set();
  for (const place of picture.areas.flatMap((area) => area.places)) {
    seen.add(place.id);
    const old = places.get(place.id);
    const before = old?.place?.cards ?? [];
    const nodes = place.cards.map((card, index) => {
      const was = before[index];
      if (was && was.face === card.face) return old.cards[index];
      if (was && was.face === null && index === place.cards.length - 1 && index === Math.min(before.length, place.cards.length) - 1) {
        turned.add(old.cards[index]);
        return old.cards[index];
      }
      wanted.push({ place, index, face: card.face });
      return undefined;
    });
    kept.set(place.id, nodes);
    before.forEach((card, index) => {
      if (!nodes.includes(old.cards[index])) free.push({ node: old.cards[index], place: place.id, face: card.face });
    });
  }
  for (const [id, { place, cards }] of places) {
    if (!seen.has(id)) place.cards.forEach((card, index) => free.push({ node: cards[index], place: id, face: card.face }));
  }
  for (const { place, index, face } of wanted) {
    const at = free.findIndex((card) => card.face === face && face !== null);
    if (at >= 0) kept.get(place.id)[index] = free.splice(at, 1)[0].node;
  }
  return { kept, turned, gone: free };
}

const EASE = "cubic-bezier(.22,.8,.3,1)";

/** Let every card that has another place now go there from where it was. */
export function travel(view, before, { turned, gone }, told) {
  const source = boxOf(view, before, told?.from?.place) ?? stockBox(view, before);
  const target = boxOf(view, null, told?.to?.place);
  const flights = [];
  // All positions are measured before any animation starts, since a measurement in between would force a new layout.
  for (const { cards } of view.places.values()) {
    for (const node of cards) {
      const was = before.get(node) ?? source;
      const now = node.getBoundingClientRect();
      if (!was || !now.width) continue;
      const x = was.left - now.left;
      const y = was.top - now.top;
      if (Math.abs(x) >= 1 || Math.abs(y) >= 1) flights.push({ node, x, y, isNew: !before.has(node) });
    }
  }
  let late = 0;
  for (const { node, x, y, isNew } of flights) slide(node, x, y, isNew ? Math.min(late++ * 22, 320) : 0);
  for (const node of turned) turn(node);
  for (const { node } of gone) leave(view, node, before.get(node), target);
}

function boxOf(view, before, id) {
  const node = id ? view.places.get(id)?.el : null;
  return node ? (before?.get(node) ?? node.getBoundingClientRect()) : null;
}

function stockBox(view, before) {
  const stock = [...view.places.values()].find(({ place }) => place.kind === "stock");
  return stock ? (before.get(stock.el) ?? stock.el.getBoundingClientRect()) : null;
}

function slide(node, x, y, delay) {
  const far = Math.hypot(x, y);
  node.classList.add("is-travelling");
  const flight = node.animate([{ transform: `translate(${x}px, ${y}px)` }, { transform: "none" }],
    { duration: Math.min(320, 140 + far * 0.22), delay, easing: EASE, fill: "backwards" });
  flight.finished.catch(() => {}).then(() => node.classList.remove("is-travelling"));
}

function turn(node) {
  node.animate([{ transform: "scaleX(0)" }, { transform: "none" }], { duration: 190, easing: "ease-out" });
}

/** A card that no place shows any more: a copy moves to the target of the move, and fades. */
function leave(view, node, was, target) {
  if (!was) return void node.remove();
  const home = view.root.getBoundingClientRect();
  node.classList.add("is-ghost");
  node.removeAttribute("role");
  node.setAttribute("aria-hidden", "true");
  node.style.left = `${was.left - home.left - view.root.clientLeft + view.root.scrollLeft}px`;
  node.style.top = `${was.top - home.top - view.root.clientTop + view.root.scrollTop}px`;
  view.root.append(node);
  const x = target ? target.left - was.left : 0;
  const y = target ? target.top - was.top : 0;
  node.animate([{ transform: "none", opacity: 1 }, { transform: `translate(${x}px, ${y}px)`, opacity: target ? 0.6 : 0 }],
    { duration: 280, easing: EASE }).finished.catch(() => {}).then(() => node.remove());
}
