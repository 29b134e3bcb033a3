/** The dialog of settings. */

import { openDialog } from "./dialog.js";
import { el, field, select, toggle } from "./dom.js";
import { choose, settings } from "./settings.js";

export function openSettings() {
  const now = settings();
  return openDialog({
    title: "Settings",
    content: [
      field("Table", select([["auto", "As the system"], ["felt", "Green felt"], ["dark", "Dark"]], now.theme, (theme) => choose({ theme }))),
      field("Animation", select([["auto", "As the system"], ["on", "On"], ["off", "Off"]], now.animation, (animation) => choose({ animation }))),
      el("div", { class: "toggles" },
        toggle("Four colours: green clubs, blue diamonds", now.fourColours, (fourColours) => choose({ fourColours })),
        toggle("A tap moves a card that has only one way to go", now.tapMoves, (tapMoves) => choose({ tapMoves })),
        toggle("Coach: ask before a move that loses a proved win", now.coach, (coach) => choose({ coach })),
        toggle("The solver may look at hidden cards without asking", now.mayLook, (mayLook) => choose({ mayLook }))),
      el("p", { class: "note", text: "Kept in this browser only." }),
    ],
    actions: [{ label: "Done", value: true, class: "primary" }],
  });
}
