// Applies the differences that a polling page receives to its last answer.
// tournaments/web/cached_answers.py computes them as pieces: a text, or a range of earlier lines.

/** @type {Map<string, { version: string, text: string }>} the last answer for each part */
const kept = new Map();

document.addEventListener("htmx:configRequest", (event) => {
  const last = kept.get(event.detail.target.id);
  if (last) event.detail.headers["X-Known"] = last.version;
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr } = event.detail;
  const version = xhr.getResponseHeader("X-Version");
  if (!version) return;
  const known = xhr.getResponseHeader("X-Known");
  const last = kept.get(target.id);
  kept.delete(target.id);
  if (known !== null && last?.version !== known) {
    // Another answer came in between; the next one is complete.
    event.detail.shouldSwap = false;
    return;
  }
  let text = event.detail.serverResponse;
  if (known !== null && last) {
    const lines = last.text.split("\n");
    /** @type {([number, number] | string)[]} */
    const pieces = JSON.parse(text);
    text = pieces
      .map((piece) => (typeof piece === "string" ? piece : lines.slice(...piece).join("\n")))
      .join("\n");
    event.detail.serverResponse = text;
  }
  kept.set(target.id, { version, text });
});
