/** The table at which a game is played. */

import { ApiError, get, part, post } from "../api.js";
import { chooseAt, confirm, openDialog } from "../dialog.js";
import { button, el, plural, put } from "../dom.js";
import { PictureView } from "../picture.js";
import { withCards } from "../prose.js";
import { go, link } from "../router.js";
import { Assistant } from "../play/assistant.js";
import { openDealing } from "../play/dealing.js";
import { showEnding } from "../play/ending.js";
import { Game, linkQuery, opening, tableLink } from "../play/game.js";
import { Gestures } from "../play/gestures.js";
import { Keyboard, listen } from "../play/keyboard.js";
import { showKeys } from "../play/keys.js";
import { showLegal, showPresses } from "../play/legal.js";
import { Playback } from "../play/playback.js";
import { say, showError, toast } from "../toast.js";

/** Open the game of the route: by its id where the server has it, else by its deal and moves. */
async function open({ parts, query }) {
  const id = parts[0] === "table" ? parts[1] : query.id;
  if (id) {
    try {
      const table = await get(`tables/${part(id)}`);
      if (!query.deal || query.deal === table.deal) return table;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404 || parts[0] === "table") throw error;
    }
  }
  return post("tables", opening(query));
}

export async function render(root, route) {
  put(root, el("p", { class: "loading", text: "Laying the cards…" }));
  let table;
  try {
    table = await open(route);
  } catch (error) {
    put(root, el("div", { class: "page" }, el("h1", { text: "This game cannot be opened" }), el("p", { class: "form-faults", text: error.message }),
      el("a", { class: "button", href: "#/", text: "To the games" })));
    return undefined;
  }
  return new PlayView(root, table).close;
}

class PlayView {
  constructor(root, table) {
    this.game = new Game(table);
    this.build(root);
    this.view = new PictureView(this.felt, { label: `${table.name}, the table`, isFitted: true, isLive: true });
    this.gestures = new Gestures(this.view, (move) => this.play(move));
    this.keyboard = new Keyboard(this.view, this.gestures);
    this.playback = new Playback(this.bar, this.view, this.game, {
      onFrame: ({ score, told }) => {
        this.score.textContent = score;
        this.mark(null);
        this.status.textContent = told ? `${told.kind}: ${told.text}` : "";
      },
      onEnd: (moves) => this.endPlayback(moves),
    });
    this.assistant = new Assistant(this.answers, this.game, {
      mark: (told) => this.mark(told),
      watch: (moves) => this.watch(moves),
      play: (move) => this.play(move, { isHinted: true }),
    });
    this.game.onChange(() => this.update());
    this.endKeys = listen(this.keys());
    this.game.set(table);
  }

  close = () => {
    this.playback.stop();
    this.assistant.cancel();
    this.game.close();
    this.view.close();
    this.endKeys();
  };

  build(root) {
    const { name, variant } = this.game.table;
    const tool = (label, icon, run, props = {}) => button(label, run, { icon, class: "tool", ...props });
    this.score = el("span", { class: "score" });
    this.count = el("span", { class: "count" });
    this.status = el("p", { class: "status" });
    this.presses = el("div", { class: "presses" });
    this.undoButton = tool("Undo", "undo", () => this.game.undo(), { title: "Undo (U)" });
    this.redoButton = tool("Redo", "redo", () => this.game.redo(), { title: "Redo (R)" });
    this.tools = el("div", { class: "tools", role: "toolbar", aria: { label: "Game" } },
      this.undoButton, this.redoButton,
      tool("Hint", "hint", () => this.assistant.hint(), { title: "Hint (H)" }),
      tool("Can I win?", "solve", () => this.assistant.solve(), { title: "Can this still be won? (S)", aria: { label: "Can this still be won?" } }),
      this.presses,
      tool("New game", "new", () => openDealing(this.game.table.game), { title: "New game (N)", class: "tool wide-only" }),
      tool("More", "more", (event) => this.more(event), { aria: { haspopup: "menu" } }));
    this.felt = el("div", { class: "felt is-live" });
    this.text = el("pre", { class: "layout-text", hidden: true });
    this.bar = el("section", { class: "playback", aria: { label: "Play-back" }, hidden: true });
    this.ended = el("div", { class: "ended", role: "status", hidden: true });
    this.answers = el("section", { class: "answers", aria: { label: "Answers" } });
    this.legal = el("details", { class: "legal" });
    this.root = el("div", { class: "play" },
      el("div", { class: "gamebar" },
        el("div", { class: "gametitle" }, el("h1", { text: name }), el("span", { class: "variant", text: variant })),
        el("div", { class: "standing" }, this.score, this.count)),
      this.tools,
      el("div", { class: "feltroom" }, this.felt, this.text, this.ended, this.status),
      el("aside", { class: "side", aria: { label: "Help for this game" } }, el("h2", { class: "for-ears", text: "Help for this game" }), this.bar, this.answers, this.legal,
        this.dealName = el("p", { class: "note dealname" })));
    put(root, this.root);
  }

