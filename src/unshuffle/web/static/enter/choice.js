/** Which game, by which rules: the fields that several views begin with. */

import { el, field, put, select } from "../dom.js";
import { choose, settings } from "../settings.js";

/**
 * Game, variant and single rules. `onChange()` is called after each choice; `asked` is what a request says of it.
 * What was chosen last is chosen again the next time.
 */
export class GameChoice {
  constructor(games, { game = "", variant = "", onChange = () => {} } = {}) {
    this.games = games;
    this.onChange = onChange;
    this.game = this.find(game) ?? this.find(settings().game) ?? games[0];
    this.which = select(games.map(({ id, name }) => [id, name]), this.game.id, (id) => {
      this.game = this.find(id);
      this.fill(settings().variants[id]);
      this.keep();
    });
    this.variants = el("select", { on: { change: () => (this.fillRules(), this.keep()) } });
    this.rules = el("div", { class: "rule-fields" });
    this.fields = [field("Game", this.which), field("Variant", this.variants)];
    this.more = el("details", { class: "choice-more" }, el("summary", { text: "Other rules" }), this.rules);
    this.fill(variant || settings().variants[this.game.id]);
  }

  find(id) {
    return this.games.find((each) => each.id === id);
  }

  fill(wanted) {
    const slugs = this.game.variants.map(({ id }) => id);
    put(this.variants, slugs.map((slug) => el("option", { value: slug, text: slug })));
    this.variants.value = slugs.includes(wanted) ? wanted : slugs[0];
    this.fillRules();
  }

  /** The single rules, as the chosen variant sets them. */
  fillRules() {
    const set = this.game.variants.find(({ id }) => id === this.variant).rules;
    this.controls = this.game.rules.map(({ name, help, default: standard, values }) => {
      const was = set[name] ?? standard;
      const control = values
        ? select(values.map((value) => [value, value || "none"]), was, () => this.onChange())
        : el("input", { type: "text", value: was, autocomplete: "off", on: { change: () => this.onChange() } });
      return { name, was, control, help };
    });
    put(this.rules, this.controls.map(({ name, control, help }) => field(name.replaceAll("_", " "), control, help)));
    this.more.hidden = this.controls.length === 0;
    this.more.open = false;
  }

  keep() {
    choose({ game: this.game.id, variants: { ...settings().variants, [this.game.id]: this.variant } });
    this.onChange();
  }

  get variant() {
    return this.variants.value;
  }

  /** Game, variant, and the rules that differ from it. */
  get asked() {
    const changed = this.controls.filter(({ control, was }) => control.value.trim() !== was).map(({ name, control }) => [name, control.value.trim()]);
    return { game: this.game.id, variant: this.variant, ...(changed.length ? { rules: Object.fromEntries(changed) } : {}) };
  }
}
