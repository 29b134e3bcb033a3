/** Studies: how often games are won. The list and a form, or one study with its table and pictures. */

import { get, part } from "../api.js";
import { el, icon, plural, put } from "../dom.js";
import { drawChart, drawProvenance, drawTable, INFORMATION } from "../studies/figures.js";
import { studyForm } from "../studies/running.js";
import { showError } from "../toast.js";

export async function render(root, { parts }) {
  return parts[1] ? renderOne(root, parts[1]) : renderList(root);
}

async function renderList(root) {
  const list = el("section", { aria: { labelledby: "studies-title" } });
  const show = async () => put(list, el("h2", { id: "studies-title", text: "In the store" }), drawList(await get("studies")));
  const form = await studyForm(() => show().catch(showError));
  put(root, el("div", { class: "page" },
    el("h1", { text: "Studies" }),
    el("p", { class: "lead", text: "How often can a game be won, and how often does a policy win it? Every rate has its number of deals, its interval, and what the player knew." }),
    el("div", { class: "advise-columns" }, form, list)));
  await show();
}

function drawList(studies) {
  if (!studies.length) return el("p", { class: "note", text: "No study yet. Run one here, or with `unshuffle study run`." });
  return el("ul", { class: "save-list" }, studies.map(({ name, game, runs, deals, planned, updated }) => el("li", { class: "save" },
    el("a", { class: "save-main", href: `#/studies/${part(name)}` },
      el("strong", { text: name }), el("span", { class: "save-variant", text: game }),
      planned > deals ? el("span", { class: "chip", text: `${Math.floor((100 * deals) / planned)} %` }) : null,
      el("span", { class: "note save-score", text: `${plural(deals, "deal")} in ${plural(runs, "run")}` }),
      el("time", { class: "note", datetime: updated, text: (updated ?? "").slice(0, 16).replace("T", " ") })))));
}

async function renderOne(root, name) {
  put(root, el("p", { class: "loading", text: "Reading the study…" }));
  let study;
  try {
    study = await get(`studies/${part(name)}`);
  } catch (error) {
    await renderList(root);
    throw error;
  }
  chartsStyle();
  document.title = `${name} · Studies · unshuffle`;
  const kinds = new Set(study.rows.map(({ information }) => information));
  put(root, el("div", { class: "page study-page stack-y" },
    el("div", { class: "section-head" }, el("h1", { text: name }),
      el("div", { class: "row-x" },
        el("a", { class: "button", href: `api/studies/${part(name)}/report`, target: "_blank", rel: "noopener" }, icon("list"), el("span", { text: "Full report" })),
        el("a", { class: "button quiet", href: "#/studies", text: "All studies" }))),
    el("section", { class: "panel", aria: { label: "Rates" } }, drawTable(study.rows),
      [...kinds].map((kind) => el("p", { class: "note study-kind" }, el("strong", { text: kind }), ` ${INFORMATION[kind] ?? ""}`)),
      study.notes.map((text) => el("p", { class: "note study-note", text }))),
    study.charts.map(drawChart),
    el("details", { class: "panel" }, el("summary", { text: "What the figures rest on" }), drawProvenance(study.provenance))));
}

/** The rules by which the server's pictures are drawn, fetched when the first of them is shown. */
function chartsStyle() {
  if (document.getElementById("charts-style")) return;
  document.head.append(el("link", { id: "charts-style", rel: "stylesheet", href: "api/charts.css" }));
}
