// Runs before the first paint: hides the forms for devices without script, and sets the text size
// of this device.
document.documentElement.classList.add("scripted");
try {
  document.documentElement.dataset.text = localStorage.getItem("table-text") ?? "usual";
} catch {
  // Without storage the usual size applies.
}
