"""Changes of a Spielliste at its table: lines are entered, changed, taken back.

Until it is signed, the table writes its list (§ 2.2.3); afterwards it is a document and
only a Correction of the Spielleitung changes it. Each act names the version of the list
that the actor saw; an act with an older version is refused.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.common.actors import Actor
from tournaments.common.errors import Conflict, InvalidInput, NotAllowed, WrongStatus
from tournaments.common.organisers import roles_in
from tournaments.common.roles import AT_TABLE, MAY_CHECK, MAY_LEAD
from tournaments.common.states import TAKES_PEOPLE
from tournaments.journal.acts import Act, Acts
from tournaments.lists.queries.sheet import Sheet, StoredGame, sheet_of
from tournaments.lists.services.lines import CheckedLine, concerned_seats, demand_consents, judge
from tournaments.models import Game, JournalEntry, Seat, Serie, Spielliste, Tournament

WRITTEN = TAKES_PEOPLE.with_states(*Spielliste.AT_THE_TABLE).with_refusal(
    gettext_lazy(
        "{table}: Die Liste ist schon „{status}“. Ändern kann sie jetzt nur noch die Spielleitung."
    )
)
acts = Acts(AT_TABLE | MAY_CHECK, WRITTEN)


@acts.on(Spielliste, "enter_game", entry="game_entered")
def enter_game(
    act: Act[Spielliste],
    *,
    number: int,
    line: Mapping[str, Any],
    version: int,
    confirmed: bool = False,
    override_reason: str = "",
) -> Sheet:
    """Write the next line of a list, and return the list.

    The first line of a Serie starts it; the last line of a list makes it complete.

    Args:
        number: of the game, which must be the next one.
        line: the game in the interchange format (``docs/formats.md`` 1).
        version: of the list that the actor saw.
        confirmed: the doubts were shown and confirmed.
        override_reason: why the Spielleitung accepts impossible hands.

    Raises:
        Conflict: if the list has changed since.
        InvalidInput: if the line is impossible.
        DoubtfulInput: if it has doubts that were not confirmed.
        NotAllowed: if an actor other than the Spielleitung overrides.
        WrongStatus: if the list accepts no more games.
    """
    sheet = sheet_of(act.row)
    _demand_writable(act.row, version, act.actor)
    _demand_incomplete(sheet)
    if number != len(sheet.games) + 1:
        next_game = _("An der Reihe ist Spiel {number}.").format(number=len(sheet.games) + 1)
        raise InvalidInput.at("number", next_game)
    judged = _judge(sheet, line, number)
    write_games(act, sheet, [(judged, override_reason)], confirmed=confirmed)
    return sheet


def write_games(
    act: Act[Spielliste],
    sheet: Sheet,
    lines: Sequence[tuple[CheckedLine, str]],
    *,
    confirmed: bool = False,
) -> None:
    """Write the next lines of a list, each with the reason why it is accepted if impossible.

    *sheet* is updated in place. As many statements as for one line, and no more than a hall of
    phones needs: rows are stored unchecked, and their hashes are taken from their instances.
    """
    spielliste, now = sheet.spielliste, timezone.now()
    games: list[Game] = []
    for judged, reason in lines:
        _demand_incomplete(sheet)
        override = _may_override(sheet.tournament, act.actor, reason)
        judged.demand(confirmed=confirmed, override=override)
        game = Game(
            spielliste=spielliste,
            number=len(sheet.games) + 1,
            line=judged.to_json(),
            entered_at=now,
            overridden=bool(judged.problems),
        )
        games.append(game)
        sheet.games.append(StoredGame.of(game))
    Game.objects.bulk_create(games)
    _start_serie(act, spielliste.table.serie, now)
    for game, (judged, reason) in zip(games, lines, strict=True):
        spielliste.version += 1
        spielliste.last_entry_at = now
        if game.number == sheet.games_wanted:
            spielliste.status = Spielliste.Status.COMPLETE
        with act.entry("game_entered", spielliste, reason, now):
            act.note(**_facts(spielliste, game, judged))
            act.prove(game, spielliste)
    written = ["version", "last_entry_at", "status"]
    spielliste.save(update_fields=written)
    spielliste.remember(written)


@acts.on(Spielliste, "change_game", entry="game_changed")
def change_game(
    act: Act[Spielliste],
    *,
    number: int,
    line: Mapping[str, Any] | None,
    version: int,
    consents: Collection[int],
    confirmed: bool = False,
    override_reason: str = "",
) -> Sheet:
    """Change a line before the list is signed, or take the last one back; return the list.

    At the table, every seat that the change concerns must give its consent (§ 2.2.3). An
    account that copies a paper list needs no consent to correct its own typing errors.
    Signatures of the older version no longer count.

    Args:
        number: of the game; only the last one can be taken back.
        line: the new line in the interchange format; None takes the game back.
        version: of the list that the actor saw.
        consents: the seats that agreed; seats not concerned are ignored.
        confirmed: the doubts were shown and confirmed.
        override_reason: why the Spielleitung accepts impossible hands.

    Raises:
        Conflict: if the list has changed since.
        InvalidInput: if the line is impossible, is unchanged, or a consent is missing.
        DoubtfulInput: if it has doubts that were not confirmed.
        NotAllowed: if an actor other than the Spielleitung overrides.
        WrongStatus: if the list is signed.
    """
    sheet, spielliste = sheet_of(act.row), act.row
    _demand_writable(spielliste, version, act.actor)
    if not 0 < number <= len(sheet.games):
        raise InvalidInput.at(
            "number", _("Spiel {number} steht noch nicht in der Liste.").format(number=number)
        )
    written = sheet.games[number - 1]
    override = _may_override(sheet.tournament, act.actor, override_reason)
    judged = _judge_change(sheet, written, line)
    if judged is not None:
        judged.demand(confirmed=confirmed, override=override)
    concerned = concerned_seats(
        written.to_scoring(), judged.line if judged else None, sheet.rule_set
    )
    if act.actor.kind == JournalEntry.ActorKind.TABLE:
        demand_consents(concerned, consents)
    now = timezone.now()
    game = Game.objects.get(spielliste=spielliste, number=number)
    entry = "game_taken_back" if judged is None else "game_changed"
    with act.entry(entry, spielliste, override_reason, now):
        if judged is None:
            act.remove(game)
            sheet.games.pop()
            spielliste.status = Spielliste.Status.OPEN
        else:
            game.line, game.entered_at = judged.to_json(), now
            game.overridden = bool(judged.problems)
            act.store(game)
            sheet.games[number - 1] = StoredGame.of(game)
        spielliste.version += 1
        spielliste.last_entry_at = now
        changed = ["version", "last_entry_at", "status"]
        spielliste.save(update_fields=changed)
        spielliste.remember(changed)
        act.touch(spielliste)
        if sheet.has_spans and judged is None:
            _end_spans(act, spielliste, last_game=len(sheet.games))
        act.note(
            before={"game": number, "line": written.line},
            **(_facts(spielliste, game, judged) if judged else {"version": spielliste.version}),
            consents=sorted(set(consents) & set(concerned)),
        )
    return sheet


def _end_spans(act: Act[Spielliste], spielliste: Spielliste, *, last_game: int) -> None:
    """End all spans at the *last_game* of the list.

    Later games belong to the player who sits there now. A span without a game of its own is
    deleted; Strafpunkte of a player without games here follow to the seat.
    """
    ended: set[int] = set()  # registrations
    before: dict[int, int] = {}  # seat -> last game of the span before
    for span in spielliste.spans.order_by("seat", "last_game"):
        if span.last_game > last_game > before.get(span.seat, 0):
            span.last_game = last_game
            act.store(span)
        elif span.last_game > last_game:
            act.remove(span)
            ended.add(span.registration_id)
        before[span.seat] = span.last_game
    ended -= set(spielliste.spans.values_list("registration", flat=True))
    elsewhere = Seat.objects.filter(serie=spielliste.table.serie_id, registration__in=ended)
    lists = elsewhere.exclude(table=spielliste.table_id).values_list(
        "registration", "table__spielliste"
    )
    list_of = dict(lists)
    for penalty in spielliste.penalties.filter(registration__in=list_of):
        penalty.spielliste_id = list_of[penalty.registration_id]
        act.store(penalty)


def _start_serie(act: Act[Spielliste], serie: Serie, now: datetime) -> None:
    """Start a Serie, and with it the time of all tables, unless started."""
    if serie.started_at is not None:
        return
    serie.started_at = now
    serie.save(update_fields=["started_at"])
    with act.entry("serie_started", serie, at=now):
        act.note(started_at=now.isoformat())
        act.touch(serie)


@acts.on(Spielliste, "set_listenfuehrer", entry="listenfuehrer_set", by=AT_TABLE)
def set_listenfuehrer(act: Act[Spielliste], *, seat: int) -> Spielliste:
    """Set which seat keeps the list (§ 2.2.3); the default is seat 1.

    Raises:
        InvalidInput: if there is no such seat.
    """
    if not Seat.objects.filter(table=act.row.table_id, number=seat).exists():
        raise InvalidInput.at(
            "seat", _("Platz {seat} gibt es an diesem Tisch nicht.").format(seat=seat)
        )
    if seat != act.row.listenfuehrer:
        act.note(before={"seat": act.row.listenfuehrer}, seat=seat)
        act.row.listenfuehrer = seat
        act.store(act.row)
    return act.row


@acts.on(Spielliste, "keep_on_paper")
def keep_on_paper(act: Act[Spielliste], *, on_paper: bool) -> Spielliste:
    """Record that the list is continued on paper, or on a device again."""
    with act.entry("list_on_paper" if on_paper else "list_on_device"):
        act.row.on_paper = on_paper
        act.store(act.row)
    return act.row


# --- Shared by the acts -----------------------------------------------------------------


def _demand_writable(spielliste: Spielliste, version: int, actor: Actor) -> None:
    """Check that lines of the list can be written by an actor who saw this version."""
    demand_version(spielliste, version)
    if spielliste.on_paper and actor.kind == JournalEntry.ActorKind.TABLE:
        raise WrongStatus(
            _(
                "Diese Liste wird auf Papier geführt. Soll sie auf dem Gerät weitergehen, bitte "
                "zuerst „auf dem Gerät weiterführen“ wählen."
            )
        )


def _demand_incomplete(sheet: Sheet) -> None:
    """Check that a line is missing."""
    is_complete = sheet.spielliste.status == Spielliste.Status.COMPLETE
    if not is_complete and len(sheet.games) < sheet.games_wanted:
        return
    if sheet.spielliste.is_ended:
        sentence = _(
            "Die Spielleitung hat die Liste nach Spiel {games} beendet; weitere Spiele "
            "zählen nicht."
        )
    else:
        sentence = _("Die Liste ist vollständig: Alle {games} Spiele sind eingetragen.")
    raise WrongStatus(sentence.format(games=sheet.games_wanted))


def _judge(sheet: Sheet, line: Mapping[str, Any], number: int) -> CheckedLine:
    return judge(
        line,
        rule_set=sheet.rule_set,
        seats=len(sheet.seats),
        number=number,
        earlier=[game.to_scoring() for game in sheet.games[: number - 1]],
    )


def demand_version(spielliste: Spielliste, version: int) -> None:
    """Check that the actor saw the current version of the list.

    Raises:
        Conflict: if it has changed since.
    """
    if version != spielliste.version:
        raise Conflict(
            _(
                "Die Liste von {table} hat sich inzwischen geändert. Bitte ansehen, was jetzt "
                "darin steht, und dann entscheiden."
            ).format(table=spielliste.table)
        )


def _may_override(tournament: Tournament, actor: Actor, reason: str) -> bool:
    if not reason.strip():
        return False
    if actor.user is None or not roles_in(actor.user, tournament) & MAY_LEAD:
        raise NotAllowed(_("Unmögliche Einträge lässt nur die Spielleitung stehen."))
    return True


def _judge_change(
    sheet: Sheet, game: StoredGame, line: Mapping[str, Any] | None
) -> CheckedLine | None:
    if line is None:
        if game.number != len(sheet.games):
            raise InvalidInput.at(
                "number",
                _("Zurücknehmen lässt sich nur das letzte Spiel, Spiel {number}.").format(
                    number=len(sheet.games)
                ),
            )
        return None
    judged = _judge(sheet, line, game.number)
    if judged.can_be_stored and judged.to_json() == game.line:
        raise InvalidInput.at(
            "", _("An Spiel {number} ist nichts anders als bisher.").format(number=game.number)
        )
    return judged


def _facts(spielliste: Spielliste, game: Game, judged: CheckedLine) -> dict[str, Any]:
    """Return the facts that the journal stores about a written line."""
    facts: dict[str, Any] = {
        "game": game.number,
        "line": game.line,
        "version": spielliste.version,
    }
    if judged.doubts:
        facts["doubts"] = [problem.message for problem in judged.doubts]
    if judged.problems:
        facts["problems"] = [problem.message for problem in judged.problems]
    return facts
