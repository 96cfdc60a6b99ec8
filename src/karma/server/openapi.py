"""OpenAPI: the description of the HTTP part, from the same structs that read and write it."""

from functools import cache
from importlib.metadata import version
from typing import Any

import msgspec

from karma.protocol import bodies

Answer = type[msgspec.Struct] | str | None
"""A struct, the media type of a picture, or a record."""
NUMBER = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
TEXT = {"type": "string"}
SVG, PNG = "image/svg+xml", "image/png"

#: path, method, what it does, body, answer and its status
PAGES: list[tuple[str, str, str, type[msgspec.Struct] | None, Answer, int]] = [
    ("/api/health", "get", "Is the server well?", None, bodies.Health, 200),
    ("/api/about", "get", "What the server offers.", None, bodies.About, 200),
    ("/api/statistics", "get", "Games and ratings by edition.", None, bodies.ServerStatistics, 200),
    ("/api/player", "post", "A new player.", bodies.NewPlayer, bodies.Player, 201),
    ("/api/player", "get", "Who you are.", None, bodies.Player, 200),
    ("/api/player", "put", "Another name or address.", bodies.ChangePlayer, bodies.Player, 200),
    ("/api/player", "delete", "Delete what is kept of you.", None, None, 204),
    ("/api/player/subscription", "put", "Be told by push.", bodies.Subscription, None, 204),
    ("/api/player/games", "get", "Your finished games.", None, bodies.OwnGames, 200),
    ("/api/player/export", "get", "Everything that is kept of you.", None, None, 200),
    ("/api/tables", "get", "The public tables.", None, bodies.Tables, 200),
    ("/api/tables", "post", "A new table.", bodies.NewTable, bodies.Joined, 201),
    ("/api/invites/{code}", "get", "The table of an invite.", None, bodies.Look, 200),
    ("/api/invites/{code}/picture", "get", "The invite as a QR code.", None, SVG, 200),
    ("/api/transfers", "post", "Take a seat by its code.", bodies.Transfer, bodies.Joined, 200),
    ("/api/rules/{edition}", "get", "The rules of an edition.", None, bodies.Document, 200),
    ("/api/tables/{table}", "get", "A table before joining it.", None, bodies.Look, 200),
    ("/api/tables/{table}/join", "post", "Sit down or watch.", bodies.Join, bodies.Joined, 200),
    ("/api/tables/{table}/leave", "post", "Go away for good.", None, None, 204),
    ("/api/tables/{table}/rematch", "post", "Ask for another game.", None, None, 204),
    ("/api/tables/{table}/transfer", "post", "A one-time code.", None, bodies.TransferCode, 200),
    ("/api/tables/{table}/rules", "get", "The rules page.", None, bodies.Document, 200),
    ("/api/tables/{table}/games", "get", "The finished games.", None, bodies.Games, 200),
    ("/api/tables/{table}/games/{game}", "get", "A game's record.", None, None, 200),
    ("/api/tables/{table}/games/{game}/replay", "get", "A replay.", None, bodies.Replay, 200),
    ("/api/tables/{table}/games/{game}/share", "get", "A link to share.", None, bodies.Shared, 200),
    ("/api/shared/{code}", "get", "What a shared link shows.", None, bodies.Shared, 200),
    ("/api/shared/{code}/picture", "get", "Its picture.", None, PNG, 200),
    ("/api/tables/{table}/games/{game}/review", "get", "A review.", None, bodies.GameReview, 200),
    ("/api/player/luck", "get", "What chance gave you.", None, bodies.PlayerLuck, 200),
]
QUERIES: dict[str, dict[str, dict[str, Any]]] = {
    "/api/rules/{edition}": {"language": TEXT},
    "/api/tables/{table}/rules": {"language": TEXT},
    "/api/tables/{table}/games/{game}/share": {"language": TEXT},
    "/api/tables/{table}/games/{game}/replay": {"eyes": TEXT, "start": NUMBER, "count": NUMBER},
    "/api/tables/{table}/games/{game}/review": {"have": TEXT},
}


@cache
def openapi() -> dict[str, Any]:
    """The OpenAPI document."""
    template = "#/components/schemas/{name}"
    _, schemas = msgspec.json.schema_components(
        (*bodies.REQUESTS, *bodies.ANSWERS), ref_template=template
    )
    paths: dict[str, Any] = {}
    for path, method, summary, body, answer, status in PAGES:
        operation: dict[str, Any] = {
            "summary": summary,
            "parameters": [_parameter(name, "path") for name in _names(path)]
            + [_parameter(name, "query", kind) for name, kind in QUERIES.get(path, {}).items()],
            "responses": {
                str(status): _content(answer, status),
                "default": _content(bodies.Problem, 400),
            },
            "security": [{"bearer": []}, {"cookie": []}, {}],
        }
        if body is not None:
            operation["requestBody"] = {"required": True, **_json(body.__name__)}
        paths.setdefault(path, {})[method] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Karma",
            "version": version("karma"),
            "description": "The HTTP part of the protocol; the WebSocket's messages are in"
            " /api/schema.json.",
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "karma"},
            },
        },
    }


def _names(path: str) -> list[str]:
    return [part[1:-1] for part in path.split("/") if part.startswith("{")]


def _parameter(name: str, place: str, kind: dict[str, Any] | None = None) -> dict[str, Any]:
    schema = kind or (NUMBER if name == "game" else TEXT)
    return {"name": name, "in": place, "required": place == "path", "schema": schema}


def _content(answer: Answer, status: int) -> dict[str, Any]:
    if status == 204:
        return {"description": "Done."}
    if answer is None:
        return {
            "description": "One line of JSON, as the records page writes it.",
            "content": {"application/json": {"schema": {"type": "object"}}},
        }
    if isinstance(answer, str):
        return {"description": "A picture.", "content": {answer: {}}}
    return {"description": (answer.__doc__ or "").strip(), **_json(answer.__name__)}


def _json(name: str) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{name}"}
    return {"content": {"application/json": {"schema": schema}}}
