/** Enter the deal that lies on the table: typed, pasted or picked card by card, checked as it grows. */

import { games, post } from "../api.js";
import { button, el, field, put } from "../dom.js";
import { GameChoice } from "../enter/choice.js";
import { Picker, countFaces, insertWord, takeWord } from "../enter/picker.js";
import { drawFaults, drawRows, rangeOf } from "../enter/reading.js";
import { estimateText, solveText } from "../enter/solving.js";
import { isWide, layPicture } from "../mat.js";
import { tableLink } from "../play/game.js";
import { withCards } from "../prose.js";
import { go, rewrite } from "../router.js";
import { say, showError } from "../toast.js";

const PAUSE = 220; // milliseconds without a key before the text is checked

export async function render(root, { parts, query }) {
  const all = await games();
  const view = new Entry(root, all, parts[1] ?? query.game ?? "", query);
  return () => view.close();
}

/** What was typed for a game is kept until the tab is closed. */
const kept = {
  key: (game) => `unshuffle.entry.${game}`,
  read(game) {
    try {
      return sessionStorage.getItem(this.key(game)) ?? "";
    } catch {
      return "";
    }
  },
  write(game, text) {
    try {
      sessionStorage.setItem(this.key(game), text);
    } catch {
      // Without storage the text lasts as long as the view.
    }
  },
};

class Entry {
  constructor(root, all, game, query) {
    this.checked = null;
    this.turn = 0;
    this.choice = new GameChoice(all, { game, variant: query.variant, onChange: () => this.changeGame() });
    this.text = el("textarea", { id: "entry-text", rows: 12, spellcheck: "false", autocapitalize: "characters", autocomplete: "off", on: { input: () => this.typed() } });
    this.picker = new Picker({
      onPick: (word) => insertWord(this.text, word),
      onBack: () => takeWord(this.text),
      keys: [{ label: "New row", word: "\n", title: "Begin a new row" }, { label: "–", word: "-", title: "Nothing lies there" }],
    });
    this.help = el("p", { class: "note entry-help" });
    this.status = el("p", { class: "entry-status", role: "status" });
    this.rows = el("div", { class: "read-rows" });
    this.faults = el("div");
    this.felt = el("div", { class: "mat" });
    this.answer = el("div", { class: "entry-answer" });
    this.play = button("Play this", () => this.open(), { icon: "play", class: "primary" });
    this.advise = button("Advise me", () => this.ask(), { icon: "hint" });
    this.solve = button("Solve", () => this.decide(), { icon: "solve" });
    this.pictureView = null;
    root.append(this.build());
    if (query.text) kept.write(this.choice.game.id, query.text);
    this.changeGame();
  }

  build() {
    const file = el("input", { type: "file", accept: ".txt,.json,text/plain", class: "for-ears", id: "entry-file", tabindex: -1, aria: { label: "A file with a deal" }, aria: { label: "A file with a deal" }, on: { change: () => this.read(file.files[0]) } });
    return el("div", { class: "page enter-page" },
      el("h1", { text: "Enter a deal" }),
      el("p", { class: "lead", text: "Type, paste or pick the cards that lie on your table. They are checked as you go." }),
      el("div", { class: "enter-choice" }, this.choice.fields), this.choice.more,
      el("div", { class: "enter-columns" },
        el("section", { class: "panel stack-y", aria: { label: "Cards" } },
          field("Cards on the table", this.text, "10♥, TH and ♥10 are the same card. A whole deal in deal order: Deck: and its cards."),
          el("div", { class: "row-x" },
            button("Example", () => this.example(), { icon: "cards", class: "small", title: "A deal of this game, as it is typed" }),
            button("Open a file", () => file.click(), { icon: "upload", class: "small" }), file,
            button("Clear", () => this.write(""), { icon: "trash", class: "small" })),
          this.picker.el),
        el("section", { class: "panel stack-y", aria: { label: "What was read" } },
          el("details", { class: "entry-how", open: matchMedia("(min-width: 900px)").matches }, el("summary", { text: "How this game is typed" }), this.help),
          this.status, this.felt, this.rows, this.faults,
          el("div", { class: "row-x enter-actions" }, this.play, this.advise, this.solve),
          this.answer)));
  }

  close() {
    this.turn += 1;
    clearTimeout(this.timer);
    this.pictureView?.close();
    this.running?.cancel();
  }

  changeGame() {
    const { game } = this.choice;
    rewrite(`#/enter/${game.id}`);
    put(this.help, withCards(game.entry_help));
    this.advise.hidden = !game.advises;
    this.text.value = kept.read(game.id);
    this.picker.mark(new Map(), null);
    this.forget();
    this.check();
  }

