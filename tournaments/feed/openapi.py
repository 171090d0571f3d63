"""The OpenAPI 3.1 description of ``/api/``; a test compares it with the answers."""

from __future__ import annotations

from typing import Any

from tournaments.models import Tournament

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
MOMENT = {"type": "string", "format": "date-time", "description": "with its time zone"}
ADDRESS = {"type": "string", "format": "uri"}
CENTS = {"type": "integer", "minimum": 0, "description": "euro cents"}

SHORT = {
    "slug": TEXT | {"description": "short name, part of all addresses of the tournament"},
    "name": TEXT,
    "status": {"enum": [status.value for status in Tournament.PUBLIC]},
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
    "is_final": {"type": "boolean", "description": "all score sheets in it are checked"},
    "lines": {"type": "array", "items": {"$ref": "#/components/schemas/Line"}},
}
LINE = {
    "rank": NUMBER | {"minimum": 1},
    "name": TEXT | {"description": "initials of who has not agreed to be named"},
    "beside": TEXT | {"description": "start number and club, or who plays for a team"},
    "points": NUMBER | {"description": "fewer are better; may be below zero"},
    "games_finished": NUMBER,
    "handromme": NUMBER,
}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _get(summary: str, schema: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    content = {"application/json": {"schema": schema}}
    answers = {"200": {"description": summary, "content": content}}
    if parameters:
        answers["404"] = {"description": "There is no such thing, or it is not public."}
    return {"get": {"summary": summary, "parameters": list(parameters), "responses": answers}}


def _named(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _in_address(name: str, says: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "description": says, "schema": TEXT}


def openapi(site: str) -> dict[str, Any]:
    """Return the description for the program at the address *site*."""
    slug = _in_address("slug", "short name of the tournament")
    which = _in_address(
        "which", "einzel, or another of its rankings, such as tandem, damen or serie-2"
    )
    listed = {"type": "array", "items": _named("Tournament")}
    named = {"current": listed, "past": listed}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Rommé-Turnier",
            "version": "1",
            "description": "Read only, without a key, for every website. Nothing is answered that "
            "the public pages do not show. Names of things come in the language that is asked for.",
        },
        "servers": [{"url": site}],
        "paths": {
            "/api/turniere/": _get("Tournaments of the start page", _object(named)),
            "/api/turniere/{slug}/": _get("A tournament", _named("WholeTournament"), slug),
            "/api/turniere/{slug}/rangliste/": _get("Its ranking", _named("Ranking"), slug),
            "/api/turniere/{slug}/rangliste/{which}/": _get(
                "Another of its rankings", _named("Ranking"), slug, which
            ),
        },
        "components": {
            "schemas": {
                "Tournament": _object(SHORT),
                "WholeTournament": _object(WHOLE),
                "EntryFee": _object(ENTRY_FEE),
                "KindOfRanking": _object(KIND_OF_RANKING),
                "Ranking": _object(RANKING),
                "Line": _object(LINE),
            }
        },
    }
