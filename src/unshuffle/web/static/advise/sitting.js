/** One advised game: the board, the prompt, and the output of the adviser. */

import { get, part } from "../api.js";
import { button, el, put } from "../dom.js";
import { Picker, countFaces, insertWord, takeWord } from "../enter/picker.js";
import { isWide, layPicture } from "../mat.js";
import { listen } from "../play/keyboard.js";
import { proseLines, withCards } from "../prose.js";
import { say, showError } from "../toast.js";
import { waitFor } from "../waiting.js";
import { drawDraft, facesOf } from "./draft.js";
import { download } from "./list.js";
import { drawChance, drawPlan, splitSaid } from "./plan.js";

const TYPED = ["entry", "redeal", "edit", "shown"]; // stages at which cards are asked for
const ICONS = { a: "hint", d: "play", u: "undo", e: "list", r: "cards", p: "redo" };
const WORDS = { d: "All of the plan is done", e: "Correct the board", p: "Another pass", u: "Undo" };
const TITLES = { entry: "The cards on your table", redeal: "The redeal", edit: "Correct the board", play: "Your move", shown: "What came to light?", end: "The game is over" };
// Lines that matter only on a terminal: the path of the file, options, exports, showing the board.
const FOR_TERMINALS = /^Saved after every answer in |^For other rules begin with --|\? shows this\.$|^x FILE |^b {2,}/;

export class Sitting {
  constructor(root, id) {
    this.id = id;
    this.log = [];
    this.board = el("div", { class: "mat advise-board" });
    this.side = el("div", { class: "advise-side" });
    this.work = el("div", { class: "advise-work", role: "status" });
    this.title = el("h1");
    this.phase = el("p", { class: "note" });
    this.isBusy = false;
    put(root, el("div", { class: "page sitting" },
      el("div", { class: "sitting-head" }, el("div", {}, this.title, this.phase),
        el("div", { class: "row-x" }, download(id), el("a", { class: "button quiet", href: "#/advise", text: "All games" }))),
      el("div", { class: "sitting-columns" }, this.board, this.side)));
    this.endKeys = listen(Object.fromEntries([..."adueprsn"].map((letter) => [letter, () => this.press(letter)])));
  }

  async open() {
    this.show(await get(`advised/${part(this.id)}`), null);
  }

  close() {
    this.endKeys();
    this.picture?.close();
    this.running?.cancel();
  }

  /** A letter for a command that is offered now. */
  press(letter) {
    if (this.game?.commands.some(({ answer }) => answer === letter)) this.answer(letter);
  }

  /** Send an answer, and show the result when it arrives. */
  async answer(text, words = text) {
    if (this.isBusy) return false;
    this.isBusy = true;
    this.side.classList.add("is-busy");
    try {
      const title = text === "a" ? "Thinking about the plan" : "The adviser works";
      const job = await waitFor(this.work, title, { kind: "answer", advised: this.id, answer: text },
        { onStart: (running) => (this.running = running), cancel: text === "a" ? "Answer now" : "Stop" });
      this.show(job.result ?? (await get(`advised/${part(this.id)}`)), words);
      return true;
    } catch (error) {
      showError(error);
      return false;
    } finally {
      this.isBusy = false;
      this.running = null;
      this.side.classList.remove("is-busy");
    }
  }

