"""Importing an archive: all of it in one transaction, or nothing."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from scoring.errors import Problem, ScoringError
from scoring.texts import _
from tournaments.archive import proving, seal, sections
from tournaments.archive.loading import Loader
from tournaments.archive.reading import Archive, read
from tournaments.archive.writing import archive_of
from tournaments.common.actors import Actor
from tournaments.common.organisers import UNNAMED, first_organiser, roles_in
from tournaments.common.short_texts import clean_line
from tournaments.journal import proof
from tournaments.journal import services as journal
from tournaments.journal.rows import all_hashes
from tournaments.models import Organiser, Role, Season, Tournament


@transaction.atomic
def import_archive(
    data: bytes, *, actor: Actor, replace: bool = False, owner: Organiser | None = None
) -> Tournament:
    """Store the tournament of an archive file for *owner*, by default the first organiser.

    In an empty installation, that organiser gets the name in the file.

    With *replace*, a tournament with the same slug gets another slug and is no longer public;
    it is not deleted, because cash book and journal never are. Seasons count the new one
    instead.

    An account may replace only tournaments of which it is Veranstalter. Accounts of the file are
    matched with those of *owner*; only the importing account gets its roles in the file.

    Raises:
        ScoringError: with every problem and its place; then nothing is stored.
    """
    archive = read(data)
    owner = owner or first_organiser(clean_line(archive.organiser) or UNNAMED)
    replaced = _free_slug(archive, replace, actor, owner)
    loader = Loader(archive, owner, actor.user)
    try:
        with transaction.atomic():
            tournament = loader.run()
    except (IntegrityError, IndexError) as refusal:
        raise ScoringError(
            _("Die Angaben der Datei widersprechen einander; die Datenbank nimmt sie nicht an.")
        ) from refusal
    contradictions = proof.in_words(proving.differing_rows(tournament), "")
    if problems := [Problem("journal", contradiction.sentence) for contradiction in contradictions]:
        raise ScoringError(problems)
    _check_lossless(tournament, archive, loader.has_reused)
    if replaced is not None:
        for season in Season.objects.filter(tournaments=replaced):
            season.tournaments.remove(replaced)
            season.tournaments.add(tournament)
    journal.record(
        owner,
        actor,
        "archive_imported",
        tournament,
        after={
            "slug": tournament.slug,
            "bytes": len(data),
            "seal": archive.seal,
            "seals": archive.seals,
            "chains": proof.ends_of(tournament.archived_journals.order_by("pk")),
        },
        hashes=all_hashes(tournament),
    )
    return tournament


def _free_slug(
    archive: Archive, replace: bool, actor: Actor, owner: Organiser
) -> Tournament | None:
    """Give the tournament with the archive's slug another one; return that tournament."""
    slug = archive.required.tournament.slug
    existing = Tournament.objects.select_for_update().filter(slug=slug).first()
    if existing is None:
        return None
    why_not = ""
    if not replace:
        why_not = _(
            "Ein Turnier „{slug}“ gibt es schon. Soll das Archiv an seine Stelle treten, bitte "
            "„ersetzen“ ankreuzen, auf der Konsole --replace angeben."
        )
    elif existing.owner_id != owner.pk or (
        actor.user is not None and Role.VERANSTALTER not in roles_in(actor.user, existing)
    ):
        why_not = _(
            "Ein Turnier „{slug}“ gibt es schon, und Sie sind nicht sein Veranstalter. Ersetzen "
            "kann es nur, wer es veranstaltet."
        )
    elif existing.four_eyes and not existing.is_draft and not _keeps_four_eyes(archive):
        why_not = _(
            "Das Turnier „{slug}“ hat vier Augen, die Datei nicht, oder sie hat kein Siegel. Bitte "
            "die vier Augen dort zuerst zu zweit aufheben."
        )
    if why_not:
        raise ScoringError([Problem("tournament.slug", why_not.format(slug=slug))])
    now = timezone.localtime()
    existing.slug = f"{existing.slug[:40]}-ersetzt-{now:%Y%m%d%H%M%S}"
    existing.name = gettext("{name} (ersetzt)").format(name=existing.name)[:120]
    existing.replaced_at = now
    existing.save(update_fields=["slug", "name", "replaced_at"])
    journal.record(
        existing,
        actor,
        "tournament_replaced",
        existing,
        before={"slug": slug},
        after={"slug": existing.slug},
        rows=[existing],
    )
    return existing


def _keeps_four_eyes(archive: Archive) -> bool:
    """Whether the file has four eyes and a seal, so that no single person can have changed it."""
    rows = archive.further.get(sections.TOURNAMENT, ())
    return archive.seal is not None and any(row["four_eyes"] for row in rows)


def _check_lossless(tournament: Tournament, archive: Archive, has_reused: bool) -> None:
    """Refuse a file if the import would lose or change anything.

    Checked only for files of this program; one with the required part only is completed.
    Clubs and persons that were stored before may have another order.
    """
    if not archive.further or has_reused:
        return
    root: Any = archive.root.value
    # Of the installation that wrote the file, and of its version.
    its_own = {seal.NAME, sections.ORGANISERS, "program", "migration"}
    original, stored = (
        {name: value for name, value in facts.items() if name not in its_own}
        for facts in (root, archive_of(tournament))
    )
    difference = first_difference(original, stored)
    if difference is not None:
        message = _("Diese Angabe passt nicht zum Rest der Datei oder hat nicht ihre Form.")
        raise ScoringError([Problem(difference, message)])


def first_difference(first: Any, second: Any, where: str = "") -> str | None:
    """Return the place of the first difference, or None if both are the same.

    >>> first_difference({"a": [1, 2]}, {"a": [1, 3]})
    'a[1]'
    >>> first_difference({"a": 1}, {"a": 1, "b": 2})
    'b'
    """
    if isinstance(first, dict) and isinstance(second, dict):
        for key in [*first, *(key for key in second if key not in first)]:
            inside = f"{where}.{key}" if where else str(key)
            if key not in first or key not in second:
                return inside
            difference = first_difference(first[key], second[key], inside)
            if difference is not None:
                return difference
        return None
    if isinstance(first, list) and isinstance(second, list):
        for index, pair in enumerate(zip(first, second, strict=False)):
            difference = first_difference(*pair, f"{where}[{index}]")
            if difference is not None:
                return difference
        shorter = min(len(first), len(second))
        return None if len(first) == len(second) else f"{where}[{shorter}]"
    return None if type(first) is type(second) and first == second else where or "."
