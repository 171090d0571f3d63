"""Closing and reopening Serien and the tournament, with all open items."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.announcement.forms.tournament import ReasonForm
from tournaments.closing import services
from tournaments.closing.queries.closing import (
    NO_SERIE,
    Kind,
    OpenItem,
    OpenItemPart,
    blocking,
    cases_after_closing,
    of_serien,
    reopening_warnings,
)
from tournaments.closing.queries.standings import changes
from tournaments.closing.queries.tournament import of_tournament
from tournaments.common.formats import MOST_LISTED
from tournaments.common.roles import MAY_LEAD, MAY_SEE
from tournaments.desk.queries.presence import departed_registrations
from tournaments.journal.queries.seals import origin_of, paper_seal
from tournaments.models import Serie, Tournament
from tournaments.web.access import StaffRequest, roles_required
from tournaments.web.acting import InvalidForm, act, form_data

Address = tuple[str, list[Any]]


def _table(part: OpenItemPart) -> Address:
    return "checking:list", [part.serie, part.key]


# Page on which each part is settled; the other kinds have one page for all parts.
_PARTS: dict[Kind, Callable[[OpenItemPart], Address]] = {
    Kind.LISTS: _table,
    Kind.PENALTIES: _table,
    Kind.CORRECTIONS: lambda part: ("checking:correction", [part.key]),
    Kind.CASES: lambda part: ("notices:case", [part.key]),
    Kind.DECISIONS: lambda part: ("notices:case", [part.key]),
    Kind.CALLS: lambda part: ("hall:table", [part.serie, part.key]),
    Kind.BUSSGELD: lambda part: ("hall:table", [part.serie, part.key]),
    Kind.REGISTRATIONS: lambda part: ("desk:registration", [part.key]),
}
_PAGES: dict[Kind, str] = {
    Kind.NOTICES: "notices:page",
    Kind.POINTS: "desk:list",
    Kind.TIES: "prizes:playoffs",
    Kind.PRIZES: "prizes:prizes",
    Kind.KAUTION: "cash:book",
    Kind.TRANSFERS: "cash:transfers",
    Kind.TILL: "cash:count",
}


def _item(tournament: Tournament, item: OpenItem, *, is_leading: bool) -> tuple[bool, str]:
    """Return whether an open item blocks, and its sentence with links to the pages to settle it."""
    sentence = _linked(tournament, item) if is_leading else item.sentence
    return item.blocks, sentence


def _linked(tournament: Tournament, item: OpenItem) -> str:
    page, address = _PAGES.get(item.kind), _PARTS.get(item.kind)
    if page is not None:
        url = reverse(page, args=[tournament.slug])
        return format_html('{} <a href="{}">{}</a>', item.sentence, url, _("Ansehen"))
    if address is None:
        return item.sentence
    shown = item.parts[:MOST_LISTED]
    before, names, after = item.sentence.partition(", ".join(part.label for part in shown))
    if not names:
        raise LookupError(f"what is open of kind {item.kind} does not name its parts")
    links = []
    for part in shown:
        name, arguments = address(part)
        links.append((reverse(name, args=[tournament.slug, *arguments]), part.label))
    return format_html(
        "{}{}{}", before, format_html_join(", ", '<a href="{}">{}</a>', links), after
    )


def _serien(
    tournament: Tournament, items: Mapping[int, list[OpenItem]], *, is_leading: bool
) -> list[dict[str, Any]]:
    loose = items.get(NO_SERIE, [])
    rows = []
    serien = Serie.every.filter(tournament=tournament)
    for serie in serien.annotate(table_count=Count("tables")).order_by("number"):
        inside = [] if serie.closed_at else [*items.get(serie.number, []), *loose]
        rows.append(
            {
                "serie": serie,
                "is_seated": serie.table_count > 0,
                "items": [_item(tournament, item, is_leading=is_leading) for item in inside],
                "is_ready": serie.table_count > 0
                and serie.closed_at is None
                and not blocking(inside),
                "rests": reopening_warnings(tournament, serie) if serie.closed_at else [],
                "form": ReasonForm(prefix=f"serie{serie.number}"),
                "is_next": False,
                "draws": None,
                "has_further": False,
                "may_draw": False,
            }
        )
    _mark_next(rows)
    return rows


def _mark_next(rows: list[dict[str, Any]]) -> None:
    """Mark the Serie to close next, and the one that is drawn after it."""
    unclosed = [row for row in rows if row["is_seated"] and row["serie"].closed_at is None]
    unseated = [row for row in rows if not row["is_seated"] and not row["serie"].struck_out]
    for row in unseated[:-1]:
        row["has_further"] = True
    for row in unseated[:1]:
        row["may_draw"] = True
    for row in unclosed[:1] or unseated[:1]:
        row["is_next"] = True
        if unseated and len(unclosed) == 1:
            row["draws"] = unseated[0]["serie"]


@require_safe
@roles_required(MAY_SEE)
def page(
    request: StaffRequest, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Show the closed Serien, those that can be closed, and the open items of the others."""
    is_running = tournament.is_running
    items = of_serien(tournament)
    missing = of_tournament(tournament, items) if is_running else cases_after_closing(items)
    latest = tournament.closings.select_related("closed_by", "reopened_by").last()
    context = {
        "is_leading": request.is_leading,
        "is_running": is_running,
        "serien": _serien(tournament, items, is_leading=request.is_leading),
        "items": [_item(tournament, item, is_leading=request.is_leading) for item in missing],
        "gone": departed_registrations(tournament),
        "is_ready": is_running and not blocking(missing),
        "latest": latest,
        "origin": origin_of(tournament),
        "end": paper_seal(tournament),
        "changes": changes(tournament, latest) if latest and latest.reopened_at else None,
        "rests": reopening_warnings(tournament) if tournament.is_read_only else [],
        "form": ReasonForm(),
        **more,
    }
    return render(request, "tournaments/closing/closing.html", context, status=status)


