/** What may be asked: a hint, whether the game can still be won, and the coach's opinion. Answers stand in a panel beside the table. */

import { startJob } from "../api.js";
import { confirm, openDialog } from "../dialog.js";
import { button, el, plural, put, toggle } from "../dom.js";
import { choose, settings } from "../settings.js";
import { say, showError, toast } from "../toast.js";

export class Assistant {
  /** `game`: the Game; `mark(told)`: show a move on the table; `watch(moves, verdict)`: play a line back. */
  constructor(panel, game, { mark, watch, play }) {
    Object.assign(this, { panel, game, mark, watch, play, job: null });
    this.clear();
  }

  get isBusy() {
    return this.job !== null;
  }

  /** The table has changed: an answer for the old one says nothing any more. */
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
  async ask(title, body, wording) {
    if (this.job) await this.cancel();
    const mine = {};
    this.job = { cancel: async () => {} };
    const text = el("p", { class: "progress-text", text: "Thinking…", role: "status" });
    const stop = button("Stop", () => mine.job?.cancel(), { class: "small" });
    this.show(title, el("div", { class: "thinking" }, el("span", { class: "spinner", aria: { hidden: true } }), text, stop));
    const held = this.job;
    try {
      mine.job = await startJob(body, (job) => (text.textContent = wording(job)));
      if (this.job !== held) return void (await mine.job.cancel()) ?? null;
      this.job = mine.job;
      const job = await mine.job.done;
      if (this.job !== mine.job) return null;
      this.job = null;
      return job;
    } catch (error) {
      if (this.job === held || this.job === mine.job) {
        this.job = null;
        this.clear();
      }
      throw error;
    }
  }

  // The hint.

  async hint() {
    if (this.game.table.outcome) return void toast("The game is over.");
    try {
      const job = await this.ask("Hint", { kind: "hint", table: this.game.table.id }, progressWords);
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
    this.show("Hint",
      el("p", { class: "told" }, told ? [el("span", { class: "told-kind", text: told.kind }), " ", told.text] : words),
      chance ? meter(chance) : null,
      chanceText ? el("p", { class: "chance-text", text: chanceText }) : null,
      claim?.length ? el("div", { class: "claim" }, claim.filter(Boolean).map((line) => el("p", { text: line }))) : null,
      closing ? el("p", { class: "note", text: closing }) : null,
      told ? el("div", { class: "row-x" }, button("Play it", () => this.play(told), { class: "primary small", icon: "play" }),
        rest.length ? button("Watch the plan", () => this.watch(plan, "The plan, by what can be seen"), { class: "small" }) : null) : null,
      rest.length ? el("details", { class: "plan" }, el("summary", { text: `The plan: ${plural(plan.length, "move")}` }), moveList(plan)) : null);
  }

  // Can this still be won?

  async solve() {
    const { table } = this.game;
    const look = table.solver_looks && !table.looked;
    if (look && !settings().mayLook && !(await this.mayLook())) return;
    try {
      const body = { kind: "solve", table: table.id, ...(table.solver_looks ? { look: true } : {}) };
      const job = await this.ask("Can this still be won?", body, progressWords);
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
        el("p", { text: "Some cards are hidden from you. The solver would look at all of them, and its answer tells you something that a player cannot know." }),
        el("p", { text: "The game will say that hidden cards were looked at." }),
        toggle("Do not ask again", false, (checked) => (always = checked)),
      ],
      actions: [{ label: "No", value: null }, { label: "Look", value: true, class: "primary" }],
    });
    if (answer && always) choose({ mayLook: true });
    return answer === true;
  }

  tellVerdict({ status, verdict, moves, nodes, seconds }, isStopped) {
    say(verdict);
    this.isPinned = false;
    const kind = { solved: "good", unsolvable: "bad" }[status] ?? "open";
    this.show("Can this still be won?",
      el("p", { class: `verdict verdict-${kind}`, text: verdict }),
      el("p", { class: "note", text: `${isStopped ? "Stopped after" : "Searched"} ${plural(nodes ?? 0, "position")} in ${(seconds ?? 0).toFixed(1)} s.` }),
      moves.length ? el("div", { class: "row-x" }, button(status === "solved" ? "Watch the solution" : "Watch the best line",
        () => this.watch(moves, verdict), { class: "primary small", icon: "play" })) : null,
      moves.length ? el("details", { class: "plan" }, el("summary", { text: `The line: ${plural(moves.length, "move")}` }), moveList(moves)) : null);
  }

  // The coach.

  /** Whether a move may be made: the coach asks before one that loses a proved win. */
  async allows(move) {
    if (!settings().coach) return true;
    try {
      const job = await this.ask("Coach", { kind: "coach", table: this.game.table.id, move: move.token }, () => "Looking at your move…");
      this.clear();
      if (!job?.result?.loses) return true;
      return confirm("The coach asks", job.result.lines.filter(Boolean), "Move anyway");
    } catch (error) {
      showError(error);
      return true;
    }
  }
}

/** How far a job has come, in whatever figures it tells. */
function progressWords({ status, progress, seconds }) {
  if (status === "queued") return "Waiting for others to finish…";
  const parts = [`${(seconds ?? 0).toFixed(0)} s`];
  if (progress?.nodes) parts.push(plural(progress.nodes, "position"));
  if (progress?.score !== undefined && progress?.score !== null) parts.push(`best so far ${progress.score}`);
  return `Thinking: ${parts.join(", ")}`;
}

/** The chance to win, as a bar. */
function meter({ p, se }) {
  const bar = el("span", { class: "meter-bar" });
  bar.style.width = `${Math.round(p * 1000) / 10}%`;
  const figure = `${(p * 100).toFixed(p > 0.1 ? 0 : 1)} %`;
  return el("div", { class: "meter", role: "img", aria: { label: `Chance to win about ${figure}` }, title: se ? `± ${(se * 100).toFixed(1)} %` : "" },
    el("span", { class: "meter-track" }, bar), el("span", { class: "meter-figure", text: figure }));
}

/** Moves as a numbered list. */
export function moveList(moves) {
  return el("ol", { class: "move-list" }, moves.map(({ token, text }) => el("li", {}, el("code", { text: token }), " ", text)));
}
