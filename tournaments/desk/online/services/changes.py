"""Changes by the link of an entry: Startgeld, rankings, consent, withdrawal."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.common.errors import TournamentError, WrongStatus
from tournaments.common.roles import ONLINE
from tournaments.common.states import ALWAYS
from tournaments.common.tokens import hash_token
from tournaments.desk.online.queries.entries import can_change, fixed_reason
from tournaments.desk.online.services.choice import (
    EntryChoice,
    check_choice,
    entry_rankings,
    suiting_category,
)
from tournaments.desk.online.services.entry import (
    PUBLIC,
    change_consent,
    store_wishes,
    update_hidden_name,
)
from tournaments.desk.services.changes import STATUS, change_status
from tournaments.desk.services.tariff_changes import change_tariff, set_days
from tournaments.journal.acts import Act, Acts
from tournaments.models import Entry, EntryLine, JournalEntry, Ranking, Registration, Tournament

acts = Acts(ONLINE, ALWAYS)

EMAIL_CHANGED = "entry_email_changed"
MOST_EMAIL_CHANGES = 5  # each sends a mail to an address that is not verified

_Line = EntryLine.Status


def find_entry(token: str) -> Entry | None:
    """Return the entry that *token* opens, with its tournament."""
    entries = Entry.objects.select_related("tournament")
    return entries.filter(token_hash=hash_token(token)).first()


@acts.on(EntryLine, "change_line", entry="entry_changed")
def change_line(
    act: Act[EntryLine], *, choice: EntryChoice, now: datetime | None = None
) -> EntryLine:
    """Change Startgeld, rankings, wishes and consent; the dues follow.

    Consent to be named is changed only for persons that this entry created; other persons
    are hidden in this tournament only, and asked.

    Raises:
        WrongStatus: if it is too late, or the person does not take part any more.
        TournamentError: if a choice does not suit the person, or a ranking would be left in
            which the person has a team.
    """
    line, tournament = act.row, act.tournament
    _check_changeable(line, tournament, now or timezone.now())
    registration = line.registration
    category = choice.category or suiting_category(tournament, line.birth_year)
    check_choice(tournament, category, choice.rankings, line.birth_year, line.gender)
    before = _facts(line)
    ranking_keys = {ranking.pk for ranking in choice.rankings}
    if registration is not None:
        in_teams = set(registration.team_members.values_list("ranking", flat=True))
        if in_teams - ranking_keys:
            raise TournamentError(
                _(
                    "{name} gehört schon zu einer Mannschaft. Wer sie verlassen will, meldet "
                    "sich bitte beim Veranstalter."
                ).format(name=line.full_name)
            )
        change_tariff(
            act,
            registration.pk,
            category=category,
            rankings=_all_rankings(registration, choice, line),
            declined=choice.declined,
        )
        set_days(act, registration.pk, plays_on=choice.plays_on)
        store_wishes(
            line,
            [ranking for ranking in choice.rankings if ranking.pk not in in_teams],
            choice.wishes,
        )
    else:
        store_wishes(line, choice.rankings, choice.wishes)
    _change_consent(line, tournament, publish_consent=choice.publish_consent)
    line.category = category
    line.publish_consent, line.plays_on = choice.publish_consent, choice.plays_on
    act.store(line)
    line.rankings.set(choice.rankings)
    line.declined.set(choice.declined)
    update_hidden_name(act, line)
    act.note(before=before, **_facts(line))
    return line


@acts.on(EntryLine, "withdraw_line", entry="entry_withdrawn")
def withdraw_line(act: Act[EntryLine], *, now: datetime | None = None) -> EntryLine:
    """Withdraw one person. There is no automatic refund: the desk sees the paid amount.

    Raises:
        WrongStatus: if it is too late, or the person does not take part any more.
    """
    now = now or timezone.now()
    line = act.row
    _check_changeable(line, act.tournament, now)
    if line.registration is None:
        line.status = _Line.DISMISSED
    else:
        reason = _("über das Internet abgemeldet")
        with act.entry(STATUS, line.registration, reason):
            change_status(act, line.registration, Registration.Status.WITHDRAWN, reason)
    line.withdrawn_at = now
    act.store(line)
    line.wishes.all().delete()
    return line


@acts.on(Entry, "change_email", entry=EMAIL_CHANGED)
def change_email(act: Act[Entry], *, email: str, now: datetime | None = None) -> Entry:
    """Change the e-mail address of an entry. The journal does not contain it.

    Raises:
        WrongStatus: if the tournament is closed, or the Meldeschluss is past.
        TournamentError: if it was changed too often.
    """
    _check_time(act.tournament, now or timezone.now())
    changes = JournalEntry.objects.filter(
        subject_type="entry", subject_id=act.row.pk, action=EMAIL_CHANGED
    )
    if changes.count() >= MOST_EMAIL_CHANGES:
        raise TournamentError(
            _("Die E-Mail-Adresse wurde schon oft geändert. Bitte beim Veranstalter melden.")
        )
    act.row.email = email
    return act.store(act.row)


def _check_changeable(line: EntryLine, tournament: Tournament, now: datetime) -> None:
    _check_time(tournament, now)
    if not can_change(line):
        raise WrongStatus(
            _(
                "Für {name} lässt sich hier nichts mehr ändern. Bitte beim Veranstalter melden."
            ).format(name=line.full_name)
        )


def _check_time(tournament: Tournament, now: datetime) -> None:
    fixed = fixed_reason(tournament, now)
    if fixed:
        raise WrongStatus(fixed)


def _change_consent(line: EntryLine, tournament: Tournament, *, publish_consent: bool) -> None:
    if line.registration is None:
        return
    person = line.registration.person
    # After a merge, the registration may belong to a person stored earlier.
    is_own = line.is_new_person and person.created_at >= line.entry.created_at
    if is_own:
        change_consent(person, tournament, PUBLIC, to=publish_consent)


def _all_rankings(
    registration: Registration, choice: EntryChoice, line: EntryLine
) -> list[Ranking]:
    """Return the chosen rankings, and those without a stake that have or fit the person."""
    current = [ranking for ranking in registration.rankings.all() if ranking.takes_all]
    rankings = entry_rankings(registration.tournament, choice, line.birth_year, line.gender)
    remaining = [ranking for ranking in current if ranking not in choice.declined]
    return list(dict.fromkeys([*rankings, *remaining]))


def _facts(line: EntryLine) -> dict[str, object]:
    return {
        "category": line.category_id,
        "rankings": sorted(line.rankings.values_list("pk", flat=True)),
        "declined": sorted(line.declined.values_list("pk", flat=True)),
        "publish_consent": line.publish_consent,
        "wishes": sorted(line.wishes.values_list("ranking", flat=True)),
    }
