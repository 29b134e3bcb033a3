/** What may be asked: a hint, whether the game can still be won, and the coach's opinion. Answers stand in a panel beside the table. */

import { openDialog } from "../dialog.js";
import { button, el, plural, put, toggle } from "../dom.js";
import { effortOf, toneOf } from "../enter/solving.js";
import { proseLines } from "../prose.js";
import { choose, settings } from "../settings.js";
import { say, showError, toast } from "../toast.js";
import { waitFor } from "../waiting.js";

export class Assistant {
  /** `game`: the Game; `mark(told)`: show a move on the table; `watch(moves)`: play a line back. */
  constructor(panel, game, { mark, watch, play }) {
    Object.assign(this, { panel, game, mark, watch, play, job: null });
    this.clear();
  }

  get isBusy() {
    return this.job !== null;
  }

  /** The table has changed: discard answers for the old one. */
  tableChanged() {
    this.mark(null);
    if (this.job) this.cancel();
    if (!this.isPinned) this.clear();
  }

  clear() {
    this.isPinned = false;
    this.panel.classList.remove("has-answer");
    put(this.panel, el("p", { class: "note idle", text: "Ask for a hint, or whether the game can still be won. The answer appears here." }));
  }

  show(title, ...content) {
    this.panel.classList.add("has-answer");
    put(this.panel,
      el("header", { class: "answer-head" }, el("h3", { text: title }),
        button("Close", () => {
          this.cancel();
          this.mark(null);
          this.clear();
        }, { icon: "close", class: "icon-only quiet small" })),
      content);
  }

  async cancel() {
    const { job } = this;
    this.job = null;
    await job?.cancel();
  }

  /** Run a job with its progress in the panel. Resolves with the ended job, or null if another question came first. */
  async ask(title, body) {
    await this.cancel();
    const mine = (this.job = { cancel: async () => {} });
    const box = el("div", { class: "thinking" }, el("p", { class: "note", text: "Thinking…" }));
    this.show(title, box);
    try {
      const job = await waitFor(box, title, body, {
        onStart: ({ cancel }) => {
          mine.cancel = cancel;
          if (this.job !== mine) cancel();
        },
      });
      return this.job === mine ? job : null;
    } catch (error) {
      if (this.job === mine) this.clear();
      throw error;
    } finally {
      if (this.job === mine) this.job = null;
    }
  }

  // The hint.

  async hint() {
    if (this.game.table.outcome) return void toast("The game is over.");
    try {
      const job = await this.ask("Hint", { kind: "hint", table: this.game.table.id });
      if (job?.result) this.tellHint(job.result);
      else if (job) this.clear();
    } catch (error) {
      showError(error);
    }
  }

  tellHint({ told, plan, chance, chance_text: chanceText, claim, closing }) {
    const words = told ? `${told.kind}: ${told.text}` : "There is nothing to do.";
    say(`Hint. ${words}. ${chanceText}`);
    this.mark(told);
    const rest = (plan ?? []).slice(1);
    const isReason = (line) => /^(Why|Because): /.test(line);
    const figures = (claim ?? []).filter((line) => !isReason(line));
    const isLong = figures.length > 4 || figures.some((line) => /\S {2,}\S/.test(line));
    this.show("Hint",
      el("p", { class: "told" }, told ? [el("span", { class: "told-kind", text: told.kind }), " ", told.text] : words),
      (claim ?? []).filter(isReason).map((line) => el("p", { class: "reason", text: line })),
      chance ? meter(chance, chanceText) : chanceText ? el("p", { text: chanceText }) : null,
      isLong ? null : el("div", { class: "claim" }, proseLines(figures)),
      closing ? el("p", { class: "note", text: closing }) : null,
      told ? el("div", { class: "row-x" }, button("Play it", () => this.play(told), { class: "primary small", icon: "play" }),
        rest.length ? button("Watch the plan", () => this.watch(plan), { class: "small" }) : null) : null,
      rest.length ? el("details", { class: "plan" }, el("summary", { text: `The plan: ${plural(plan.length, "move")}` }), moveList(plan)) : null,
      isLong ? el("details", { class: "plan" }, el("summary", { text: "How it was weighed" }), el("div", { class: "claim" }, proseLines(figures))) : null);
  }

  // Can this still be won?

  async solve() {
    const { table } = this.game;
    const look = table.solver_looks && !table.looked;
    if (look && !settings().mayLook && !(await this.mayLook())) return;
    try {
      const body = { kind: "solve", table: table.id, ...(table.solver_looks ? { look: true } : {}) };
      const job = await this.ask("Can this still be won?", body);
      if (job?.result) this.tellVerdict(job.result, job.status === "cancelled");
      else if (job) this.show("Can this still be won?", el("p", { text: "Stopped, nothing found yet. That is not a no." }));
    } catch (error) {
      showError(error);
    }
  }

  async mayLook() {
    let always = false;
    const answer = await openDialog({
      title: "Let the solver look?",
      content: [
        el("p", { text: "Some cards are hidden from you. The solver would use all of them, and its answer tells you something that a player cannot know." }),
        el("p", { text: "The game will say that hidden cards were looked at." }),
        toggle("Do not ask again", false, (checked) => (always = checked)),
      ],
      actions: [{ label: "No", value: null }, { label: "Look", value: true, class: "primary" }],
    });
    if (answer && always) choose({ mayLook: true });
    return answer === true;
  }

  tellVerdict(result, isStopped) {
    const { status, verdict, moves, chance, chance_text: chanceText } = result;
    say([chanceText, verdict].filter(Boolean).join(" "));
    this.isPinned = false;
    this.show("Can this still be won?",
      chance ? meter(chance, `${chance.p > 0 && chance.p < 1 ? (100 * chance.p).toFixed(1) : 100 * chance.p} %`) : null,
      chanceText ? el("p", { class: "verdict verdict-open", text: chanceText }) : null,
      el("p", { class: `verdict verdict-${toneOf(result)}`, text: verdict }),
      el("p", { class: "note", text: effortOf(result, isStopped) }),
      moves.length ? el("div", { class: "row-x" }, button(status === "solved" ? "Watch the solution" : "Watch the best line",
        () => this.watch(moves), { class: "primary small", icon: "play" })) : null,
      moves.length ? el("details", { class: "plan" }, el("summary", { text: `The line: ${plural(moves.length, "move")}` }), moveList(moves)) : null);
  }

  // The coach.

  /** Whether a move may be made: the coach asks before one that loses a proved win. */
  async allows(move) {
    if (!settings().coach) return true;
    try {
      const job = await this.ask("Coach", { kind: "coach", table: this.game.table.id, move: move.token });
      this.clear();
      if (!job?.result?.loses) return true;
      const answer = await openDialog({
        title: "The coach asks",
        content: job.result.lines.filter(Boolean).map((text) => el("p", { text })),
        actions: [{ label: "Move anyway", value: true }, { label: "Think again", value: null, class: "primary" }],
      });
      return answer === true;
    } catch (error) {
      showError(error);
      return true;
    }
  }
}

/** The chance to win, as a bar and in figures. */
function meter({ p }, text) {
  const bar = el("span", { class: "meter-bar" });
  bar.style.width = `${Math.round(p * 1000) / 10}%`;
  return el("div", { class: "meter" }, el("span", { class: "meter-label", text: "Chance to win" }), el("span", { class: "meter-figure", text }),
    el("span", { class: "meter-track", aria: { hidden: true } }, bar));
}

/** Moves as a numbered list. */
export function moveList(moves) {
  return el("ol", { class: "move-list" }, moves.map(({ token, text }) => el("li", {}, el("code", { text: token }), " ", text)));
}
