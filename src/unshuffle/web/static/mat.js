/** A picture on a mat, perhaps with text beside it. */

import { el, put } from "./dom.js";
import { PictureView } from "./picture.js";

/**
 * Lay a picture on `mat`. Where words stand beside it piles and fans are squeezed to the window; a grid, and any picture with
 * words above and below it, is as high as it needs to be.
 */
export function layPicture(mat, picture, { label, isBeside = false }) {
  const isFitted = isBeside && picture.areas.some(({ arrange }) => arrange === "columns" || arrange === "flow");
  const node = el("div", { class: `mat-picture${isFitted ? " is-fitted" : ""}` });
  put(mat, node);
  const view = new PictureView(node, { label, isFitted });
  view.show(picture, { animate: false });
  return view;
}

/** Whether there is room for text beside a mat. */
export const isWide = () => matchMedia("(min-width: 1001px)").matches;