_on_page = partial(act, MAY_LEAD, page, to="closing:page")


@_on_page(of=Serie)
def close_serie(request: StaffRequest, serie: Serie) -> str | HttpResponse:
    """Close a Serie, and draw the next one if requested."""
    if "draw" not in request.POST:
        services.close_serie(request.actor, serie.pk)
        return _("{serie} ist abgeschlossen.").format(serie=serie)
    _closed, following = services.close_serie_and_draw(request.actor, serie.pk)
    messages.success(request, _("{serie} ist abgeschlossen.").format(serie=serie))
    if following is None:
        return redirect("closing:page", request.tournament.slug)
    return redirect("draw:serie", request.tournament.slug, following.number)


@_on_page(of=Serie)
def reopen_serie(request: StaffRequest, serie: Serie) -> str:
    """Reopen a closed Serie."""
    reason = _reason_for(request, serie)
    services.reopen_serie(request.actor, serie.pk, reason=reason)
    return _("{serie} ist wieder offen.").format(serie=serie)


@_on_page(of=Serie)
def strike_out(request: StaffRequest, serie: Serie) -> str:
    """Strike out a Serie that is not drawn, and those after it."""
    reason = _reason_for(request, serie)
    dropped = services.strike_out(request.actor, serie.pk, reason=reason)
    return " ".join(_("{serie} entfällt.").format(serie=struck) for struck in dropped)


@_on_page(of=Serie)
def reinstate(request: StaffRequest, serie: Serie) -> str:
    """Reinstate a Serie that was struck out."""
    back = services.reinstate(request.actor, serie.pk)
    return " ".join(_("{serie} findet doch statt.").format(serie=reinstated) for reinstated in back)


def _reason_for(request: StaffRequest, serie: Serie) -> str:
    """Return the reason typed in the card of a Serie, which also shows a refusal."""
    form = ReasonForm(request.POST, prefix=f"serie{serie.number}")
    if not form.is_valid():
        tournament = serie.tournament
        rows = _serien(tournament, of_serien(tournament), is_leading=request.is_leading)
        for row in rows:
            if row["serie"] == serie:
                row["form"] = form
        request.shown = {"serien": rows}
        raise InvalidForm
    return str(form.cleaned_data["reason"])


@act(MAY_LEAD, page, to="setup:tournament")
def close(request: StaffRequest, tournament: Tournament) -> str:
    """Close the tournament; its overview shows the result and what follows."""
    services.close(request.actor, tournament.pk)
    return _("Das Turnier ist abgeschlossen.")


@_on_page()
def reopen(request: StaffRequest, tournament: Tournament) -> str:
    """Reopen a closed tournament."""
    reason = form_data(request, ReasonForm(request.POST))["reason"]
    services.reopen(request.actor, tournament.pk, reason=reason)
    return _("Das Turnier ist wieder offen. Zum Berichtigen bitte auch die Serie öffnen.")
