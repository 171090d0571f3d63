// Before anything is painted: the forms of the page without scripts need not flash up, and the text
// has the size that was chosen on this device.
document.documentElement.classList.add("scripted");
try {
  document.documentElement.dataset.text = localStorage.getItem("table-text") ?? "usual";
} catch {
  // A device that keeps nothing has the usual size.
}
