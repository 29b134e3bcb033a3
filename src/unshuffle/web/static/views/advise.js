/** Advice beside a real table: the list of games, or one of them. */

import { renderList } from "../advise/list.js";
import { Sitting } from "../advise/sitting.js";

export async function render(root, { parts }) {
  if (!parts[1]) return void (await renderList(root));
  const sitting = new Sitting(root, parts[1]);
  try {
    await sitting.open();
  } catch (error) {
    sitting.close();
    root.replaceChildren();
    await renderList(root);
    throw error;
  }
  return () => sitting.close();
}