  show(game, answered) {
    const { stage, name, variant, phase, draft, picture, planned, chance, help } = game;
    const hadFocus = this.side.contains(document.activeElement);
    const before = this.game;
    this.game = game;
    document.title = `${name} · Beside a real table · unshuffle`;
    this.title.textContent = name;
    this.phase.textContent = [variant, phase, this.id].filter(Boolean).join(" · ");
    this.showBoard(picture, draft);
    const { reasons, rest } = splitSaid(game.said, planned);
    this.reasons = reasons.size ? reasons : shifted(this.reasons ?? new Map(), before?.planned ?? [], planned);
    const said = this.told(rest, draft);
    if (answered !== null || !this.log.length) this.log.unshift({ answered, said });
    put(this.side,
      el("section", { class: "panel stage", aria: { label: "What is asked" } },
        el("h2", { text: TITLES[stage] }),
        stage === "end" ? el("p", { class: `verdict verdict-${game.result === "won" ? "good" : "bad"}`, text: game.result === "won" ? "Won." : "Lost." }) : null,
        TYPED.includes(stage) && !this.asksWhich ? this.drawEntry() : this.drawCommands(), this.work,
        help.length && stage !== "end" ? el("details", {}, el("summary", { text: stage === "play" ? "Keys, and how moves are written" : "How this is typed" }), proseLines(help.filter((line) => !FOR_TERMINALS.test(line)))) : null),
      stage === "play" ? this.drawPlanned(chance) : null,
      this.drawSaid());
    this.focus(hadFocus || TYPED.includes(stage));
    if (said.length && answered !== null) say(said.find((line) => line.trim()) ?? "");
  }

  /** Whether two ways of editing are to be chosen from. */
  get asksWhich() {
    return this.game.stage === "edit" && this.game.draft === null;
  }

  /** What was said, without what the page draws itself. */
  told(lines, draft) {
    const drawn = new Set(draft ? [...draft.rows, ...draft.faults, ...draft.faults.map((fault) => `  ${fault}`)].map((line) => line.trim()) : []);
    return lines.filter((line) => !FOR_TERMINALS.test(line) && !(line.trim() && drawn.has(line.trim())) && !(draft?.faults.length && /^\d+ faults?:$/.test(line)));
  }

  showBoard(picture, draft) {
    this.board.classList.toggle("is-draft", Boolean(draft));
    if (draft) {
      this.picture?.close();
      this.picture = null;
      put(this.board, drawDraft(draft, (text) => this.change(text)),
        draft.cells.some(Boolean) ? null : el("p", { class: "board-words", text: "The cards appear here as you enter them." }));
    } else if (picture) {
      if (this.picture) this.picture.show(picture);
      else this.picture = layPicture(this.board, picture, { label: "Your table", isBeside: isWide() });
      this.hint(this.game.stage === "play" ? this.game.planned[0] : null);
    } else {
      put(this.board, el("p", { class: "board-words", text: "The table is empty." }));
    }
  }

  /** Show on the board what the plan does next. */
  hint(told) {
    for (const node of this.board.querySelectorAll(".is-hinted")) node.classList.remove("is-hinted");
    const from = told?.from && this.picture.places.get(told.from.place);
    const to = told?.to && this.picture.places.get(told.to.place);
    (from?.cards[told.from.card ?? -1] ?? from?.el)?.classList.add("is-hinted");
    (to?.cards.at(-1) ?? to?.el)?.classList.add("is-hinted");
  }

  // What can be answered.

