/** Functions that make elements. No markup is parsed from text, so shown text cannot become code. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element. `props`: class, text, data {..}, aria {..}, on {event: f}; anything else is an attribute, where true sets it bare
 * and false, null or undefined leave it out.
 */
export function el(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** An SVG element, with the same arguments. */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(node, { class: classes, text, data = {}, aria = {}, on = {}, ...attributes }, children) {
  if (classes) node.setAttribute("class", classes);
  if (text !== undefined && text !== null) node.textContent = text;
  for (const [name, value] of Object.entries(data)) node.dataset[name] = value;
  for (const [name, value] of Object.entries(aria)) node.setAttribute(`aria-${name}`, String(value));
  for (const [name, value] of Object.entries(on)) node.addEventListener(name, value);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** A button with words, and an icon before them if one is given. */
export function button(label, onClick, { icon: name, class: classes = "", ...props } = {}) {
  return el("button", { type: "button", class: `button ${classes}`.trim(), on: { click: onClick }, ...props },
    name ? icon(name) : null, el("span", { class: "button-label", text: label }));
}

/** A field with its label before it; the control may be any element. */
export function field(label, control, help = "") {
  control.id ||= `field-${++fields}`;
  const note = help ? el("small", { class: "field-help", id: `${control.id}-help`, text: help }) : null;
  if (note) control.setAttribute("aria-describedby", note.id);
  return el("div", { class: "field" }, el("label", { for: control.id, text: label }), control, note);
}

let fields = 0;

/** A choice among `options`: [value, label] pairs or plain values. */
export function select(options, chosen, onChange) {
  const control = el("select", { on: onChange ? { change: () => onChange(control.value) } : {} },
    options.map((option) => {
      const [value, label] = Array.isArray(option) ? option : [option, option];
      return el("option", { value, text: label, selected: String(value) === String(chosen) });
    }));
  return control;
}

/** A switch: a checkbox with its label behind it. */
export function toggle(label, checked, onChange) {
  const box = el("input", { type: "checkbox", role: "switch", checked, on: { change: () => onChange?.(box.checked) } });
  return el("label", { class: "toggle" }, box, el("span", { text: label }));
}

const ICONS = {
  undo: "M9 5 4 10l5 5M4.5 10H14a5.5 5.5 0 0 1 0 11h-3",
  redo: "M15 5l5 5-5 5M19.5 10H10a5.5 5.5 0 0 0 0 11h3",
  hint: "M9.5 18h5M10.5 21h3M12 3a6.5 6.5 0 0 0-4 11.6c.8.7 1.3 1.5 1.5 2.4h5c.2-.9.7-1.7 1.5-2.4A6.5 6.5 0 0 0 12 3z",
  solve: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21M8 10.5l2 2 3.5-4",
  new: "M12 5v14M5 12h14",
  link: "M10 14a4 4 0 0 0 5.7 0l3.5-3.5a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.5 3.5a4 4 0 0 0 5.7 5.7L12 17.7",
  list: "M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01",
  gear: "M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1M18.7 5.3l-2.1 2.1M7.4 16.6l-2.1 2.1",
  help: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.8h.01",
  close: "M6 6l12 12M18 6 6 18",
  play: "M7 4.5v15l12.5-7.5z",
  pause: "M8 5v14M16 5v14",
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  first: "M18 5l-7 7 7 7M6 5v14",
  last: "M6 5l7 7-7 7M18 5v14",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  trash: "M4 7h16M10 11v6M14 11v6M6 7l1 13h10l1-13M9 7V4h6v3",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4 20h16",
  upload: "M12 16V5M7.5 9 12 4.5 16.5 9M4 20h16",
  review: "M4 19V5M4 19h16M7 15l4-5 3 3 5-7",
  cards: "M8.5 4h9A1.5 1.5 0 0 1 19 5.5v12a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 7 17.5v-12A1.5 1.5 0 0 1 8.5 4zM4 7v12.5A1.5 1.5 0 0 0 5.5 21H15",
  menu: "M4 7h16M4 12h16M4 17h16",
};

/** A line drawing of 24 by 24, beside words or under an `aria-label`; never alone. */
export function icon(name) {
  return svg("svg", { class: `icon icon-${name}`, viewBox: "0 0 24 24", width: 20, height: 20, aria: { hidden: true }, focusable: "false" },
    svg("path", { d: ICONS[name] ?? ICONS.help }));
}

/** Replace what an element holds. */
export function put(parent, ...children) {
  parent.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return parent;
}

/** "1 move", "2 moves". */
export function plural(count, word) {
  return `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
}
