"""Atom feed of public tournaments: announced, begun, closed, called off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from django.db.models import Max
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.announcement.queries.ausschreibung_text import moment
from tournaments.announcement.queries.calendar import uid
from tournaments.announcement.queries.publication import is_whole_ranking_public
from tournaments.common.short_texts import clean_line
from tournaments.models import Tournament
from tournaments.models.journal import JournalEntry


def atom_feed(tournaments: Sequence[Tournament], link: Callable[[str], str]) -> str:
    """Return the feed of *tournaments*, the newest first; one query."""
    feed = Atom1Feed(
        title=_("Rommé-Turniere"),
        link=link(reverse("public:start")),
        description="",
        language=get_language(),
        feed_url=link(reverse("feed:news")),
    )
    since = _status_since(tournaments)
    for tournament in sorted(
        tournaments, key=lambda tournament: since[tournament.pk], reverse=True
    ):
        shows_ranking = tournament.is_closed and is_whole_ranking_public(tournament)
        page = "results_public:overall" if shows_ranking else "public:tournament"
        parts = [moment(tournament.starts_at), tournament.venue, tournament.called_off_note]
        summary = " · ".join(filter(None, parts))
        feed.add_item(
            title=clean_line(f"{tournament.name}: {tournament.get_status_display()}"),
            link=link(reverse(page, args=[tournament.slug])),
            description=escape(clean_line(summary)),  # of type "html" in Atom
            unique_id=uid(tournament, tournament.status).urn,
            pubdate=since[tournament.pk],
            updateddate=since[tournament.pk],
        )
    return feed.writeString("utf-8")


def _status_since(tournaments: Sequence[Tournament]) -> dict[int, datetime]:
    moves = JournalEntry.objects.filter(
        action="tournament_status",
        subject_type="tournament",
        subject_id__in=[tournament.pk for tournament in tournaments],
    )
    latest = moves.order_by().values_list("subject_id").annotate(Max("at"))
    return {tournament.pk: tournament.created_at for tournament in tournaments} | dict(latest)
