"""Pages without an account: registering through the internet, and the page of a services."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tournaments.cash.queries.balances import refund_allowed
from tournaments.cash.queries.refunds import refund_cents
from tournaments.common.digits import number_in
from tournaments.common.errors import TournamentError
from tournaments.desk.online.forms.choice import ChangeForm, EmailForm, Options
from tournaments.desk.online.forms.entry import EntryForm
from tournaments.desk.online.queries import entries as queries
from tournaments.desk.online.queries import girocode
from tournaments.desk.online.queries.entries import EntryPerson
from tournaments.desk.online.services import changes, mails
from tournaments.desk.online.services import entry as services
from tournaments.desk.online.services.choice import EntryChoice
from tournaments.desk.online.services.entry import PUBLIC
from tournaments.desk.online.services.entry_limits import MOST_PERSONS, TooManyEntries
from tournaments.desk.queries import presence
from tournaments.desk.queries.admission import admission_in_words, approval_reason
from tournaments.desk.queries.circulars import circulars_to_entry
from tournaments.desk.queries.free_places import waiting_list
from tournaments.desk.services import presence as presence_services
from tournaments.desk.services.registrations import is_full
from tournaments.machine.addresses import absolute, network_address
from tournaments.machine.mails import can_mail
from tournaments.machine.qr_codes import in_page, svg_file
from tournaments.models import Entry, EntryLine, Tournament
from tournaments.web.access import or_404, public
from tournaments.web.acting import CONFLICT, UNFIT, FormStorage, posted
from tournaments.web.idempotency import StoredAnswer

FORM = "tournaments/desk/online/form.html"
PAGE = "tournaments/desk/online/registration.html"
TOO_MANY = 429


@public
def register(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form, and store an entry. The answer reveals no stored data."""
    announced = Tournament.objects.filter(status__in=Tournament.PUBLIC)
    tournament = get_object_or_404(announced, slug=slug, replaced_at__isnull=True)
    now = timezone.now()
    is_post = request.method == "POST"
    if reason := services.closed_reason(tournament, now):
        status = CONFLICT if is_post else 200
        template = "tournaments/desk/online/closed.html"
        return _show(request, template, tournament, status=status, why=reason, now=now)
    form = EntryForm(
        tournament, request.POST if is_post else None, now=now, email_required=can_mail()
    )
    if not is_post:
        return _form(request, form)
    if "add" in request.POST:
        return _form(request, form.with_another())
    if "drop" in request.POST:
        return _form(request, form.without(number_in(request.POST["drop"])))
    return _take(request, form, now)


def _show(
    request: HttpRequest, template: str, tournament: Tournament, *, status: int = 200, **more: Any
) -> HttpResponse:
    """Render a page whose header links to the Ausschreibung."""
    home_url = reverse("public:tournament", args=[tournament.slug])
    context = {"tournament": tournament, "home_url": home_url, **more}
    return render(request, template, context, status=status)


def _form(request: HttpRequest, form: EntryForm, *, status: int = 200) -> HttpResponse:
    is_part = bool(getattr(request, "htmx", False))
    return _show(
        request,
        f"{FORM}#form" if is_part else FORM,
        form.options.tournament,
        status=status,
        form=form,
        clubs=queries.suggested_clubs(form.options.tournament),
        categories=form.options.categories,
        is_full=is_full(form.options.tournament),
        admission=admission_in_words(form.options.tournament),
        can_mail=can_mail(),
        most=MOST_PERSONS,
    )


