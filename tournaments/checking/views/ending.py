"""The page that ends all incomplete lists of a Serie together."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.common.roles import MAY_LEAD
from tournaments.common.rules import rule_set_of
from tournaments.corrections.forms.ending import EndAllForm
from tournaments.corrections.services import corrections
from tournaments.corrections.services.ending import warnings_of_ending
from tournaments.hall.queries import handing_in
from tournaments.models import Serie, Spielliste, Tournament
from tournaments.rulebook.queries.rule_set_text import games_listed
from tournaments.web.access import StaffRequest, own, roles_required
from tournaments.web.acting import FormStorage, posted, redirect_done


@require_http_methods(["GET", "HEAD", "POST"])
@roles_required(MAY_LEAD)
def end_all(request: StaffRequest, tournament: Tournament, serie: int) -> HttpResponse:
    """Show the tables that are playing, and end the lists of the chosen ones."""
    chosen = own(tournament, Serie, number=serie)
    playing = [
        row
        for row in handing_in.rows(chosen)
        if row.spielliste.status == Spielliste.Status.OPEN and not row.spielliste.is_ended
    ]
    form = EndAllForm(posted(request), tables=playing)
    storing = FormStorage(form)
    if form.is_valid():
        with storing:
            ended = corrections.end_lists(
                request.actor, chosen.pk, ends=form.ends(), reason=form.cleaned_data["reason"]
            )
            ended_lists = (correction.spielliste for correction in ended)
            tables = ", ".join(str(row.table.number) for row in ended_lists if row)
            text = (
                _(
                    "Vorgeschlagen ist das Ende der Listen von Tisch {tables}; es wartet auf die "
                    "zweite Person."
                )
                if tournament.four_eyes
                else _("Beendet sind die Listen von Tisch {tables}. Bitte noch mitteilen.")
            )
            return redirect_done(
                request, text.format(tables=tables), "hall:room", tournament.slug, serie
            )
    context = {
        "serie": chosen,
        "form": form,
        "without_games": [row for row in playing if row not in form.tables],
        "games": games_listed(rule_set_of(tournament)),
        "warnings": warnings_of_ending(tournament, {row.spielliste.pk for row in form.tables}),
        "how": tournament.get_ended_lists_display(),
    }
    return render(request, "tournaments/checking/end_all.html", context, status=storing.status)
