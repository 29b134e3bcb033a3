/** The form of a new game: which game, which rules, which cards. */

import { games, post, startJob } from "../api.js";
import { openDialog } from "../dialog.js";
import { button, el, field, put, select } from "../dom.js";
import { go, link, route } from "../router.js";
import { choose, settings } from "../settings.js";
import { showError, toast } from "../toast.js";
import { linkQuery, opening } from "./game.js";

export const WINNABLE = "Winnable: proved with all cards and redeals of that id known; the win may need its redeals.";

const WAYS = [["random", "Shuffled"], ["winnable", "Winnable"], ["number", "By number"], ["link", "By id or link"]];

/** Open the form in a dialog; resolves when it is closed. */
export async function openDealing(chosenGame = "") {
  let all;
  try {
    all = await games();
  } catch (error) {
    return showError(error);
  }
  const form = new DealForm(all, chosenGame || settings().game || all[0].id);
  await openDialog({
    title: "New game",
    content: [form.node],
    built: (_, close) => (form.done = () => close(true)),
  });
  form.cancel();
}

class DealForm {
  constructor(all, chosen) {
    this.all = all;
    this.way = "random";
    this.job = null;
    this.rules = el("div", { class: "rule-fields" });
    this.extra = el("div", { class: "way-fields" });
    this.faults = el("p", { class: "form-faults", role: "alert", hidden: true });
    this.progress = el("p", { class: "note", role: "status" });
    this.gameChoice = select(all.map(({ id, name }) => [id, name]), chosen, () => this.pickGame());
    this.variantField = el("div");
    this.summary = el("p", { class: "note" });
    this.submit = el("button", { class: "button primary", type: "submit" }, el("span", { text: "Deal" }));
    this.ways = el("div", { class: "segments", role: "radiogroup", aria: { label: "Which cards" } },
      WAYS.map(([value, label]) => el("label", {},
        el("input", { type: "radio", name: "way", value, checked: value === this.way, on: { change: () => this.pickWay(value) } }),
        el("span", { text: label }))));
    this.node = el("form", { class: "deal-form", on: { submit: (event) => (event.preventDefault(), this.deal()) } },
      field("Game", this.gameChoice), this.summary, this.variantField,
      el("fieldset", { class: "bare" }, el("legend", { text: "Cards" }), this.ways, this.extra),
      this.moreRules = el("details", { class: "more" }, el("summary", { text: "More rules" }), this.rules),
      this.faults, this.progress,
      el("div", { class: "row-x end form-actions" },
        el("a", { class: "button quiet", href: "#/enter", text: "Type in my own cards", on: { click: () => this.done() } }), this.submit));
    this.pickGame();
    this.pickWay("random");
  }

  get game() {
    return this.all.find(({ id }) => id === this.gameChoice.value);
  }

  pickGame() {
    const { game } = this;
    this.summary.textContent = game.summary;
    this.variant = select(game.variants.map(({ id }) => id), settings().variants[game.id] ?? game.variants[0].id, () => this.fillRules());
    put(this.variantField, field("Variant", this.variant));
    this.fillRules();
  }

  pickWay(way) {
    this.way = way;
    this.seed = el("input", { type: "text", inputmode: "numeric", placeholder: "7", autocomplete: "off" });
    this.link = el("input", { type: "text", placeholder: `${this.game.id}/${this.variant.value}@7`, autocomplete: "off" });
    this.difficulty = select([["", "Any"], ["easy", "Easy"], ["medium", "Medium"], ["hard", "Hard"]], "");
    put(this.extra,
      way === "number" ? field("Number", this.seed, "The same number is the same deal, for everybody. Other generators: ms:5, python:12#3.") : null,
      way === "link" ? field("Deal id or link", this.link, "Game and variant are then those of the deal.") : null,
      way === "winnable" ? field("Difficulty", this.difficulty, WINNABLE) : null);
  }

  /** The fields of the rules, as the chosen variant sets them. */
  fillRules() {
    const { game } = this;
    const set = game.variants.find(({ id }) => id === this.variant.value)?.rules ?? {};
    this.ruleFields = new Map();
    put(this.rules, game.rules.map(({ name, help, default: standard, values }) => {
      const value = set[name] ?? standard;
      const control = values
        ? select(values.map((one) => [JSON.stringify(one), shown(one)]), JSON.stringify(value))
        : el("input", { type: "text", value: value ?? "", autocomplete: "off" });
      this.ruleFields.set(name, { control, value, isListed: Boolean(values) });
      return field(name.replaceAll("_", " "), control, help);
    }));
    this.moreRules.hidden = game.rules.length === 0;
  }

  /** The rules that differ from the variant. */
  changedRules() {
    const changed = {};
    for (const [name, { control, value, isListed }] of this.ruleFields) {
      const now = isListed ? JSON.parse(control.value) : plain(control.value, value);
      if (JSON.stringify(now) !== JSON.stringify(value ?? "")) changed[name] = now;
    }
    return Object.keys(changed).length ? changed : undefined;
  }

  async deal() {
    this.tell("");
    if (this.job) return;
    choose({ game: this.game.id, variants: { ...settings().variants, [this.game.id]: this.variant.value } });
    const chosen = { game: this.game.id, variant: this.variant.value, rules: this.changedRules() };
    this.submit.disabled = true;
    try {
      const table = this.way === "winnable" ? await this.winnable(chosen) : await post("tables", this.body(chosen));
      if (!table) return;
      this.done();
      go(link("play", { ...linkQuery(table), id: table.id }));
    } catch (error) {
      if (error.status === undefined) showError(error);
      else this.tell(error.message);
    } finally {
      this.submit.disabled = false;
    }
  }

  body(chosen) {
    if (this.way === "number") return opening({ ...chosen, seed: this.seed.value.trim() || "0" });
    if (this.way !== "link") return opening(chosen);
    const text = this.link.value.trim();
    return opening(text.includes("#/") ? route(text.slice(text.indexOf("#"))).query : { deal: text });
  }

  async winnable(chosen) {
    const difficulty = this.difficulty.value || undefined;
    const started = performance.now();
    this.job = await startJob({ kind: "winnable", ...chosen, difficulty }, ({ seconds }) => {
      this.progress.textContent = `Looking for a deal that can be won… ${seconds.toFixed(0)} s`;
    });
    put(this.progress, "Looking for a deal that can be won… ", button("Stop", () => this.cancel(), { class: "small" }));
    try {
      const { status, result } = await this.job.done;
      if (status !== "done") return null;
      const table = await post("tables", { deal: result.deal });
      toast(`${result.deal}. ${WINNABLE}`, { seconds: 9 });
      this.progress.textContent = `Found in ${((performance.now() - started) / 1000).toFixed(1)} s.`;
      return table;
    } finally {
      this.job = null;
      this.progress.textContent = "";
    }
  }

  cancel() {
    this.job?.cancel();
  }

  tell(text) {
    this.faults.textContent = text;
    this.faults.hidden = !text;
  }
}

const shown = (value) => (value === true ? "yes" : value === false ? "no" : value === null || value === "" ? "none" : String(value));

/** What was typed, as a number where the rule is one. */
function plain(text, before) {
  return typeof before === "number" && /^-?\d+$/.test(text.trim()) ? Number(text) : text.trim();
}
