"""The OpenAPI 3.1 description of ``/api/``; a test compares it with the answers."""

from __future__ import annotations

from typing import Any

from tournaments.models import Tournament

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
NO_TEXT = {"type": ["string", "null"]}
NO_NUMBER = {"type": ["integer", "null"]}
MOMENT = {"type": "string", "format": "date-time", "description": "with its time zone"}
ADDRESS = {"type": "string", "format": "uri"}
CENTS = {"type": "integer", "minimum": 0, "description": "euro cents"}

SHORT = {
    "slug": TEXT | {"description": "short name, part of all addresses of the tournament"},
    "name": TEXT,
    "status": {"type": "string", "enum": [status.value for status in Tournament.PUBLIC]},
    "called_off_reason": TEXT | {"description": "empty unless it is called off"},
    "starts_at": MOMENT,
    "venue": TEXT,
    "venue_address": TEXT,
    "registration_until": MOMENT,
    "registration_url": {
        "type": ["string", "null"],
        "format": "uri",
        "description": "the form; null where people register with the organiser only",
    },
    "url": ADDRESS,
    "calendar_url": ADDRESS | {"description": "iCalendar; the same tournament keeps its id"},
    "ranking_url": ADDRESS,
    "api_url": ADDRESS,
}
WHOLE = SHORT | {
    "organiser": TEXT,
    "text": TEXT,
    "open_to": TEXT | {"description": "who may take part, as a sentence"},
    "places": {"type": ["integer", "null"], "description": "null: no limit"},
    "serien": NUMBER | {"description": "rounds that are played"},
    "rule_set": TEXT,
    "startgeld": {
        "type": "array",
        "description": "entry fees by group",
        "items": {"$ref": "#/components/schemas/EntryFee"},
    },
    "kartengeld_cents": CENTS | {"description": "added to each entry fee, in euro cents"},
    "rankings": {"type": "array", "items": {"$ref": "#/components/schemas/KindOfRanking"}},
}
ENTRY_FEE = {"name": TEXT, "cents": CENTS}
KIND_OF_RANKING = {
    "kind": TEXT | {"description": "names the ranking in its address"},
    "name": TEXT,
    "stake_cents": CENTS,
}
RANKING = {
    "tournament": TEXT,
    "revision": NUMBER | {"description": "rises with every change of the tournament"},
    "ranking": TEXT,
    "label": TEXT,
    "stand": TEXT | {"description": "as of when, as a sentence"},
    "is_final": {"type": "boolean", "description": "the same as is_checked, for older programs"},
    "is_checked": {"type": "boolean", "description": "all score sheets in it are checked"},
    "is_closed": {"type": "boolean", "description": "the tournament is closed"},
    "lines": {"type": "array", "items": {"$ref": "#/components/schemas/Line"}},
}
LINE = {
    "rank": NO_NUMBER | {"minimum": 1, "description": "null where a gap leaves no place"},
    "number": NO_NUMBER | {"description": "start number; null for a team"},
    "name": TEXT | {"description": "initials of who has not agreed to be named"},
    "club": NO_TEXT | {"description": "null for none, for teams, and who is not named"},
    "beside": TEXT | {"description": "start number and club, or who plays for a team"},
    "points": NUMBER
    | {"description": "fewer are better, or more where there are augen; may be below zero"},
    "games": NUMBER | {"description": "played so far in all Serien counted"},
    "games_finished": NUMBER,
    "handromme": NUMBER,
    "scaled": {
        "type": "array",
        "description": "Serien in which the games of the player, more or fewer than a list has, "
        "were scaled to it",
        "items": {"$ref": "#/components/schemas/Scaled"},
    },
}
AUGEN = NUMBER | {
    "description": "only where Wertpunkte count, of which the most win: what was counted in the "
    "hands, which decides between equal points, fewer being better",
}
STRUCK = {
    "type": "array",
    "description": "only where the best Serien count: those that do not",
    "items": NUMBER | {"minimum": 1},
}
CARRIED = NO_NUMBER | {"description": "only where points are taken along: those, in `points`"}
SCALED = {"series": NUMBER | {"minimum": 1}, "games": NUMBER | {"minimum": 1}}
COMPARISON = TEXT | {
    "description": "only with laufend=1: points that the order goes by, with what is added while "
    "others have more games; a whole number or a fraction in lowest terms",
    "pattern": "^-?[0-9]+(/[0-9]+)?$",
}
SEATS = {
    "tournament": TEXT,
    "revision": NUMBER,
    "serie": NUMBER,
    "tables": {
        "type": "array",
        "description": "empty before the seats are published, or if they never are",
        "items": {"$ref": "#/components/schemas/SeatedTable"},
    },
}
SEATED_TABLE = {
    "table": NUMBER,
    "seats": {"type": "array", "items": {"$ref": "#/components/schemas/Seat"}},
}
SEAT = {
    "seat": NUMBER | {"minimum": 1, "description": "clockwise"},
    "number": NO_NUMBER | {"description": "start number"},
    "name": LINE["name"],
    "club": NO_TEXT,
}
ERROR = {"detail": TEXT | {"description": "what is wrong, as a sentence"}}