def _take(request: HttpRequest, form: EntryForm, now: datetime) -> HttpResponse:
    tournament = form.options.tournament
    if not form.is_valid():
        return _form(request, form, status=UNFIT)
    try:
        stored = services.submit_entry(
            PUBLIC,
            tournament.pk,
            persons=form.person_entries(),
            form_key=form.key,
            email=form.contact.cleaned_data["email"],
            address=network_address(request),
            proves_address=can_mail(),
            now=now,
        )
    except (TournamentError, ValidationError) as refusal:
        form.refuse(refusal)
        return _form(request, form, status=_status(refusal))
    # If mails go out, only the owner of the address gets the link. The page never shows it
    # then, because it may open an earlier registration from that address.
    by_mail = bool(stored.entry.email) and can_mail()
    is_lost = by_mail and stored.is_new and not mails.send_confirmation(stored.entry, stored.token)
    standings = [] if by_mail else queries.standings(stored.entry, now)
    # Not a redirect: only this response contains the link, and a reload posts the same form,
    # which is idempotent.
    return _show(
        request,
        "tournaments/desk/online/sent.html",
        tournament,
        number=len(form.persons),
        standings=standings,
        open_cents=sum(standing.open_cents for standing in standings),
        asked_cents=queries.tariff_cents(stored.entry),
        has_waiting_list=waiting_list(tournament).exists(),
        email=stored.entry.email if by_mail else "",
        is_lost=is_lost,
        link="" if by_mail else absolute(request, _url(stored.token)),
        path=_url(stored.token),
    )


def _status(refusal: Exception) -> int:
    if isinstance(refusal, TooManyEntries):
        return TOO_MANY
    return UNFIT if isinstance(refusal, ValidationError) else CONFLICT


def _url(token: str) -> str:
    return reverse("entry:registration", args=[token])


