/** The game in play, as the server has it: requests one after the other, and listeners for changes. */

import { get, onServer, part, post } from "../api.js";
import { link, rewrite } from "../router.js";
import { say, showError } from "../toast.js";

export class Game {
  constructor(table) {
    this.table = table;
    this.listeners = new Set();
    this.queue = Promise.resolve();
    this.endWatch = onServer((isGone) => {
      if (!isGone) this.recover();
    });
  }

  /** Call `listener(table, { animate })` after each change. */
  onChange(listener) {
    this.listeners.add(listener);
  }

  close() {
    this.endWatch();
    this.listeners.clear();
  }

  get path() {
    return `tables/${part(this.table.id)}`;
  }

  /** Make moves, all or none. Resolves with whether they were made. */
  move(tokens) {
    return this.ask(() => post(`${this.path}/moves`, { moves: tokens }), ({ last, outcome }) => {
      if (last) say(`${last.kind}: ${last.text}`);
      if (outcome) say(outcome === "won" ? "The game is won." : "The game is stuck.");
    });
  }

  undo(count = 1) {
    if (!this.table.moves.length) return Promise.resolve(false);
    return this.ask(() => post(`${this.path}/undo`, { count }), () => say(count === 1 ? "Taken back." : `${count} moves taken back.`));
  }

  redo(count = 1) {
    if (!this.table.undone.length) return Promise.resolve(false);
    return this.ask(() => post(`${this.path}/redo`, { count }), ({ last }) => say(last ? `Made again: ${last.text}` : "Made again."));
  }

  /** Ask the server once more, as after a job that has changed the table's counters. */
  refresh() {
    return this.ask(() => get(this.path), () => {});
  }

  /** Requests wait for each other: two quick drags must not overtake. */
  ask(request, told) {
    const mine = this.queue.then(async () => {
      try {
        this.set(await request());
        told(this.table);
        return true;
      } catch (error) {
        showError(error);
        // A card may be half dragged on the screen: show the table again.
        this.tell();
        return false;
      }
    });
    this.queue = mine;
    return mine;
  }

  set(table) {
    this.table = table;
    rewrite(tableLink(table, { id: table.id }));
    this.tell();
  }

  tell() {
    for (const listener of this.listeners) listener(this.table);
  }

  /** The server is back: begin a table again that it has lost (without a move it was not saved). */
  async recover() {
    try {
      this.set(await get(this.path));
    } catch (error) {
      if (error.status !== 404) return showError(error);
      try {
        this.set(await post("tables", opening(linkQuery(this.table))));
      } catch (again) {
        showError(again);
      }
    }
  }
}

/** The parts of a link to a table. */
export function linkQuery({ deal, game, variant, start, moves }) {
  const which = deal && !start ? { deal } : { game, variant, start };
  return { ...which, moves: moves.join(",") };
}

/** The link of a table, with more entries if need be. */
export function tableLink(table, more = {}) {
  return link("play", { ...linkQuery(table), ...more });
}

/** The body of POST /tables for what a link says. */
export function opening({ deal, game, variant, start, text, seed, rules, moves }) {
  const body = {};
  if (deal) body.deal = deal;
  else body.game = game;
  if (!deal && variant) body.variant = variant;
  if (!deal && start) body.start = start;
  if (!deal && !start && text) body.text = text;
  if (!deal && !start && !text && seed) body.seed = seed;
  if (rules) body.rules = rules;
  if (moves) body.moves = moves.split(",").filter(Boolean);
  return body;
}
