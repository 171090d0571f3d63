// The form for bought cards. They fill a pot and change no line, so it stays a plain form.

let shown = "";

/** @param {TableState} state */
export function renderBoughtCards({ bought, is_keeper: isKeeper, status }) {
  const form = document.querySelector("#table-bought form");
  const key = JSON.stringify([bought, isKeeper, status]);
  if (!form || shown === key) return;
  const wasRefused = !shown && form.querySelector(".alert"); // its fields keep the typed values
  shown = key;
  const mayNote = isKeeper && ["open", "complete"].includes(status);
  const store = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
  store.hidden = !mayNote;
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = form.querySelectorAll("input[name^=bought_]");
  fields.forEach((field, at) => {
    field.readOnly = !mayNote;
    if (!wasRefused) field.value = String(bought[at] ?? 0);
  });
}