  write(text) {
    this.text.value = text;
    this.typed();
    this.text.focus();
  }

  typed() {
    kept.write(this.choice.game.id, this.text.value);
    this.forget();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE);
  }

  /** The text has changed: discard answers for the old one, also those still to come. */
  forget() {
    this.running?.cancel();
    this.running = null;
    put(this.answer);
  }

  async read(file) {
    if (file) this.write(await file.text());
  }

  async example() {
    try {
      const { layout } = await post("tables", this.choice.asked);
      this.write(layout.trim());
    } catch (error) {
      showError(error);
    }
  }

  get asked() {
    return { ...this.choice.asked, text: this.text.value };
  }

  async check() {
    const mine = ++this.turn;
    if (!this.text.value.trim()) return this.show({ faults: [], tokens: [], picture: null, unknown: "", is_solvable: true });
    try {
      const answer = await post("check", this.asked);
      if (mine === this.turn) this.show(answer);
    } catch (error) {
      if (mine !== this.turn) return;
      if (error.status === undefined) showError(error);
      else this.show({ faults: [{ line: null, column: null, message: error.message }], tokens: [], picture: null, unknown: "", is_solvable: true });
    }
  }

  show({ faults, tokens, picture, pack, unknown, is_solvable: isSolvable }) {
    const wasGood = this.checked?.picture && !this.checked.faults.length;
    this.checked = { faults, tokens, picture, unknown, isSolvable };
    const isGood = Boolean(picture) && faults.length === 0;
    const isEmpty = !this.text.value.trim();
    this.picker.mark(countFaces(tokens.map(({ card }) => card)), pack);
    this.text.setAttribute("aria-invalid", String(faults.length > 0));
    this.status.className = `entry-status ${isGood ? "is-good" : faults.length ? "is-wrong" : ""}`;
    this.status.textContent = isEmpty ? "Nothing is typed yet." : isGood ? wholeness(unknown) : "";
    this.status.hidden = !this.status.textContent;
    const goTo = (place) => this.goTo(place);
    put(this.rows, isGood ? [] : drawRows(this.text.value, { tokens, faults }, goTo));
    put(this.faults, drawFaults(faults, goTo));
    this.showPicture(isGood ? picture : null);
    this.play.disabled = this.advise.disabled = this.solve.disabled = !isGood;
    // Unknown cards are neither played nor solved as if they were known.
    label(this.play, unknown ? "Deal the rest by chance and play" : "Play this");
    label(this.solve, isSolvable || !isGood ? "Solve" : "Estimate the chance");
    if (isGood && !wasGood) say(wholeness(unknown));
  }

  showPicture(picture) {
    this.felt.hidden = !picture;
    this.pictureView?.close();
    this.pictureView = picture ? layPicture(this.felt, picture, { label: "The table as it was read", isBeside: isWide() }) : null;
  }

  goTo(place) {
    const [start, end] = rangeOf(this.text.value, place);
    this.text.focus();
    this.text.setSelectionRange(start, end);
  }

  /** Do something with the table; errors of the server are shown with the faults. */
  async use(act) {
    try {
      await act();
    } catch (error) {
      if (error.faults?.length > 0) put(this.faults, drawFaults(error.faults, (place) => this.goTo(place)));
      else showError(error);
    }
  }

  open() {
    return this.use(async () => {
      const table = await post("tables", { ...this.asked, fill: Boolean(this.checked.unknown) });
      go(tableLink(table, { id: table.id }));
    });
  }

  ask() {
    return this.use(async () => go(`#/advise/${(await post("advised", this.asked)).id}`));
  }

  decide() {
    return this.use(async () => {
      const place = el("div"); // taken away as soon as the text changes
      put(this.answer, place);
      this.solve.disabled = true;
      const onStart = (running) => {
        if (place.isConnected) this.running = running;
        else running.cancel();
      };
      try {
        const answer = this.checked.isSolvable ? solveText : estimateText;
        await answer(place, this.asked, { onStart, play: () => this.open() });
      } catch (error) {
        if (place.isConnected) throw error;
      } finally {
        if (place.isConnected) {
          this.solve.disabled = false;
          this.running = null;
        }
      }
    });
  }
}

/** The message for a text without faults. */
const wholeness = (unknown) => unknown ? `A table without a fault. Unknown: ${unknown}.` : "A whole table, without a fault.";

function label(node, text) {
  node.querySelector(".button-label").textContent = text;
}
