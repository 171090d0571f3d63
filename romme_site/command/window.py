"""A small window instead of a console, with the addresses of the program and a button to end it."""

from __future__ import annotations

import base64
import os
import signal
import sys
import webbrowser
from collections.abc import Sequence
from typing import TYPE_CHECKING

from romme_site.command import serving
from romme_site.command.language import gettext as _
from romme_site.command.launching import Program, State
from romme_site.command.words import parser
from tournaments.machine.qr_codes import in_window

if TYPE_CHECKING:
    import tkinter as tk

MILLISECONDS = 200  # between two looks at the program
FONT, LARGE = ("", 12), ("", 16, "bold")
EDGE = 16  # pixels
MODULE = 5  # pixels of a square in the QR code
WIDEST = 440  # pixels of a line


def status(state: State) -> str:
    """Return the state of the program as a sentence."""
    if state.has_ended:
        return _("Das Programm läuft nicht. {why}").format(why=state.said)
    if state.is_ready:
        return _("Das Programm läuft, solange dieses Fenster offen ist.")
    return state.said or _("Das Programm startet, beim ersten Mal dauert es etwas.")


def qr_picture(address: str) -> bytes:
    """Return the QR code of *address* as a PNG in base64 for tkinter."""
    return base64.b64encode(in_window(address, module=MODULE))


class Window:
    """The window; it polls the state of the program and never waits for it."""

    def __init__(self, program: Program) -> None:
        import tkinter as tk  # noqa: PLC0415 - some Pythons come without
        from tkinter import ttk  # noqa: PLC0415

        self.program, self.shown, self.has_opened = program, State(), False
        self.root = tk.Tk()
        self.root.title("Rommé-Turnier")
        self.root.resizable(width=False, height=False)
        self.root.protocol("WM_DELETE_WINDOW", self.end)
        ttk.Style().configure("TButton", font=FONT, padding=8)
        frame = ttk.Frame(self.root, padding=EDGE)
        frame.pack()
        self.picture: tk.PhotoImage | str = ""  # tkinter keeps no reference to it
        self.status = ttk.Label(frame, font=FONT, wraplength=WIDEST)
        self.for_all = ttk.Label(frame, font=FONT, wraplength=WIDEST)
        self.hall = ttk.Label(frame, font=LARGE, wraplength=WIDEST)
        self.code = ttk.Label(frame)
        self.here = ttk.Label(frame, font=FONT, wraplength=WIDEST)
        for label in (self.status, self.for_all, self.hall, self.code, self.here):
            label.pack(pady=(0, EDGE // 2))
        self.open = ttk.Button(frame, text=_("Im Browser öffnen"), command=self.open_page)
        self.first = ttk.Button(frame, text=_("Erstes Konto anlegen"), command=self.open_setup)
        self.quit = ttk.Button(frame, text=_("Programm beenden"), command=self.end)
        for button in (self.open, self.quit):
            button.pack(fill="x", pady=(EDGE // 2, 0))
        self.open.focus_set()
        self.look()

    def look(self) -> None:
        """Show changes, and schedule the next look."""
        state = self.program.state
        if state != self.shown or not self.status["text"]:
            self.shown = state
            self._show(state)
        if state.is_ready and not self.has_opened:
            self.has_opened = True
            self.open_page()
        self.root.after(MILLISECONDS, self.look)

    def _show(self, state: State) -> None:
        import tkinter as tk  # noqa: PLC0415

        self.status["text"] = status(state)
        self.open["state"] = "normal" if state.is_ready or state.has_ended else "disabled"
        hall, here = (state.hall, state.here) if state.is_ready else ("", "")
        self.for_all["text"] = _("Für alle im selben Netz:") if hall else ""
        self.hall["text"] = hall
        self.picture = tk.PhotoImage(data=qr_picture(hall)) if hall else ""
        self.code["image"] = self.picture
        self.here["text"] = _("Auf diesem Rechner: {address}").format(address=here) if here else ""
        if state.is_ready and state.setup_link:
            self.first.pack(fill="x", pady=(EDGE // 2, 0), before=self.quit)
        else:
            self.first.pack_forget()

    def open_page(self) -> None:
        """Open the start page, also if the program of another window answers there."""
        webbrowser.open(self.shown.here or f"http://localhost:{os.environ.get('PORT') or 8000}/")

    def open_setup(self) -> None:
        """Open the page for making the first account; its link can be used once."""
        webbrowser.open(self.shown.setup_link)
        self.first.pack_forget()

    def end(self) -> None:
        """End the program after a confirmation."""
        from tkinter import messagebox  # noqa: PLC0415

        question = _("Das Programm beenden? Danach erreicht niemand mehr die Seiten.")
        if self.shown.has_ended or messagebox.askokcancel("Rommé-Turnier", question):
            self.root.destroy()


def main(words: Sequence[str] = ()) -> int:
    """Start the program with a window, or in the console where Python has no tkinter."""
    parser("window").parse_args(words)
    try:
        import tkinter as tk  # noqa: PLC0415
    except ImportError:
        print(_("Dieses Python kann keine Fenster zeigen; es geht in der Konsole weiter."))
        return serving.main([])
    for told in (signal.SIGINT, signal.SIGTERM):
        signal.signal(told, lambda *_signal: sys.exit())
    program = Program()
    try:
        Window(program).root.mainloop()
    except tk.TclError as problem:  # no screen
        print(problem, file=sys.stderr)
        return 1
    finally:
        program.stop()
    return 0
