/** The advised games that are saved, and ways to begin one. */

import { games, get, part, post, remove } from "../api.js";
import { confirm } from "../dialog.js";
import { button, el, field, icon, put } from "../dom.js";
import { GameChoice } from "../enter/choice.js";
import { go } from "../router.js";
import { showError, toast } from "../toast.js";

const STAGES = { entry: "being entered", redeal: "redeal being entered", edit: "being edited", play: "in play", shown: "in play", end: "over" };

export async function renderList(root) {
  const all = (await games()).filter(({ advises }) => advises);
  const saved = el("section", { aria: { labelledby: "advised-title" } });
  put(root, el("div", { class: "page advise-page" },
    el("h1", { text: "Beside a real table" }),
    el("p", { class: "lead", text: "Play with real cards, or in another program. Type the cards that you see; the page shows a plan, its chance to win and the reasons, deal after deal. Every answer is saved at once." }),
    el("div", { class: "advise-columns" }, form(all), saved)));
  await list(saved);
}

function form(all) {
  const choice = new GameChoice(all);
  const name = el("input", { type: "text", autocomplete: "off", maxlength: 60, placeholder: "made up if left blank" });
  const faults = el("p", { class: "form-faults", role: "alert", hidden: true });
  const begin = async (event) => {
    event.preventDefault();
    faults.hidden = true;
    try {
      const { id } = await post("advised", { ...choice.asked, ...(name.value.trim() ? { id: name.value.trim() } : {}) });
      go(`#/advise/${part(id)}`);
    } catch (error) {
      if (error.status === undefined) return showError(error);
      faults.textContent = error.message;
      faults.hidden = false;
    }
  };
  return el("form", { class: "panel stack-y", aria: { label: "New game" }, on: { submit: begin } },
    el("h2", { text: "New game" }), choice.fields, choice.more, field("Name", name, "Letters, digits, - and _."), faults,
    el("div", { class: "row-x" }, el("button", { class: "button primary", type: "submit" }, icon("play"), el("span", { text: "Begin" }))));
}

async function list(box) {
  const saved = await get("advised");
  const file = el("input", { type: "file", accept: ".json,application/json", hidden: true, id: "advised-file", on: { change: () => upload(file) } });
  put(box,
    el("div", { class: "section-head" }, el("h2", { id: "advised-title", text: "Saved games" }), file,
      button("Load a save file", () => file.click(), { icon: "upload", class: "small" })),
    saved.length
      ? el("ul", { class: "save-list" }, saved.map((each) => row(each, () => list(box).catch(showError))))
      : el("p", { class: "note", text: "None yet." }));
}

function row({ id, name, variant, stage, updated }, again) {
  const discard = async () => {
    if (!(await confirm("Delete this game?", `${name}, ${id}. It cannot be brought back.`, "Delete", { danger: true }))) return;
    try {
      await remove(`advised/${part(id)}`);
      toast("Deleted.");
    } catch (error) {
      showError(error);
    }
    again();
  };
  return el("li", { class: "save" },
    el("a", { class: "save-main", href: `#/advise/${part(id)}` },
      el("strong", { text: name }), el("span", { class: "save-variant", text: variant }),
      el("span", { class: "chip", text: STAGES[stage] ?? stage }), el("span", { class: "note save-score", text: id }),
      el("time", { class: "note", datetime: updated, text: updated.slice(0, 16).replace("T", " ") })),
    el("div", { class: "save-tools" }, download(id),
      button(`Delete ${id}`, discard, { icon: "trash", class: "icon-only quiet", title: "Delete" })));
}

/** The save file as a link. */
export function download(id, classes = "button icon-only quiet") {
  return el("a", { class: classes, href: `api/advised/${part(id)}/save`, download: `${id}.json`, title: "Download the save file", aria: { label: `Download ${id}` } }, icon("download"));
}

async function upload(control) {
  const [file] = control.files;
  if (!file) return;
  try {
    const save = JSON.parse(await file.text());
    const { kind, id } = await post("saves", save).catch(async (error) => {
      const isTaken = error.status === 409;
      if (!isTaken || !(await confirm("This id is in use", [error.message, "Shall the loaded game get an id of its own?"], "Load it"))) throw error;
      return post("saves?rename=true", save);
    });
    go(kind === "table" ? `#/table/${part(id)}` : `#/advise/${part(id)}`);
  } catch (error) {
    if (error instanceof SyntaxError) toast(`${file.name} is no save file.`, { kind: "error" });
    else showError(error);
  } finally {
    control.value = "";
  }
}
