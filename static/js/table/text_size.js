// How large the text is on this device: as usual, or one of two steps larger. before_paint.js reads it.

import { h, say } from "./dom.js";

const SIZES = /** @type {const} */ (["usual", "larger", "largest"]);

/** @param {string} size */
function choose(size) {
  document.documentElement.dataset.text = size;
  try {
    localStorage.setItem("table-text", size);
  } catch {
    // A device that keeps nothing has it until the page is closed.
  }
}

/** A choice to stand wherever something is chosen for the device. */
export function textSizes() {
  const now = document.documentElement.dataset.text ?? "usual";
  return h(
    "fieldset",
    { class: "text-sizes cluster flat" },
    h("legend", {}, say("textSize")),
    SIZES.map((size) =>
      h(
        "label",
        { class: "target" },
        h("input", {
          type: "radio",
          name: "text-size",
          value: size,
          checked: size === now,
          onchange: () => choose(size),
        }),
        say(`text_${size}`),
      ),
    ),
  );
}
