/** The review of a played game: where it could still be won, the move that lost it, and what would have kept it. */

import { get, part, post } from "../api.js";
import { confirm } from "../dialog.js";
import { button, el, icon, plural, put } from "../dom.js";
import { isWide, layPicture } from "../mat.js";
import { opening, linkQuery } from "../play/game.js";
import { withCards } from "../prose.js";
import { drawCurve } from "../review/curve.js";
import { byWords, legend, mark, Strip, VERDICTS } from "../review/strip.js";
import { go } from "../router.js";
import { settings } from "../settings.js";
import { say, showError, toast } from "../toast.js";
import { waitFor } from "../waiting.js";

const SECONDS = 30;

export async function render(root, { query, parts }) {
  const id = query.id ?? parts[1];
  if (!id) return void (await renderChoice(root));
  let table;
  try {
    table = await get(`tables/${part(id)}`);
  } catch (error) {
    await renderChoice(root);
    throw error;
  }
  const view = new ReviewView(root, table);
  view.run(SECONDS).catch(showError);
  return () => view.close();
}

/** Without a table: which of the saved games is it to be? */
async function renderChoice(root) {
  const tables = (await get("tables")).filter(({ error, moves_made: made }) => !error && made > 0);
  put(root, el("div", { class: "page" },
    el("h1", { text: "Review a game" }),
    tables.length
      ? el("ul", { class: "save-list" }, tables.map(({ id, name, variant, moves_made: made, score_text: score }) => el("li", { class: "save" },
        el("a", { class: "save-main", href: `#/review?id=${part(id)}` }, el("strong", { text: name }), el("span", { class: "save-variant", text: variant }),
          el("span", { class: "chip", text: plural(made, "move") }), el("span", { class: "note save-score", text: score })))))
      : el("p", { class: "note", text: "No game has been played yet." })));
}

class ReviewView {
  constructor(root, table) {
    this.table = table;
    this.after = 0;
    this.frames = null;
    this.work = el("div", { class: "review-work" });
    this.found = el("div", { class: "stack-y review-found" });
    this.board = el("div", { class: "mat" });
    this.words = el("p", { class: "review-words", role: "status" });
    this.page = el("div", { class: "page review-page" },
      el("div", { class: "section-head" },
        el("div", {}, el("h1", { text: `Review: ${table.name}` }), el("p", { class: "note", text: [table.variant, table.start ? "a deal that was typed in" : table.deal, plural(table.moves.length, "move"), table.score_text].filter(Boolean).join(" · ") })),
        el("a", { class: "button quiet", href: `#/table/${part(table.id)}` }, icon("back"), el("span", { text: "Back to the table" }))),
      this.work, this.found);
    put(root, this.page);
  }

  close() {
    this.running?.cancel();
    this.picture?.close();
  }

  /** Run the review; with more seconds, more is decided. */
  async run(seconds) {
    const { table } = this;
    if (!table.moves.length) return void put(this.work, el("p", { class: "note", text: "No move has been made yet: there is nothing to review." }));
    const look = await this.mayLook();
    if (look === null) return void put(this.work, el("p", { class: "note", text: "A review uses the hidden cards, so there is none without permission." }), button("Let it look", () => this.run(seconds)));
    put(this.work);
    if (!this.review) this.showMeanwhile();
    const lineAsked = post(`tables/${part(table.id)}/line`, { moves: table.moves, of: "start" });
    lineAsked.catch(() => {});
    let job;
    try {
      job = await waitFor(this.work, "Reviewing the game", { kind: "review", table: table.id, seconds, look },
        { onStart: (running) => (this.running = running) });
    } catch (error) {
      if (error.status === undefined) throw error;
      return void put(this.work, el("p", { class: "form-faults", role: "alert", text: error.message }));
    } finally {
      this.running = null;
    }
    if (!job.result) return void put(this.work, el("p", { class: "note", text: "Stopped before anything was found." }), button("Review again", () => this.run(seconds)));
    this.frames = (await lineAsked).frames;
    this.show(job.result, seconds);
  }

  /** True or false for `look`; null if the person does not want it. */
  async mayLook() {
    const { table } = this;
    if (!table.solver_looks || table.looked || table.outcome || settings().mayLook) return Boolean(table.solver_looks);
    const yes = await confirm("Look at hidden cards?", "A review knows every card, also those that lie face down, and the game is not over yet.", "Let it look");
    return yes ? true : null;
  }

  /** The table as it stands, until there is more to show. */
  showMeanwhile() {
    put(this.found, el("section", { class: "panel review-board", aria: { label: "The table as it stands" } }, this.board));
    this.picture = layPicture(this.board, this.table.picture, { label: "The table as it stands", isBeside: isWide() });
  }