  /** Show the table as it is now. */
  update() {
    if (this.playback.isOn) return;
    const { table } = this.game;
    this.keyboard.remember();
    this.view.show(table.picture, { told: table.last && this.moved(table) ? table.last : null });
    this.shown = table.moves.length;
    this.text.hidden = table.picture.areas.length > 0;
    this.felt.hidden = table.picture.areas.length === 0;
    put(this.text, withCards(table.layout));
    this.gestures.isPaused = false;
    this.gestures.update(table.legal);
    this.keyboard.update();
    this.score.textContent = table.score_text;
    this.count.textContent = plural(table.moves.length, "move");
    this.status.textContent = table.last ? `${table.last.kind}: ${table.last.text}` : "";
    this.dealName.textContent = [table.start ? "A deal that was typed in." : `Deal ${table.deal}`, table.remark].filter(Boolean).join(" ");
    this.undoButton.disabled = !table.moves.length;
    this.redoButton.disabled = !table.undone.length;
    showLegal(this.legal, table, (move) => this.play(move));
    showPresses(this.presses, table, (move) => this.play(move));
    if (table.outcome !== this.outcome) {
      showEnding(this.ended, table, { undo: () => this.game.undo(), deal: () => openDealing(table.game), again: () => this.again(), review: () => this.review() });
    }
    this.outcome = table.outcome;
    if (this.answersFor !== table.moves.join()) this.assistant.tableChanged();
    this.answersFor = table.moves.join();
    document.title = `${table.name} · unshuffle`;
  }

  /** Whether the table has exactly one move more than was shown: only then can that move be animated. */
  moved({ moves }) {
    return moves.length === (this.shown ?? 0) + 1;
  }

  async play(move, { isHinted = false } = {}) {
    if (this.playback.isOn) return false;
    this.mark(null);
    if (!isHinted && !(await this.assistant.allows(move))) {
      this.update();
      return false;
    }
    this.keyboard.follow(move);
    return this.game.move([move.token]);
  }

  /** Show on the table what a hint means. */
  mark(told) {
    for (const node of this.felt.querySelectorAll(".is-hinted")) node.classList.remove("is-hinted");
    if (!told) return;
    const from = told.from && this.view.places.get(told.from.place);
    const fromNode = from && (from.cards[told.from.card] ?? from.el);
    fromNode?.classList.add("is-hinted");
    if (told.to) this.gestures.markOf(told.to.place)?.classList.add("is-hinted");
    fromNode?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // Play-back.

  async watch(moves) {
    this.mark(null);
    this.gestures.choose(null);
    this.gestures.isPaused = true;
    this.gestures.update([]);
    this.ended.hidden = true;
    await this.playback.start(moves);
    if (!this.playback.isOn) this.update();
    else this.root.classList.add("is-watching");
  }

  endPlayback(moves) {
    this.root.classList.remove("is-watching");
    this.shown = null;
    this.update();
    if (moves.length) this.game.move(moves);
    this.felt.querySelector('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  // What stands under "More".

  async more(event) {
    const box = event.currentTarget.getBoundingClientRect();
    const chosen = await chooseAt({ x: box.left, y: box.bottom }, "More", [
      { label: "New game…", value: "new" },
      { label: "Same deal again", value: "again" },
      { label: "Copy link to this position", value: "copy" },
      { label: "Review this game", value: "review" },
      { label: "List of legal moves", value: "list" },
      { label: "Save as a file", value: "save" },
      { label: "Keys and gestures", value: "keys" },
    ]);
    const run = { new: () => openDealing(this.game.table.game), again: () => this.again(), copy: () => this.copy(), review: () => this.review(), save: () => this.save(), list: () => this.list(), keys: showKeys };
    run[chosen]?.();
  }

  async copy() {
    const address = new URL(tableLink(this.game.table), location.href).href;
    try {
      await navigator.clipboard.writeText(address);
      toast("The link is copied: it holds the deal and the moves.", { kind: "good" });
    } catch {
      // Without permission for the clipboard a person can still copy by hand.
      const line = el("input", { type: "text", readonly: true, value: address, aria: { label: "Link" }, autofocus: true, on: { focus: () => line.select() } });
      await openDialog({ title: "The link of this position", content: [line] });
    }
  }

  async again() {
    const { table } = this.game;
    if (table.moves.length && !table.outcome && !(await confirm("Same deal again", "This game stays among the saved ones, and the same cards are laid anew.", "Lay them"))) return;
    try {
      const fresh = await post("tables", opening({ ...linkQuery(table), moves: "" }));
      go(link("play", { ...linkQuery(fresh), id: fresh.id }));
    } catch (error) {
      showError(error);
    }
  }

  list() {
    this.legal.open = !this.legal.open;
    this.legal.querySelector("summary").focus();
  }

  review() {
    go(`#/review/${part(this.game.table.id)}`);
  }

  save() {
    if (!this.game.table.moves.length) return void toast("There is nothing to save before the first move.");
    el("a", { href: `api/tables/${part(this.game.table.id)}/save`, download: "" }).click();
    say("The game is downloaded.");
  }

  keys() {
    const unless = (run) => () => (this.playback.isOn ? null : run());
    const undo = unless(() => this.game.undo());
    const redo = unless(() => this.game.redo());
    return {
      u: undo, "ctrl+z": undo, r: redo, "ctrl+y": redo, "ctrl+shift+z": redo,
      h: unless(() => this.assistant.hint()),
      s: unless(() => this.assistant.solve()),
      n: () => openDealing(this.game.table.game),
      l: () => this.list(),
      d: unless(() => this.presses.querySelector("button")?.click()),
      t: () => (this.felt.querySelector('[tabindex="0"]') ?? this.felt).focus(),
      Escape: () => this.gestures.choose(null),
      "?": showKeys,
    };
  }
}
