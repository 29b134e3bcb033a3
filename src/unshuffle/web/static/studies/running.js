/** The form that runs a small study here, and shows how far it is. */

import { games, part } from "../api.js";
import { el, field, icon, put } from "../dom.js";
import { GameChoice } from "../enter/choice.js";
import { go } from "../router.js";
import { showError, toast } from "../toast.js";
import { waitFor } from "../waiting.js";

const MOST = 100_000; // larger ones belong to the command line

/**
 * The form; `onEnd` is called when a study was stopped. One that runs goes on when the page is left: deal by deal it is in the store.
 */
export async function studyForm(onEnd) {
  const all = await games();
  const name = el("input", { type: "text", required: true, autocomplete: "off", maxlength: 60, placeholder: "my-study" });
  const deals = el("input", { type: "number", min: 1, max: MOST, value: 100, required: true });
  const method = el("select");
  const faults = el("p", { class: "form-faults", role: "alert", hidden: true });
  const work = el("div", { class: "study-work" });
  const submit = el("button", { type: "submit", class: "button primary" }, icon("play"), el("span", { text: "Run" }));
  const fill = () => {
    const players = choice.game.policies.map((policy) => el("option", { value: policy, text: `Player “${policy}”: sees what you see` }));
    chosen = choice.game.id;
    put(method, el("option", { value: "", text: "Solver: every card known" }), players);
    method.value = "";
  };
  let chosen = "";
  const choice = new GameChoice(all, { onChange: () => chosen !== choice.game.id && fill() });
  fill();
  const run = async (event) => {
    event.preventDefault();
    faults.hidden = true;
    submit.disabled = true;
    const body = { kind: "study", name: name.value.trim(), ...choice.asked, seeds: `0..${Number(deals.value) - 1}`, ...(method.value ? { policy: method.value } : { solver: true }) };
    try {
      const job = await waitFor(work, `Running ${body.name}`, body);
      if (job.status === "cancelled") {
        toast("Stopped. What was played is kept; run it again to go on.");
        onEnd();
      } else go(`#/studies/${part(body.name)}`);
    } catch (error) {
      if (error.status === undefined) return showError(error);
      faults.textContent = error.message;
      faults.hidden = false;
    } finally {
      submit.disabled = false;
    }
  };
  return el("form", { class: "panel stack-y", aria: { label: "Run a study" }, on: { submit: run } },
    el("h2", { text: "Run a study" }),
    field("Name", name, "Started again under the same name, a study continues with the missing deals."),
    choice.fields, choice.more, field("Who plays", method), field("Deals", deals, "Numbers 0, 1, 2 and so on, the same for everybody."),
    faults, el("div", { class: "row-x" }, submit), work);
}