  show(review, seconds) {
    this.review = review;
    const losses = (review.spans ?? [{ name: "", lost_by: review.lost_by }]).filter(({ lost_by: loss }) => loss).map(({ name, lost_by: loss }) => ({ name, ...loss }));
    this.strip = new Strip(review.positions, new Set(losses.map(({ move }) => move)), (after) => this.choose(after), (after) => this.goesOn(after));
    this.curve = drawCurve(review.positions, (after) => this.choose(after));
    const isOpen = review.positions.some(({ verdict, by }) => verdict === "undecided" && by !== "redeals");
    put(this.found,
      el("section", { class: "panel review-result", aria: { label: "Result" } },
        el("p", { class: "review-summary" }, withCards(review.summary)),
        losses.map((loss) => this.drawLoss(loss)),
        this.table.remark ? el("p", { class: "note", text: `${this.table.remark} The verdicts are of the deal that it dealt.` }) : null,
        el("p", { class: "note", text: `Verdicts with all cards known; ${plural(review.nodes ?? 0, "position")} searched in ${(review.seconds ?? 0).toFixed(1)} s.` }),
        review.drop ? button("Where the chance fell most", () => this.choose(review.drop.move), { class: "small", icon: "review" }) : null,
        isOpen ? button("Search longer", () => this.run(seconds * 4), { class: "small", icon: "solve" }) : null),
      el("section", { class: "panel review-line", aria: { label: "Positions" } },
        el("div", { class: "plan-head" }, el("h2", { text: "Positions" }), legend()),
        this.strip.el,
        this.curve ? [el("h3", { class: "curve-title", text: "Chance to win, by what could be seen" }), this.curve.el] : null),
      el("section", { class: "panel review-board", aria: { label: "The table at this position" } },
        el("div", { class: "review-tools" },
          button("First", () => this.choose(0), { icon: "first", class: "icon-only" }),
          button("Back", () => this.choose(this.after - 1), { icon: "back", class: "icon-only" }),
          button("Forward", () => this.choose(this.after + 1), { icon: "forward", class: "icon-only" }),
          button("Last", () => this.choose(Infinity), { icon: "last", class: "icon-only" }),
          this.words,
          button("Play on from here", () => this.playOn(), { icon: "play", class: "primary" })),
        this.board));
    this.picture?.close();
    this.picture = layPicture(this.board, this.frames[0].picture, { label: "The table at this position", isBeside: isWide() });
    this.choose(losses.at(-1)?.move ?? review.positions.length - 1);
    say(review.summary);
  }

  /** Whether a redeal may follow that the verdicts ignore, so that a lost position is not a lost game. */
  goesOn(after) {
    return this.review.spans?.find(({ last }) => after <= last)?.goes_on ?? false;
  }

  drawLoss({ name, move, text, instead }) {
    const goesOn = this.goesOn(move);
    return el("div", { class: `loss${goesOn ? " goes-on" : ""}` },
      el("p", {}, mark("lost", goesOn), el("strong", { text: `Move ${move} lost ${name || "it"}: ` }), withCards(text)),
      instead ? el("p", {}, mark("winnable"), el("strong", { text: "Instead: " }), withCards(instead.text), ` (${plural(instead.moves.length, "move")} to the win)`) : null,
      el("div", { class: "row-x" },
        button("Show that position", () => this.choose(move - 1), { class: "small" }),
        instead ? button("Win it at a table", () => this.playOn(move - 1, instead.moves), { class: "small", icon: "play" }) : null));
  }

  choose(wanted) {
    const { positions } = this.review;
    const before = this.after;
    this.after = Math.min(positions.length - 1, Math.max(0, wanted));
    const { verdict, by, chance } = positions[this.after];
    const frame = this.frames[this.after];
    this.strip.choose(this.after);
    this.curve?.choose(this.after);
    this.picture.show(frame.picture, { told: this.after === before + 1 ? frame.told : null, animate: Math.abs(this.after - before) === 1 });
    const chanceWords = chance ? ` · chance ${(100 * chance.p).toFixed(1)} %${chance.se ? ` ± ${(100 * chance.se).toFixed(1)}` : ""}` : "";
    put(this.words, mark(verdict, this.goesOn(this.after)), el("span", {}, el("strong", { text: this.after ? `After move ${this.after}: ` : "The start: " }),
      withCards(this.after ? frame.told?.text ?? positions[this.after].token : ""), el("span", { class: "note", text: ` ${VERDICTS[verdict].word} (${byWords(by)})${chanceWords}` })));
  }

  /** Begin a new table at this position; the reviewed one is unchanged. Winning moves can be made with redo. */
  async playOn(after = this.after, more = []) {
    try {
      const body = { ...opening({ ...linkQuery(this.table), moves: "" }), moves: [...this.table.moves.slice(0, after), ...more] };
      const { id } = await post("tables", body);
      if (more.length) {
        await post(`tables/${part(id)}/undo`, { count: more.length });
        toast(`Redo plays the ${plural(more.length, "move")} to the win.`, { seconds: 9 });
      }
      go(`#/table/${part(id)}`);
    } catch (error) {
      showError(error);
    }
  }
}
