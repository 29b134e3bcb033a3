/**
 * The views, one module each, fetched when first shown. A module exports `render(root, route)`, which fills `root` (the <main>,
 * emptied) and may return a function that is called when the view is left. `group`: the entry of the navigation that is marked.
 */
export const VIEWS = [
  { name: "", title: "Home", group: "home", load: () => import("./views/home.js") },
  { name: "play", title: "Play", group: "home", load: () => import("./views/play.js") },
  { name: "table", title: "Play", group: "home", load: () => import("./views/play.js") },
  { name: "enter", title: "Enter a deal", group: "enter", load: () => import("./views/enter.js") },
  { name: "advise", title: "Beside a real table", group: "advise", load: () => import("./views/advise.js") },
  { name: "studies", title: "Studies", group: "studies", load: () => import("./views/studies.js") },
  { name: "review", title: "Review", group: "home", load: () => import("./views/review.js") },
  { name: "help", title: "Help", group: "help", load: () => import("./views/help.js") },
];

/** What the navigation shows. */
export const NAVIGATION = [
  { group: "home", label: "Play", href: "#/" },
  { group: "enter", label: "Enter", more: " a deal", href: "#/enter" },
  { group: "advise", label: "Advise", href: "#/advise" },
  { group: "studies", label: "Studies", href: "#/studies" },
  { group: "help", label: "Help", href: "#/help" },
];
