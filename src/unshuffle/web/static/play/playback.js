/** Play-back of a line: play and pause, steps, a slider, the speed; and the return to the game from any step. */

import { part, post } from "../api.js";
import { button, el, put, select } from "../dom.js";
import { choose, settings } from "../settings.js";
import { say, showError } from "../toast.js";

const SPEEDS = [[0.5, "½×"], [1, "1×"], [2, "2×"], [4, "4×"], [10, "10×"]];
const BEAT = 900; // milliseconds a move at speed 1

export class Playback {
  /** `bar`: where the controls stand; `onEnd(moves)`: it was left, with the tokens to be played, if any. */
  constructor(bar, view, game, { onFrame, onEnd }) {
    Object.assign(this, { bar, view, game, onFrame, onEnd, frames: null, at: 0, timer: null });
  }

  get isOn() {
    return this.frames !== null;
  }

  /** Fetch the frames of a line from where the game stands, and begin. */
  async start(moves) {
    this.stop();
    try {
      const tokens = moves.map(({ token }) => token);
      const { frames } = await post(`tables/${part(this.game.table.id)}/line`, { moves: tokens, of: "now" });
      this.frames = frames;
      this.moves = tokens;
      this.at = 0;
      this.build();
      this.go(0);
      this.run(true);
      this.playButton.focus();
    } catch (error) {
      showError(error);
    }
  }

  build() {
    const last = this.frames.length - 1;
    const tool = (label, icon, run, props = {}) => button(label, run, { icon, class: "icon-only", title: label, ...props });
    this.playButton = tool("Play", "play", () => this.run(!this.timer), { class: "icon-only primary" });
    this.slider = el("input", { type: "range", min: 0, max: last, value: 0, step: 1, aria: { label: "Step of the line" },
      on: { input: () => (this.run(false), this.go(Number(this.slider.value))) } });
    this.words = el("p", { class: "playback-words", role: "status" });
    this.count = el("span", { class: "playback-count" });
    this.playHere = button("Play on from here", () => this.leave(true), { class: "small" });
    const speed = select(SPEEDS, settings().speed, (value) => choose({ speed: Number(value) }));
    speed.setAttribute("aria-label", "Speed");
    speed.className = "playback-speed";
    put(this.bar,
      el("div", { class: "playback-line" }, el("strong", { class: "playback-title", text: "Play-back" }), this.count),
      this.words,
      el("div", { class: "playback-line" }, this.slider),
      el("div", { class: "playback-line" },
        el("div", { class: "playback-tools", role: "group", aria: { label: "Play-back" } },
          tool("To the start", "first", () => (this.run(false), this.go(0))),
          tool("Step back", "back", () => (this.run(false), this.go(this.at - 1))),
          this.playButton,
          tool("Step forward", "forward", () => (this.run(false), this.go(this.at + 1))),
          tool("To the end", "last", () => (this.run(false), this.go(last)))),
        speed),
      el("div", { class: "playback-line leave" },
        this.playHere,
        button("Back to my game", () => this.leave(false), { class: "small" })));
    this.bar.hidden = false;
  }

  /** Show one frame. */
  go(step) {
    const { frames } = this;
    const to = Math.max(0, Math.min(step, frames.length - 1));
    const isNext = to === this.at + 1;
    this.at = to;
    const { picture, told, score_text: score, outcome } = frames[to];
    this.view.show(picture, { told: isNext ? told : null, animate: settings().speed < 10 });
    this.slider.value = to;
    this.slider.setAttribute("aria-valuetext", told ? told.text : "start");
    this.count.textContent = `${to} / ${frames.length - 1}`;
    const end = outcome === "won" ? " Won!" : "";
    this.words.textContent = `${told ? `${told.kind}: ${told.text}` : "Where the game stands."}${end}`;
    this.playHere.disabled = to === 0;
    this.onFrame({ score, told, isLast: to === frames.length - 1 });
    if (to === frames.length - 1) this.run(false);
  }

  run(isRunning) {
    clearTimeout(this.timer);
    this.timer = null;
    if (isRunning && this.at === this.frames.length - 1) this.go(0);
    if (isRunning) this.timer = setTimeout(() => this.beat(), BEAT / settings().speed);
    const label = isRunning ? "Pause" : "Play";
    const fresh = button(label, () => this.run(!this.timer), { icon: label.toLowerCase(), class: "icon-only primary", title: label });
    const had = document.activeElement === this.playButton;
    this.playButton.replaceWith(fresh);
    this.playButton = fresh;
    if (had) fresh.focus();
  }

  beat() {
    if (!this.isOn) return;
    this.go(this.at + 1);
    if (this.at < this.frames.length - 1) this.timer = setTimeout(() => this.beat(), BEAT / settings().speed);
  }

  /** Leave it; with `isKept` the moves up to here are made in the game. */
  leave(isKept) {
    const moves = isKept ? this.moves.slice(0, this.at) : [];
    this.stop();
    say(isKept ? "The moves up to here are made." : "Back to your game.");
    this.onEnd(moves);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.frames = null;
    this.bar.hidden = true;
    put(this.bar);
  }
}
