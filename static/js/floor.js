// Drag and drop: a table to a cell, a person to the seat of another. Two clicks do the same.

/** @type {HTMLElement | null} */
let dragged = null;

/** @param {EventTarget | null} target */
const cellOf = (target) =>
  target instanceof Element
    ? /** @type {HTMLElement | null} */ (target.closest(".floor td, [data-seat]"))
    : null;

document.addEventListener("dragstart", (event) => {
  dragged = cellOf(event.target);
});

document.addEventListener("dragover", (event) => {
  const cell = cellOf(event.target);
  if (dragged && cell && cell !== dragged) event.preventDefault();
});

document.addEventListener("drop", (event) => {
  const from = dragged;
  const to = cellOf(event.target);
  dragged = null;
  if (!from || !to || from === to) return;
  event.preventDefault();
  if (to.dataset.seat) {
    const link = /** @type {HTMLAnchorElement} */ (to.querySelector("a"));
    const swap = new URL(link.href);
    swap.search = `?first=${from.dataset.seat}&second=${to.dataset.seat}`;
    location.assign(swap);
    return;
  }
  /** @type {HTMLInputElement} */ (from.querySelector("input")).checked = true;
  /** @type {HTMLButtonElement} */ (to.querySelector("button")).click();
});
