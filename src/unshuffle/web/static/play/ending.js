/** The end of a game: a small celebration, or what can still be done. */

import { button, el, plural, put } from "../dom.js";
import { isAnimated } from "../settings.js";

const SUITS = ["♠", "♥", "♣", "♦"];

/** Show how the game ended; `actions`: { undo, review, again, deal }. Hidden while it goes on. */
export function showEnding(box, table, actions) {
  if (!table.outcome) {
    box.hidden = true;
    return void put(box);
  }
  const isWon = table.outcome === "won";
  const helped = [plural(table.moves.length, "move")];
  if (table.taken_back) helped.push(`${table.taken_back} taken back`);
  if (table.hints) helped.push(plural(table.hints, "hint"));
  if (table.looked) helped.push("hidden cards were looked at");
  put(box,
    isWon && isAnimated() ? confetti() : null,
    el("div", { class: `ending ending-${table.outcome}` },
      el("h2", { text: isWon ? "Won!" : "No move is left" }),
      el("p", { text: `${table.score_text}. ${helped.join(", ")}.` }),
      el("div", { class: "row-x" },
        isWon ? null : button("Undo", actions.undo, { icon: "undo", class: "primary" }),
        button("New game", actions.deal, { icon: "new", class: isWon ? "primary" : "" }),
        isWon ? null : button("Same deal again", actions.again),
        button(isWon ? "Review" : "Where was it lost?", actions.review, { icon: "review" }),
        button("Close", () => (box.hidden = true), { class: "quiet" }))));
  box.hidden = false;
}

function confetti() {
  return el("div", { class: "confetti", aria: { hidden: true } }, Array.from({ length: 28 }, (_, index) => {
    const mark = el("span", { text: SUITS[index % 4], class: index % 2 ? "red" : "" });
    mark.style.left = `${(index * 37) % 100}%`;
    mark.style.animationDelay = `${(index % 9) * 0.17}s`;
    mark.style.fontSize = `${14 + ((index * 7) % 18)}px`;
    return mark;
  }));
}