def _object(properties: dict[str, Any], **optional: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties | optional,
        "required": list(properties),
        "additionalProperties": False,
    }


def _get(does: str, summary: str, schema: str, *parameters: dict[str, Any]) -> dict[str, Any]:
    answers = {"200": _json(summary, schema)}
    if parameters:
        answers["400"] = _json("The request cannot be read.", "Error")
        answers["404"] = _json("There is no such thing, or it is not public.", "Error")
    return {
        "get": {
            "operationId": does,
            "summary": summary,
            "parameters": list(parameters),
            "responses": answers,
        }
    }


def _json(says: str, schema: str) -> dict[str, Any]:
    return {"description": says, "content": {"application/json": {"schema": _schema_ref(schema)}}}


def _schema_ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _path_parameter(name: str, says: str, schema: dict[str, Any] = TEXT) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "description": says, "schema": schema}


def _query_parameter(name: str, says: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "description": says, "schema": schema}


def openapi(site: str) -> dict[str, Any]:
    """Return the description for the program at the address *site*."""
    slug = _path_parameter("slug", "short name of the tournament")
    other_ranking = _path_parameter(
        "which", "einzel, or another of its rankings, such as tandem, damen or serie-2"
    )
    number = _path_parameter("number", "number of the Serie", NUMBER | {"minimum": 1})
    stand = (
        _query_parameter(
            "laufend", "1: the running Serie counts, too", {"type": "string", "enum": ["1"]}
        ),
        _query_parameter("nach", "after this Serie", NUMBER | {"minimum": 1}),
    )
    tournaments = {"type": "array", "items": _schema_ref("Tournament")}
    properties = {"current": tournaments, "past": tournaments}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Romme-Turnier",  # ASCII, as generators name their client by it
            "version": "1",
            "description": "Read only, without a key, for every website. Nothing is answered that "
            "the public pages do not show. Names of things come in the language that is asked for.",
        },
        "servers": [{"url": site}],
        "paths": {
            "/api/turniere/": _get(
                "listTournaments", "Tournaments of the start page", "Tournaments"
            ),
            "/api/turniere/{slug}/": _get("getTournament", "A tournament", "WholeTournament", slug),
            "/api/turniere/{slug}/rangliste/": _get(
                "getRanking", "Its ranking", "Ranking", slug, *stand
            ),
            "/api/turniere/{slug}/rangliste/{which}/": _get(
                "getOtherRanking", "Another of its rankings", "Ranking", slug, other_ranking, *stand
            ),
            "/api/turniere/{slug}/sitzplan/": _get(
                "getSeats", "Seats of the Serie that was seated last", "Seats", slug
            ),
            "/api/turniere/{slug}/sitzplan/{number}/": _get(
                "getSeatsOfSerie", "Seats of one Serie", "Seats", slug, number
            ),
        },
        "components": {
            "schemas": {
                "Tournaments": _object(properties),
                "Tournament": _object(SHORT),
                "WholeTournament": _object(WHOLE),
                "EntryFee": _object(ENTRY_FEE),
                "KindOfRanking": _object(KIND_OF_RANKING),
                "Ranking": _object(RANKING),
                "Line": _object(
                    LINE, comparison=COMPARISON, struck=STRUCK, augen=AUGEN, carried=CARRIED
                ),
                "Scaled": _object(SCALED),
                "Seats": _object(SEATS),
                "SeatedTable": _object(SEATED_TABLE),
                "Seat": _object(SEAT),
                "Error": _object(ERROR),
            }
        },
    }
