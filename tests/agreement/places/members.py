"""Places that show the members of the ranking of a group."""

from __future__ import annotations

from tests.agreement.look import Facts, Look, place
from tests.agreement.places.points import service
from tests.agreement.reading import rows_with, start_number
from tournaments.common.ranking_names import SLUGS
from tournaments.results.queries.rankings import Rankings

OF_SOME = ("women", "juniors", "seniors")


@place("groups")
def members_by_data(look: Look) -> Facts:
    """Return the members by personal data, for rankings without stake, decision or prize."""
    given = set(look.tournament.prize_payouts.values_list("ranking", flat=True))
    for kept in look.tournament.rankings.filter(stake_cents=0, kind__in=OF_SOME):
        if SLUGS[kept.category] in given:  # asked again until a prize of it is given out
            continue
        is_of_women = kept.kind == "women"
        for nr, who in look.people.items():
            born, gender = who.person.birth_year, who.person.gender
            is_asked = who.ranking_choices.filter(ranking=kept).exists()
            if (gender if is_of_women else born) and who.takes_part and not is_asked:
                in_years = (kept.born_from or 0) <= (born or 0) <= (kept.born_until or 9999)
                fits = (in_years or not (kept.born_from or kept.born_until)) and (
                    gender == "f" or not is_of_women
                )
                yield f"in {kept.kind}", nr, fits


@place("groups")
def stored_members(look: Look) -> Facts:
    for kept in look.tournament.rankings.filter(kind__in=OF_SOME):
        members = set(kept.registrations.values_list("pk", flat=True))
        yield from ((f"in {kept.kind}", who, row.pk in members) for who, row in look.people.items())


@place("groups", "results:ranking")
def ranked_members(look: Look) -> Facts:
    if not Rankings(look.tournament).last_whole:
        return
    ranked = {who for what, who, value in service(look) if "Rang nach" in what and value}
    for kept in look.tournament.rankings.filter(kind__in=OF_SOME):
        page = look.page("results:ranking", query=f"?wertung={SLUGS[kept.category]}")
        members = {start_number(row["Name"]) for row in rows_with(page, "Rang", look.points)}
        yield from ((f"in {kept.kind}", who, who in members) for who in ranked)
