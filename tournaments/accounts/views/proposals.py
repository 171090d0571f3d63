"""Pages for handing over rows to another organiser, and for answering proposals."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.accounts import proposals as services
from tournaments.accounts.forms import HandOverForm
from tournaments.accounts.views.organisers import get_own_organiser
from tournaments.common.errors import TournamentError
from tournaments.models import Proposal
from tournaments.people.queries.people import living_persons, search_persons
from tournaments.web.access import StaffRequest, account_required
from tournaments.web.acting import CONFLICT, FormStorage, posted, redirect_done

SHOWN = 50  # persons


@account_required
def hand_over(request: StaffRequest, pk: int) -> HttpResponse:
    """Choose the rows for another organiser; the latest persons, or those of a search."""
    giver = get_own_organiser(request, pk)
    form = HandOverForm(posted(request), giver=giver)
    with FormStorage(form) as storing:
        if form.is_valid():
            taker = form.cleaned_data["code"]
            proposal = services.propose(giver, taker, form.rows(), actor=request.actor)
            return redirect("account:proposal", pk, proposal.pk)
    typed = request.GET.get("q", "").strip()
    newest = living_persons(giver).select_related("club").order_by("-pk")[:SHOWN]
    context = {
        "organiser": giver,
        "form": form,
        "typed": typed,
        "ticked": {name: request.POST.getlist(name) for name in form.KINDS},
        "persons": search_persons(typed, giver, limit=SHOWN) if typed else newest,
        "crumbs": [(giver.name, reverse("account:organiser", args=[pk])), (_("Abgeben"), "")],
    }
    template = "tournaments/accounts/hand_over.html"
    return render(request, template, context, status=storing.status)


@account_required
def proposal(request: StaffRequest, pk: int, proposal_id: int) -> HttpResponse:
    """Show a proposal by or to an organiser, and store the answer of its head."""
    organiser = get_own_organiser(request, pk)
    proposals = Proposal.objects.select_related("giver", "taker")
    proposal = get_object_or_404(proposals, pk=proposal_id)
    if organiser not in {proposal.giver, proposal.taker}:
        raise Http404
    is_taker, error = organiser == proposal.taker, ""
    if request.method == "POST":
        try:
            if is_taker and request.POST.get("answer") == "yes":
                services.accept(proposal.pk, actor=request.actor)
            else:
                services.decline(proposal.pk, actor=request.actor, by=organiser)
            return redirect_done(request, _("Gespeichert."), "account:organiser", pk)
        except TournamentError as refusal:
            error = str(refusal)
    context = {
        "organiser": organiser,
        "proposal": proposal,
        "is_taker": is_taker,
        "rows": services.rows_of(proposal.giver, **proposal.rows) if proposal.rows else None,
        "error": error,
        "crumbs": [(organiser.name, reverse("account:organiser", args=[pk])), (_("Anfrage"), "")],
    }
    template = "tournaments/accounts/proposal.html"
    return render(request, template, context, status=CONFLICT if error else 200)
