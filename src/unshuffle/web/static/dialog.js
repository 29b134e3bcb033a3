/** Dialogs over the page, on the browser's own <dialog>: focus stays inside, Escape closes, the opener has the focus again. */

import { button, el } from "./dom.js";

/**
 * Open a dialog. `content`: elements; `actions`: [{ label, value, class, icon }]: each closes it with its value.
 * Resolves with the value of the button, or null if it was dismissed. `built(dialog, close)` may wire what is inside.
 */
export function openDialog({ title, content = [], actions = [], wide = false, built = null }) {
  return new Promise((resolve) => {
    const id = `dialog-${++count}`;
    let answer = null;
    const close = (value = null) => {
      answer = value;
      dialog.close();
    };
    const body = el("div", { class: "dialog-body" }, content);
    const dialog = el("dialog", { class: `dialog${wide ? " wide" : ""}`, aria: { labelledby: id } },
      el("header", { class: "dialog-head" }, el("h2", { id, text: title }),
        button("Close", () => close(), { icon: "close", class: "icon-only quiet" })),
      body,
      actions.length
        ? el("footer", { class: "dialog-actions" },
          actions.map(({ label, value, ...props }) => button(label, () => close(value), { autofocus: props.class === "primary", ...props })))
        : null);
    dialog.addEventListener("click", (event) => {
      // A press on the backdrop is a press on the dialog itself, outside of its box.
      if (event.target === dialog && isOutside(dialog, event)) close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answer);
    });
    document.body.append(dialog);
    built?.(dialog, close);
    dialog.showModal();
  });
}

let count = 0;

function isOutside(dialog, { clientX: x, clientY: y }) {
  const box = dialog.getBoundingClientRect();
  return x < box.left || x > box.right || y < box.top || y > box.bottom;
}

/** Ask yes or no. */
export async function confirm(title, text, yes = "Yes", { danger = false } = {}) {
  const answer = await openDialog({
    title,
    content: (Array.isArray(text) ? text : [text]).map((line) => el("p", { text: line })),
    actions: [{ label: "Cancel", value: null, autofocus: danger }, { label: yes, value: true, class: danger ? "danger" : "primary" }],
  });
  return answer === true;
}

/** A small menu at a point of the screen: one of `choices` [{ label, value }], or null. */
export function chooseAt({ x, y }, title, choices) {
  return new Promise((resolve) => {
    let answer = null;
    const menu = el("dialog", { class: "choice", aria: { label: title } },
      el("p", { class: "choice-title", text: title }),
      choices.map(({ label, value }) => button(label, () => {
        answer = value;
        menu.close();
      }, { class: "quiet" })));
    menu.addEventListener("click", (event) => {
      if (event.target === menu && isOutside(menu, event)) menu.close();
    });
    menu.addEventListener("close", () => {
      menu.remove();
      resolve(answer);
    });
    document.body.append(menu);
    menu.showModal();
    const box = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(8, Math.min(x - box.width / 2, innerWidth - box.width - 8))}px`;
    menu.style.top = `${Math.max(8, Math.min(y + 8, innerHeight - box.height - 8))}px`;
  });
}
