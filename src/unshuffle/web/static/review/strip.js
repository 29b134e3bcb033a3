/** The line of positions as a strip of marks: which could still be won, which were lost, which nobody has decided. */

import { el, svg } from "../dom.js";

export const VERDICTS = {
  winnable: { word: "winnable", shape: () => svg("circle", { cx: 8, cy: 8, r: 5.5 }) },
  lost: { word: "lost", shape: () => svg("path", { d: "M3.5 3.5l9 9M12.5 3.5l-9 9" }) },
  undecided: { word: "not decided", shape: () => svg("rect", { x: 3.5, y: 3.5, width: 9, height: 9, transform: "rotate(45 8 8)" }) },
};

/** How a verdict is known. */
const BY = { search: "searched", line: "the played line wins", inferred: "follows from another position", won: "the game is won", stuck: "no move is left",
  passed: "a win passes here", later: "winnable later, so here too", earlier: "lost before, so here too", same: "lost where it comes again", limit: "a limit was hit", unasked: "not searched", cards: "cards not known", redeals: "only a redeal that nobody knows could win" };

export const byWords = (by) => BY[by] ?? by;

/** A mark: colour and shape, never colour alone. A lost position before a redeal that may win is not red (`goesOn`). */
export function mark(verdict, goesOn = false) {
  return svg("svg", { class: `mark mark-${verdict}${goesOn ? " goes-on" : ""}`, viewBox: "0 0 16 16", width: 16, height: 16, aria: { hidden: true } }, VERDICTS[verdict].shape());
}

/** What the marks mean. */
export function legend() {
  return el("ul", { class: "legend" }, Object.entries(VERDICTS).map(([verdict, { word }]) => el("li", {}, mark(verdict), word)));
}

/** The strip; `onChoose(after)` when a position is pressed, `goesOn(after)` where a redeal may follow. Arrow keys walk; one Tab stop. */
export class Strip {
  constructor(positions, losers, onChoose, goesOn) {
    this.onChoose = onChoose;
    this.marks = positions.map(({ after, token, verdict, by }) => el("button", {
      type: "button",
      class: `position${losers.has(after) ? " is-turning" : ""}`,
      role: "option",
      tabindex: -1,
      title: `${after === 0 ? "The start" : `After move ${after}, ${token}`}: ${VERDICTS[verdict].word} (${byWords(by)})${losers.has(after) ? "; this move lost it" : ""}`,
      aria: { label: `${after === 0 ? "Start" : `Move ${after}`}, ${VERDICTS[verdict].word}${losers.has(after) ? `, this move lost ${goesOn(after) ? "the phase" : "the game"}` : ""}`, selected: false },
      data: { after },
      on: { click: () => onChoose(after) },
    }, mark(verdict, goesOn(after)), el("span", { class: "position-number", text: after })));
    this.el = el("div", { class: "strip", role: "listbox", aria: { label: "Positions", orientation: "horizontal" }, on: { keydown: (event) => this.walk(event) } }, this.marks);
  }

  /** Mark the position that is shown. */
  choose(after, isFocused = false) {
    this.marks.forEach((node, index) => {
      node.tabIndex = index === after ? 0 : -1;
      node.setAttribute("aria-selected", String(index === after));
    });
    const node = this.marks[after];
    this.el.scrollTo({ left: node.offsetLeft - this.el.clientWidth / 2, behavior: "instant" });
    if (isFocused) node.focus({ preventScroll: true });
  }

  walk(event) {
    const now = this.marks.indexOf(event.target.closest(".position"));
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: this.marks.length - 1, PageUp: now - 10, PageDown: now + 10 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = Math.min(this.marks.length - 1, Math.max(0, to));
    this.onChoose(next);
    this.choose(next, true);
  }
}
