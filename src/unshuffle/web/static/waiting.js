/** A job on the page: how far it is, and a button that ends it. */

import { startJob } from "./api.js";
import { button, el, plural, put } from "./dom.js";
import { say } from "./toast.js";

const PATIENCE = 250; // milliseconds before progress is shown

/**
 * Run a job and show in `root` how far it is. Resolves with the ended job; `title` is what is being done.
 * `onStart(running)` gets what `startJob` returns, so that a view that is left can end it.
 */
export async function waitFor(root, title, body, { onStart = null, cancel = "Stop" } = {}) {
  const meter = new Meter(title, cancel);
  const timer = setTimeout(() => {
    put(root, meter.el);
    say(title);
  }, PATIENCE);
  try {
    const running = await startJob(body, (job) => meter.show(job));
    meter.onCancel = () => running.cancel();
    onStart?.(running);
    return await running.done;
  } finally {
    clearTimeout(timer);
    meter.el.remove();
  }
}

class Meter {
  constructor(title, cancel) {
    this.onCancel = () => {};
    this.words = el("span", { class: "job-words" });
    this.bar = el("progress", { class: "job-bar", max: 1, aria: { label: title } });
    this.stop = button(cancel, () => {
      this.stop.disabled = true;
      this.words.textContent = "Stopping…";
      this.onCancel();
    }, { icon: "close", class: "small" });
    this.el = el("div", { class: "job", role: "group", aria: { label: title } },
      el("div", { class: "job-head" }, el("strong", { text: title }), this.words, this.stop), this.bar);
  }

  show({ status, progress, seconds }) {
    if (this.stop.disabled) return;
    this.words.textContent = status === "queued" ? "Waiting for its turn" : progressWords(progress, seconds);
    const share = shareOf(progress, seconds);
    if (share === null) this.bar.removeAttribute("value");
    else this.bar.value = share;
  }
}

/** The progress from 0 to 1; null if unknown. */
function shareOf(progress, seconds) {
  const { done, total = progress?.wanted, limit } = progress ?? {};
  if (total) return Math.min(1, (done ?? 0) / total);
  return limit ? Math.min(1, seconds / limit) : null;
}

function progressWords(progress, seconds) {
  const { text, done, total = progress?.wanted, nodes, limit, score, won } = progress ?? {};
  const words = [];
  if (text) words.push(text);
  else if (total) words.push(`${(done ?? 0).toLocaleString("en")} of ${total.toLocaleString("en")}`);
  if (won !== undefined && done) words.push(`${won.toLocaleString("en")} won`);
  if (nodes) words.push(plural(nodes, "position"));
  if (nodes && score) words.push(`best so far ${score}`);
  words.push(limit ? `${Math.round(seconds)} s of at most ${Math.round(limit)} s` : `${Math.round(seconds)} s`);
  return words.join(" · ");
}