def _by_link(
    view: Callable[Concatenate[HttpRequest, Entry, str, ...], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Open a view of an entry by its link."""

    @public
    @never_cache
    @wraps(view)
    def opened(request: HttpRequest, token: str, **place: int) -> HttpResponse:
        entry = changes.find_entry(token)
        if entry is None:
            return render(request, "tournaments/desk/online/unknown.html", status=404)
        answer = view(request, entry, token, **place)
        answer["X-Robots-Tag"] = "noindex"
        return answer

    return opened


def _page(
    request: HttpRequest, entry: Entry, token: str, *, status: int = 200, **more: Any
) -> HttpResponse:
    now = timezone.now()
    tournament = entry.tournament
    standings = queries.standings(entry, now)
    context = {
        "entry": entry,
        "token": token,
        "rows": [
            {
                "standing": standing,
                "transfer": girocode.transfer_for(tournament, standing),
                "offer": _offer(standing.line),
            }
            for standing in standings
        ],
        "joint": girocode.joint_transfer(tournament, standings),
        "open_cents": sum(standing.open_cents for standing in standings),
        "back_cents": refund_cents(
            standing.line.registration_id for standing in standings if standing.number is not None
        )
        if tournament.is_called_off
        else 0,
        "circulars": circulars_to_entry(entry),
        "why_fixed": queries.fixed_reason(tournament, now),
        "why_waits": approval_reason(tournament),
        "email_form": EmailForm(initial={"email": entry.email}),
        "lets_check_in": tournament.lets_check_in(now),
        # The desk scans this page's URL to find the registration.
        "code": in_page(absolute(request, _url(token)))
        if any(standing.is_awaited for standing in standings)
        else "",
        "tickable": presence.tickable_registrations(
            request.user,
            tournament,
            Q(entry_lines__in=[standing.line.pk for standing in standings]),
        ),
        **more,
    }
    return _show(request, PAGE, tournament, status=status, **context)


def _offer(line: EntryLine) -> str:
    waits = line.registration
    return mails.offer_path(waits) if waits is not None and waits.has_offer else ""


@_by_link
def registration(request: HttpRequest, entry: Entry, token: str) -> HttpResponse:
    """Show the state of the persons of a services."""
    return _page(request, entry, token)


def _standing(entry: Entry, position: int) -> EntryPerson:
    for standing in queries.standings(entry, timezone.now()):
        if standing.line.position == position:
            return standing
    raise Http404


@_by_link
def change(request: HttpRequest, entry: Entry, token: str, position: int) -> HttpResponse:
    """Change Startgeld, rankings, wishes and consent of one person."""
    standing = _standing(entry, position)
    if not standing.can_change:
        return redirect("entry:registration", token)
    form = ChangeForm(
        posted(request),
        line=standing.line,
        options=Options(entry.tournament),
        initial=_initial(standing),
    )
    with FormStorage(form) as storing:
        if form.is_valid():
            changes.change_line(PUBLIC, standing.line.pk, choice=EntryChoice(**form.chosen()))
            messages.success(request, _("Gespeichert."))
            return redirect("entry:registration", token)
    return _show(
        request,
        "tournaments/desk/online/change.html",
        entry.tournament,
        status=storing.status,
        token=token,
        standing=standing,
        form=form,
    )


def _initial(standing: EntryPerson) -> dict[str, Any]:
    line: EntryLine = standing.line
    plays_on = line.registration.plays_on if line.registration else line.plays_on
    return {
        "category": line.registration.category_id if line.registration else line.category_id,
        "plays_on": list(plays_on or map(str, line.entry.tournament.days.numbers)),
        "rankings": [ranking.pk for ranking in standing.rankings],
        "declined": list(
            line.registration.ranking_choices.filter(takes_part=False).values_list(
                "ranking", flat=True
            )
            if line.registration
            else line.declined.values_list("pk", flat=True)
        ),
        "publish_consent": line.publish_consent,
        **{f"wish_{wish.ranking_id}": wish.text for wish in standing.wishes},
    }


@_by_link
def withdraw(request: HttpRequest, entry: Entry, token: str, position: int) -> HttpResponse:
    """Ask for confirmation, then withdraw one person."""
    standing = _standing(entry, position)
    if not standing.can_change:
        return redirect("entry:registration", token)
    if request.method != "POST":
        return _show(
            request,
            "tournaments/desk/online/withdraw.html",
            entry.tournament,
            token=token,
            standing=standing,
            refund_allowed=standing.line.registration is not None
            and refund_allowed(standing.line.registration, timezone.now()),
        )
    try:
        changes.withdraw_line(PUBLIC, standing.line.pk)
    except TournamentError as refusal:
        return _page(request, entry, token, status=CONFLICT, error=str(refusal))
    sentence = _("{name} ist abgemeldet.").format(name=standing.line.full_name)

    def tell() -> HttpResponse:
        mails.send_withdrawal(entry, _standing(entry, position))
        messages.success(request, sentence)
        return redirect("entry:registration", token)

    return StoredAnswer(tell, to=_url(token), message=sentence)


@_by_link
@require_POST
def check_in(request: HttpRequest, entry: Entry, token: str, position: int) -> HttpResponse:
    """Check in one person from the page of the entry."""
    standing = _standing(entry, position)
    if standing.takes_part and standing.line.registration is not None:
        try:
            presence_services.check_in(PUBLIC, standing.line.registration.pk)
        except TournamentError as refusal:
            return _page(request, entry, token, status=CONFLICT, error=str(refusal))
    return redirect("entry:registration", token)


@_by_link
def email(request: HttpRequest, entry: Entry, token: str) -> HttpResponse:
    """Change the e-mail address and send the link there."""
    if request.method != "POST":
        return redirect("entry:registration", token)
    form = EmailForm(request.POST)
    if not form.is_valid():
        return _page(request, entry, token, status=UNFIT, email_form=form)
    try:
        entry = changes.change_email(PUBLIC, entry.pk, email=form.cleaned_data["email"])
    except TournamentError as refusal:
        return _page(request, entry, token, status=CONFLICT, error=str(refusal))

    def tell() -> HttpResponse:
        sentence = _("Gespeichert.")
        if mails.send_confirmation(entry, token, occasion="address"):
            sentence += " " + _("Der Link ist unterwegs an {email}.").format(email=entry.email)
        messages.success(request, sentence)
        return redirect("entry:registration", token)

    return StoredAnswer(tell, to=_url(token), message=_("Gespeichert."))


@_by_link
def qr_code(
    _request: HttpRequest, entry: Entry, _token: str, position: int | None = None
) -> HttpResponse:
    """Return the Girocode of one person, or of all with open dues, as an image."""
    if position is None:
        standings = queries.standings(entry, timezone.now())
        transfer = girocode.joint_transfer(entry.tournament, standings)
    else:
        transfer = girocode.transfer_for(entry.tournament, _standing(entry, position))
    return HttpResponse(svg_file(girocode.qr_code(or_404(transfer))), content_type="image/svg+xml")
