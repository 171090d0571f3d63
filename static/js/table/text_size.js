// The text size of this device: usual, or one of two larger steps. before_paint.js reads it.

import { h, say } from "./dom.js";

const SIZES = /** @type {const} */ (["usual", "larger", "largest"]);

/** @param {string} size */
function choose(size) {
  document.documentElement.dataset.text = size;
  try {
    localStorage.setItem("table-text", size);
  } catch {
    // Without storage it lasts until the page is closed.
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
