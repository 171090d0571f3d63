"""Documents of results: rankings, the list of prizes, and certificates."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.payments import prizes
from scoring.payments.prizes import Recipient
from scoring.standings import Standing
from tournaments.announcement.queries.choosing_text import choosing_text
from tournaments.common.errors import TournamentError
from tournaments.common.formats import points as signed
from tournaments.common.ranking_names import ranking_of
from tournaments.common.rules import rule_set_of
from tournaments.journal.queries.seals import paper_seal
from tournaments.models import Season
from tournaments.people.queries.naming import STAFF, Readers, hall_readers
from tournaments.printing.base import Printable, PrintRequest
from tournaments.printing.sheets import short_formula
from tournaments.prizes.queries.prizes import PrizeSheet
from tournaments.results.queries.rankings import Rankings
from tournaments.results.queries.tables import RankingTable, shown_lines
from tournaments.rulebook.queries import rule_set_text
from tournaments.seasons.honours import honours
from tournaments.seasons.queries import standing

PLACES = 3  # places with a certificate by default
MOST_COLUMNS = 7  # number of columns of Serien that leave room for names


def _table(request: PrintRequest, rankings: Rankings, usual: int) -> RankingTable:
    """Return the requested ranking, by default after *usual* Serien.

    Raises:
        TournamentError: if the tournament has no such ranking, or it has no results yet.
    """
    ranking = ranking_of(request.ranking or "einzel")
    if ranking is None or not rankings.has(ranking):
        raise TournamentError(_("Diese Wertung führt das Turnier nicht."))
    upto = min(request.upto or usual, rankings.serien)
    table = rankings.table(ranking, upto=upto)
    if not any(line.has_result for line in table.lines):
        raise TournamentError(
            _("In dieser Wertung gibt es noch kein Ergebnis. Es zählt ab der ersten Liste.")
        )
    return table


def _title(table: RankingTable) -> str:
    if table.ranking.is_of_part:
        return table.title
    return _("{ranking}: {standing}").format(ranking=table.ranking.describe(), standing=table.title)


def internal_ranking(request: PrintRequest) -> Printable:
    """Return a ranking with all names, to be signed by the Spielleitung and archived."""
    return _ranking(request, STAFF)


def seasons(request: PrintRequest) -> Printable:
    """Return the public ranking of each season that the tournament belongs to."""
    standings = [
        (season, standing(season))
        for season in Season.objects.filter(tournaments=request.tournament)
    ]
    if not any(so_far.lines for _season, so_far in standings):
        raise TournamentError(_("Das Turnier gehört zu keiner Saison, die schon eine Wertung hat."))
    return Printable(
        title=", ".join(season.name for season, _so_far in standings),
        context={
            "seasons": standings,
            "honours": [
                honours(owner) for owner in {season.owner: 1 for season, _so_far in standings}
            ],
        },
    )


def public_ranking(request: PrintRequest) -> Printable:
    """Return a public ranking; a person who is not named in the hall has initials."""
    return _ranking(request, hall_readers(request.tournament))


def _ranking(request: PrintRequest, readers: Readers) -> Printable:
    is_public = readers is not STAFF
    rankings = Rankings(request.tournament)
    table = _table(request, rankings, rankings.last_whole or rankings.last_counted)
    rules = rule_set_of(request.tournament)
    has_many = not table.ranking.serie and len(table.columns) > MOST_COLUMNS
    headings = {
        Recipient.PLAYER: _("Name"),
        Recipient.TEAM: _("Mannschaft"),
        Recipient.TANDEM: _("Tandem"),
    }
    return Printable(
        title=_title(table),
        template="print/rangliste.html",
        context={
            "table": table,
            "rows": list(shown_lines(table, readers)),
            # The ranking of one Serie has no such columns.
            "columns": () if table.ranking.serie or has_many else table.columns,
            "has_many": has_many,
            "whose": headings[table.ranking.recipient],
            "knows_handromme": rules.handromme is not None,
            "is_public": is_public,
            # A public ranking has no seal, so that it is not printed again after every act.
            "end": None if is_public else paper_seal(request.tournament),
            "formula": short_formula(rules),
            "tie_breaks": rule_set_text.tie_breaks(rules, by_lot=request.tournament.ties_by_lot),
        },
    )


def prize_list(request: PrintRequest) -> Printable:
    """Return the prizes with their winners, with a line for each signature."""
    sheet = PrizeSheet(request.tournament)
    if not sheet.recipients:
        raise TournamentError(_no_prize(sheet))
    is_whole = not any(pot.prizes.pending for pot in sheet.pots if pot.prizes)
    return Printable(
        title=_("Preisliste"),
        context={"sheet": sheet, "open_points": [] if is_whole else _open_points(sheet)},
    )


def choosing_list(request: PrintRequest) -> Printable:
    """Return the prizes to choose from and the persons who choose, to be ticked."""
    sheet = PrizeSheet(request.tournament)
    if sheet.choosing is None:
        raise TournamentError(
            _("In diesem Turnier gibt es nichts zum Wählen. Das gehört in den Preisplan.")
        )
    return Printable(
        title=_("Wahlliste"),
        context={
            "choosing": sheet.choosing,
            "in_words": choosing_text(sheet.choosing.plan),
            "open_points": [] if sheet.choosing.is_settled else _open_points(sheet),
        },
    )


def _no_prize(sheet: PrizeSheet) -> str:
    """Return why no prize has a winner yet."""
    if not sheet.pots:
        return _("Das Turnier hat keinen Preisplan. Er gehört in die Ausschreibung.")
    hints = [pot.refusal for pot in sheet.pots if pot.refusal]
    hints += [playoff.how for playoff in sheet.playoffs]
    return " ".join([_("Noch steht kein Preis fest."), *(hints or _open_points(sheet))])


def _open_points(sheet: PrizeSheet) -> list[str]:
    """Return the conditions for settled prizes that are not met."""
    return [
        _("Preise einer Wertung stehen fest, sobald alle ihre Listen geprüft sind."),
        *(state.sentence for state in sheet.rankings.states if state.sentence),
    ]


def certificates(request: PrintRequest) -> Printable:
    """Return a certificate for each of the first places of a ranking.

    Raises:
        TournamentError: if the ranking may still change.
    """
    rankings = Rankings(request.tournament)
    table = _table(request, rankings, rankings.serien)
    if not table.is_final:
        raise TournamentError(
            _("Urkunden gibt es, sobald die Wertung feststeht. {open}").format(
                open=" ".join(table.open_points)
            )
        )
    best = [
        line
        for line in table.lines
        if line.has_place and line.standing.rank <= (request.places or PLACES)
    ]
    return Printable(
        title=_("Urkunden {ranking}").format(ranking=table.ranking.describe()),
        sheets=[
            {
                "name": line.registration.person.full_name if line.registration else line.name,
                "members": [member.person.full_name for member in line.members],
                "club": line.club,
                "rank": line.standing.rank,
                "achieved": _achieved(table.ranking),
                "result": _with_points(line.standing),
            }
            for line in best
        ],
    )


def _achieved(ranking: prizes.PrizeRanking) -> str:
    if ranking == prizes.OVERALL:
        return _("erreichte in der Gesamtwertung den")
    return _("erreichte in der Wertung „{ranking}“ den").format(ranking=ranking.describe())


def _with_points(standing: Standing) -> str:
    number = abs(standing.total)
    text = (
        ngettext("mit {points} Wertpunkt", "mit {points} Wertpunkten", number)
        if standing.order.most_first
        else ngettext("mit {points} Punkt", "mit {points} Punkten", number)
    )
    return text.format(points=signed(standing.total))
