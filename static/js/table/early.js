// Before anything is painted: the forms of the page without scripts need not flash up.
document.documentElement.classList.add("scripted");