  drawEntry() {
    const { stage, prompt, draft } = this.game;
    this.input = el("textarea", { id: "answer", rows: 2, spellcheck: "false", autocomplete: "off", autocapitalize: "characters",
      on: { keydown: (event) => this.typed(event) } });
    const picker = new Picker({
      onPick: (word) => insertWord(this.input, word),
      onBack: () => takeWord(this.input),
      keys: [{ label: "–", word: "-", title: "Nothing lies there" }, { label: "/", word: "/", title: "The next place" }],
    });
    picker.mark(countFaces(draft ? facesOf(draft) : []), this.game.pack);
    this.input.addEventListener("input", () => picker.mark(countFaces([
      ...(draft ? facesOf(draft) : []), ...facesOf({ cells: [this.input.value.replace(/\//g, " ")], labels: {} })]), this.game.pack));
    return el("form", { class: "stack-y", on: { submit: (event) => (event.preventDefault(), this.send()) } },
      el("div", { class: "field" }, el("label", { for: "answer" }, withCards(prompt)), this.input,
        el("small", { class: "field-help", text: "Enter sends. Several places at once: a line each, or / between them; a whole table can be pasted." })),
      el("div", { class: "row-x" },
        el("button", { type: "submit", class: "button primary" }, el("span", { text: "Enter" })),
        stage === "shown" ? null : button(stage === "edit" ? "The change is done" : "That is all", () => this.answer("", "That is all")),
        button("Take back", () => this.answer("u", "Take back"), { icon: "undo", title: "Take the last answer back" })),
      picker.el);
  }

  typed(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.send();
  }

  async send() {
    const text = this.input.value.trim();
    if (!text) return;
    if (this.game.stage === "play") await this.answer(`m ${text.replace(/\s+/g, " ")}`, text);
    else await this.answer(text);
  }

  /** Put what changes a place into the answer, ready to be edited. */
  change(text) {
    if (!this.input?.isConnected) return;
    this.input.value = text;
    this.input.dispatchEvent(new Event("input"));
    this.input.focus();
  }

  drawCommands() {
    const { commands, stage, prompt, planned } = this.game;
    const shown = commands.filter(({ answer }) => !["b", "m"].includes(answer) && !(answer === "d" && !planned.length));
    const first = shown.find(({ answer }) => answer === (planned.length ? "d" : "a"))?.answer;
    return [
      this.asksWhich ? el("p", { text: "What is to be corrected?" }) : null,
      el("div", { class: "row-x commands" }, shown.map(({ answer, label }) =>
        button(this.asksWhich ? { s: "What was typed at the start", n: "The board as it is now" }[answer] ?? label : WORDS[answer] ?? label,
          () => this.answer(answer, label),
          { icon: ICONS[answer], class: answer === first ? "primary" : "", title: `Key ${answer.toUpperCase()}`, data: { answer } })),
      this.asksWhich ? button("Cancel", () => this.answer("u", "Cancel")) : null,
      stage === "end" ? el("a", { class: "button", href: "#/advise", text: "Another game" }) : null),
      stage === "play" ? this.drawMoves() : null,
      commands.length ? null : el("p", { text: prompt }),
    ];
  }

  drawMoves() {
    this.input = el("input", { type: "text", id: "answer", autocomplete: "off", spellcheck: "false", placeholder: "other moves that you made", aria: { label: "Other moves that you made" } });
    return el("form", { class: "moves-form", on: { submit: (event) => (event.preventDefault(), this.send()) } }, this.input,
      el("button", { type: "submit", class: "button" }, el("span", { text: "Note them" })));
  }

  // What is said.

  drawSaid() {
    const [now, ...earlier] = this.log;
    if (!this.log.some(({ said }) => said.some((line) => line.trim()))) return null;
    return el("section", { class: "panel adviser-says", aria: { label: "The adviser" } },
      now.said.some((line) => line.trim()) ? el("h2", { text: this.game.stage === "end" ? "How it went" : "The adviser says" }) : null,
      el("div", { class: "said-now" }, proseLines(now?.said ?? [])),
      earlier.some(({ said }) => said.length) ? el("details", { class: "more" }, el("summary", { text: "Earlier" }),
        el("div", { class: "said-earlier" }, earlier.filter(({ said }) => said.length).slice(0, 40).map(({ answered, said }) => el("div", {},
          answered ? el("p", { class: "said-answer" }, withCards(answered)) : null, proseLines(said))))) : null);
  }

  drawPlanned(chance) {
    const list = drawPlan(this.game.planned, this.reasons, (count) => this.answer(`d ${count}`, `${count} of the plan done`));
    return list || chance ? el("div", { class: "panel" }, drawChance(chance), list) : null;
  }

  focus(isWanted) {
    if (!isWanted || matchMedia("(pointer: coarse)").matches) return;
    const target = TYPED.includes(this.game.stage) && this.input?.isConnected ? this.input : this.side.querySelector(".plan .button, .commands .primary, .commands .button");
    target?.focus({ preventScroll: true });
  }
}

/** Reasons by the number that their moves have now, when the first moves of the plan are made. */
function shifted(reasons, before, now) {
  const made = before.length - now.length;
  const isRest = made >= 0 && now.every(({ token }, index) => before[index + made].token === token);
  return isRest ? new Map([...reasons].map(([number, why]) => [number - made, why])) : new Map();
}
