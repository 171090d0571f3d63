"""All stored data about one person, to be handed to that person (GDPR, Art. 15)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, cast

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from tournaments.common.errors import TournamentError
from tournaments.common.formats import euro, long_date
from tournaments.models import (
    Ban,
    BankTransaction,
    CashEntry,
    EntryLine,
    Person,
    Registration,
    Seat,
    Signature,
    Substitution,
)
from tournaments.people.queries import pages
from tournaments.printing.base import Printable, PrintRequest

Rows = list[tuple[str, str]]
PERSON_FIELDS = (
    *("first_name", "last_name", "club", "gender", "birth_year", "email", "phone"),
    *("member_number", "member_until", "note"),
)
LENT_PERSON_FIELDS = (  # that a desk may read
    *("first_name", "last_name", "club", "gender", "birth_year"),
    *("member_number", "member_until"),
)
REGISTRATION_FIELDS = ("number", "club", "status", "category")
# Left out after a substitution: they may be about the other person.
REASON_FIELDS = ("late_reason", "status_reason", "admission", "fixed_table", "fixed_table_reason")
LABELS = {  # of fields without a verbose name
    "club": gettext_lazy("Verein"),
    "status": gettext_lazy("Stand"),
    "category": gettext_lazy("Gruppe"),
}


def disclosure(request: PrintRequest) -> Printable:
    """Return all stored data about the person with a start number.

    It covers all tournaments of the same organiser, and no other organiser's. A parent organiser
    discloses its own data about a person that it lends. If two persons had the start number one
    after the other, each gets only the data of both or of that person.

    Raises:
        TournamentError: if no person has that number.
    """
    registrations = Registration.objects.filter(number=request.number or 0)
    registration = (
        registrations.filter(tournament=request.tournament).select_related("person").first()
    )
    if registration is None:
        raise TournamentError(_("Bitte die Startnummer der Person angeben, die Auskunft möchte."))
    person = registration.person
    ids = [person.pk, *person.merged_from.values_list("pk", flat=True)]
    # Including those that a substitute took over.
    left = Substitution.objects.filter(left__in=ids).values("registration")
    registered = Registration.objects.filter(
        Q(person__in=ids) | Q(pk__in=left), tournament__owner=request.tournament.owner_id
    )
    is_own = person.owner_id == request.tournament.owner_id
    bans = Ban.objects.filter(person__in=ids if is_own else [])
    sections = [
        (
            _("Angaben"),
            [*_fields(person, PERSON_FIELDS if is_own else LENT_PERSON_FIELDS), *_consents(person)],
        ),
        (_("Sperren"), [_ban(ban) for ban in bans]),
        *_participations(ids, registered),
        (_("Meldungen über das Internet"), list(_entries(ids, registered))),
        (_("Belege und Überweisungen"), list(_money(ids, registered))),
        (
            _("Änderungen an den Angaben"),
            [(long_date(at), str(change)) for at, _by, change in pages.history(person) if is_own],
        ),
    ]
    return Printable(
        title=_("Auskunft: {name}").format(name=person.full_name),
        context={
            "sections": [(title, rows) for title, rows in sections if rows],
            "address": f"{request.base_url}/datenschutz/" if request.base_url else "",
        },
    )


def _fields(row: Any, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for name in names:
        label = LABELS.get(name) or row._meta.get_field(name).verbose_name
        shown = getattr(row, f"get_{name}_display", lambda name=name: getattr(row, name))()
        if shown not in (None, ""):
            yield str(label), long_date(shown) if isinstance(shown, date) else str(shown)


def _consents(person: Person) -> Rows:
    given_at = person.publish_consent_at
    answer = _("ja") if person.publish_consent else _("nein")
    return [
        (_("Namensnennung"), f"{answer}, {long_date(given_at)}" if given_at else answer),
        (_("Nennung im Saal"), _("widersprochen") if person.hall_objection else _("ja")),
    ]


def _ban(ban: Ban) -> tuple[str, str]:
    until = long_date(ban.ends_on) if ban.ends_on else _("auf Dauer")
    lifted = f"; {_('aufgehoben')}: {ban.lifted_reason}" if ban.lifted_at else ""
    return f"{long_date(ban.starts_on)} – {until}", f"{ban.reason}{lifted}"


def _participations(
    ids: list[int], registrations: QuerySet[Registration]
) -> Iterator[tuple[str, Rows]]:
    """Yield the stored data of each tournament that the person took part in."""
    registrations = registrations.select_related("tournament", "club", "category")
    for registration in registrations.prefetch_related("substitutions").order_by("pk"):
        changes = list(registration.substitutions.all())
        seats = Seat.objects.filter(registration=registration).select_related("serie", "table")
        rows = list(
            _fields(
                registration, REGISTRATION_FIELDS if registration.person_id in ids else ("number",)
            )
        )
        rows += (
            [] if changes else [*_fields(registration, REASON_FIELDS), *_decisions(registration)]
        )
        rows += _chosen_rankings(registration) if registration.person_id in ids else []
        if registration.hides_name and registration.person_id in ids:
            rows.append((_("Name im Internet"), _("nein")))
        rows += [
            (str(seat.serie), f"{seat.table}, {pgettext('am Tisch', 'Platz')} {seat.number}")
            for seat in seats.order_by("serie__number")
        ]
        rows += [
            (
                str(span.spielliste.table.serie),
                _("{table}, Platz {seat}: Spiele bis Nr. {last}, dann umgesetzt").format(
                    table=span.spielliste.table, seat=span.seat, last=span.last_game
                ),
            )
            for span in registration.spans.select_related("spielliste__table__serie").order_by("pk")
        ]
        rows += [
            (_("Einwechslung"), f"{long_date(change.created_at)}: {change.reason}")
            for change in changes
            if change.left_id in ids
        ]
        drawn = Signature.objects.filter(registration=registration, method=Signature.Method.DEVICE)
        if signed := drawn.exclude(drawing=Signature.REMOVED).count():
            rows.append((_("Gezeichnete Unterschriften"), str(signed)))
        yield f"{registration.tournament}, {long_date(registration.tournament.starts_at)}", rows


def _decisions(registration: Registration) -> Iterator[tuple[str, str]]:
    """Yield Strafpunkte with their reason, and the cases that the player brought up."""
    for penalty in registration.penalties.order_by("pk"):
        text = f"{penalty.points}, {penalty.get_status_display()}: {penalty.reason}"
        yield _("Strafpunkte"), text
    for case in registration.cases.order_by("pk"):
        yield case.get_kind_display(), " – ".join(filter(None, [case.text, case.decision]))


def _chosen_rankings(registration: Registration) -> Iterator[tuple[str, str]]:
    """Yield the decisions on rankings for the person; they end with a substitution."""
    for choice in registration.ranking_choices.select_related("ranking"):
        answer = _("ja") if choice.takes_part else _("nein")
        yield str(choice.ranking), ": ".join(filter(None, [answer, choice.reason]))


def _entries(ids: list[int], registrations: QuerySet[Registration]) -> Iterator[tuple[str, str]]:
    """Yield the online entries of the person; the e-mail address only of entries of one person."""
    lines = EntryLine.objects.filter(registration__in=registrations)
    lines = lines.annotate(together=Count("entry__lines")).select_related("entry", "registration")
    for line in lines.prefetch_related("registration__substitutions").order_by("pk"):
        registration = cast(Registration, line.registration)
        changes = registration.substitutions.all()
        if (changes[0].left_id if changes else registration.person_id) not in ids:
            continue
        born = str(line.birth_year or "")
        email = line.entry.email if line.together == 1 else ""
        number = line.member_number
        facts = (f"{line.first_name} {line.last_name}", line.club_name, born, number, email)
        yield long_date(line.entry.created_at), ", ".join(filter(None, facts))


def _money(ids: list[int], registrations: QuerySet[Registration]) -> Iterator[tuple[str, str]]:
    """Yield the payments; names and texts only of receipts for this person alone."""
    booked = CashEntry.objects.filter(registration__in=registrations)
    own = Registration.objects.filter(person__in=ids, substitutions=None)
    of_others = CashEntry.objects.exclude(registration__in=own)
    shared = set(of_others.filter(receipt__in=booked.values("receipt")).values_list("receipt"))
    for entry in booked.select_related("receipt__tournament").order_by("pk"):
        receipt = entry.receipt
        named = [] if (receipt.pk,) in shared else [receipt.payer, receipt.text]
        facts = [str(receipt), str(entry.get_kind_display()), euro(entry.amount_cents), *named]
        words = ", ".join(filter(None, facts))
        yield long_date(receipt.created_at), f"{receipt.tournament}: {words}"
    transfers = BankTransaction.objects.filter(receipt__entries__in=booked).distinct()
    for transfer in transfers.order_by("pk"):
        named = [] if (transfer.receipt_id,) in shared else [transfer.remitter, transfer.purpose]
        facts = [_("Überweisung"), euro(transfer.amount_cents), *named]
        yield long_date(transfer.booked_on), ", ".join(filter(None, facts))
