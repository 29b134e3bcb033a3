/** The first page: the games, what was begun, and ways to open a deal. */

import { games, get, part, post, remove } from "../api.js";
import { cardElement } from "../cards.js";
import { confirm } from "../dialog.js";
import { button, el, icon, plural, put } from "../dom.js";
import { openDealing } from "../play/dealing.js";
import { linkQuery } from "../play/game.js";
import { go, link } from "../router.js";
import { choose, settings } from "../settings.js";
import { showError, toast } from "../toast.js";

// Decoration only: three cards for each tile.
const HANDS = [["AS", "AH", "AD"], ["JD", "QD", "KD"], ["3H", "4H", "5H"], ["7C", "8C", "9C"], ["JS", "QS", "KS"]];

const FIRST = 8;

export async function render(root) {
  const goOn = el("div");
  const tiles = el("div", { class: "tiles" });
  const saved = el("section", { class: "saved", aria: { labelledby: "saved-title" } });
  put(root, el("div", { class: "page" },
    el("div", { class: "hero" },
      el("h1", { text: "What shall we play?" }),
      el("p", { class: "lead", text: "Patience with an honest companion: it finds the best move, proves what can be won, and shows how." }), goOn),
    tiles, saved));
  const all = await games();
  put(tiles, all.map((game, at) => tile(game, HANDS[at % HANDS.length])), ownTile());
  showLast(goOn, await showSaved(saved));
}

function tile(game, hand) {
  const variant = settings().variants[game.id] ?? game.variants[0].id;
  const start = async () => {
    play.disabled = true;
    try {
      const table = await post("tables", { game: game.id, variant });
      choose({ game: game.id });
      go(link("play", { ...linkQuery(table), id: table.id }));
    } catch (error) {
      showError(error);
      play.disabled = false;
    }
  };
  const play = button("Play", start, { class: "primary", icon: "play", aria: { label: `Play ${game.name}` } });
  return el("article", { class: "tile" },
    el("div", { class: "tile-felt picture", aria: { hidden: true } }, hand.map((face) => cardElement({ face }))),
    el("div", { class: "tile-body" },
      el("h2", { text: game.name }),
      el("p", { class: "tile-summary", text: game.summary }),
      el("p", { class: "note", text: game.variants.length > 1 ? `${variant} · ${plural(game.variants.length, "variant")}` : variant }),
      el("div", { class: "row-x" }, play,
        button("Choose…", () => openDealing(game.id), { aria: { label: `Choose a deal or variant of ${game.name}` } }))));
}

/** For people who play with real cards. */
function ownTile() {
  return el("article", { class: "tile" },
    el("div", { class: "tile-felt picture", aria: { hidden: true } }, [null, null, null].map((face) => cardElement({ face }))),
    el("div", { class: "tile-body" },
      el("h2", { text: "Your own cards" }),
      el("p", { class: "tile-summary", text: "Type in the deal that lies on your table, play it here, or be advised move by move beside it." }),
      el("div", { class: "row-x" }, el("a", { class: "button", href: "#/enter", text: "Enter a deal" }), el("a", { class: "button", href: "#/advise", text: "Be advised" }))));
}

async function showSaved(box) {
  const tables = await get("tables");
  const picker = el("input", { type: "file", accept: ".json,application/json", hidden: true, on: { change: () => upload(picker).then(() => showSaved(box)) } });
  put(box,
    el("div", { class: "section-head" }, el("h2", { id: "saved-title", text: "Your games" }),
      el("div", { class: "row-x" }, picker, button("Open a deal…", () => openDealing(), { class: "small" }),
        button("Load a save", () => picker.click(), { icon: "upload", class: "small" }))),
    tables.length
      ? saveList(tables, () => showSaved(box).catch(showError))
      : el("p", { class: "note", text: "Nothing yet. A game is saved from its first move on." }));
  return tables;
}

/** The way back to the game that was played last, if it is not over. */
function showLast(box, tables) {
  const last = tables.find(({ error, outcome }) => !error && !outcome);
  if (!last) return;
  put(box, el("a", { class: "button go-on", href: `#/table/${part(last.id)}` }, icon("play"),
    el("span", { text: `Go on: ${last.name}, ${plural(last.moves_made, "move")}` })));
}

/** The newest games; older ones on demand. */
function saveList(tables, again) {
  const rows = tables.map((table) => saveRow(table, again));
  const list = el("ul", { class: "save-list" }, rows.slice(0, FIRST));
  if (rows.length <= FIRST) return list;
  const more = button(`Show all ${rows.length}`, () => {
    put(list, rows);
    more.remove();
    rows[FIRST].querySelector("a, button").focus();
  }, { class: "small" });
  return [list, el("p", { class: "show-all" }, more)];
}

function saveRow(table, again) {
  const { id, error } = table;
  const discard = async () => {
    if (!(await confirm("Delete this game?", error ? `The save ${id} cannot be read.` : `${table.name}, ${plural(table.moves_made, "move")}. It cannot be brought back.`, "Delete", { danger: true }))) return;
    try {
      await remove(`tables/${part(id)}`);
      toast("Deleted.");
    } catch (failed) {
      showError(failed);
    }
    again();
  };
  const tools = el("div", { class: "save-tools" },
    error ? null : el("a", { class: "button icon-only quiet", href: `api/tables/${part(id)}/save`, download: "", title: "Download", aria: { label: `Download ${table.name} ${id}` } }, icon("download")),
    button(`Delete ${id}`, discard, { icon: "trash", class: "icon-only quiet", title: "Delete" }));
  if (error) return el("li", { class: "save" }, el("div", { class: "save-main" }, el("strong", { text: id }), el("span", { class: "note", text: error })), tools);
  const how = table.outcome ? (table.outcome === "won" ? "won" : "stuck") : plural(table.moves_made, "move");
  return el("li", { class: "save" },
    el("a", { class: "save-main", href: `#/table/${part(id)}` },
      el("strong", { text: table.name }), el("span", { class: "save-variant", text: table.variant }),
      el("span", { class: `chip chip-${table.outcome ?? "open"}`, text: how }),
      el("span", { class: "save-score note", text: table.score_text }),
      el("time", { class: "note", datetime: table.updated, text: when(table.updated) })),
    tools);
}

/** A save file from this computer becomes a game here. */
async function upload(picker) {
  const [file] = picker.files;
  if (!file) return;
  try {
    const save = JSON.parse(await file.text());
    const { kind, id } = await post("saves", save).catch(async (error) => {
      if (error.status !== 409 || !(await confirm("A game with this id is here already", [error.message, "Shall the loaded one get an id of its own?"], "Load it"))) throw error;
      return post("saves?rename=true", save);
    });
    go(kind === "table" ? `#/table/${part(id)}` : `#/advise/${part(id)}`);
  } catch (error) {
    if (error instanceof SyntaxError) toast(`${file.name} is no save file.`, { kind: "error" });
    else showError(error);
  }
}

/** "today 14:05", "3 March". */
function when(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text ?? "";
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? `today ${date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}` : date.toLocaleDateString([], { day: "numeric", month: "long" });
}
