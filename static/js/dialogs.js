// Dialogs, and the confirmation of acts that are hard to undo.
//
// <a class="button" href="#pause" data-dialog>…</a>  opens <dialog id="pause" class="dialog">;
//   without a script the link shows the same dialog as a box in the page (:target).
// <a href="#" data-dialog-close>…</a>                closes it.
// <form data-confirm="Frage?" data-confirm-detail="…" data-confirm-yes="Ausschließen">
//   is sent with the field "agreed"; without script the server asks (web/confirmation.py).
// The server closes open dialogs by the answer's header  HX-Trigger: dialog-close

const question = /** @type {HTMLDialogElement} */ (document.getElementById("confirm-dialog"));

/** @param {string} selector */
const part = (selector) => /** @type {HTMLElement} */ (question.querySelector(selector));

document.addEventListener("click", (event) => {
  if (!(event.target instanceof Element)) return;
  /** @type {HTMLAnchorElement | null} */
  const opener = event.target.closest("a[data-dialog]");
  const dialog = opener
    ? document.getElementById(opener.hash.slice(1))
    : event.target.closest("[data-dialog-close]")?.closest("dialog[open]");
  if (!(dialog instanceof HTMLDialogElement)) return;
  event.preventDefault();
  if (opener) dialog.showModal();
  else dialog.close();
});

document.addEventListener("dialog-close", () => {
  /** @type {NodeListOf<HTMLDialogElement>} */
  const open = document.querySelectorAll("dialog[open]");
  for (const dialog of open) dialog.close();
});

/** @type {(words: DOMStringMap, dangerous: boolean) => Promise<boolean>} */
function ask({ confirm = "", confirmDetail = "", confirmYes = "" }, dangerous) {
  const yes = part("[data-confirm-yes]");
  const detail = part("[data-confirm-detail]");
  part("h2").textContent = confirm;
  detail.textContent = confirmDetail;
  detail.hidden = !confirmDetail;
  yes.dataset.default ??= yes.textContent ?? "";
  yes.textContent = confirmYes || yes.dataset.default;
  yes.classList.toggle("danger", dangerous);
  question.returnValue = "no";
  question.showModal();
  return new Promise((resolve) => {
    question.addEventListener("close", () => resolve(question.returnValue === "yes"), {
      once: true,
    });
  });
}

// Before htmx and the browser handle the event, so that one question serves both.
/** @type {WeakSet<HTMLFormElement>} */
const agreed = new WeakSet();
document.addEventListener(
  "submit",
  async (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement)) return;
    const source = submitter?.dataset.confirm ? submitter : form;
    if (!source.dataset.confirm || agreed.delete(form)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (await ask(source.dataset, Boolean(submitter?.classList.contains("danger")))) {
      agreed.add(form);
      const answer = Object.assign(document.createElement("input"), { name: "agreed", value: "1" });
      answer.hidden = true;
      form.append(answer);
      // A polling page may have replaced the form meanwhile.
      if (!form.isConnected) document.body.append(Object.assign(form, { hidden: true }));
      form.requestSubmit(submitter);
    }
  },
  true,
);
