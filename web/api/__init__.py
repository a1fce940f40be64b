"""The JSON API under ``/api/v1``; each module adds its routes to the one blueprint."""

from web.api import (
    attack,
    live,
    match,
    matches,
    meta,
    people,
    problems,
    shots,
    teach,
    watchers,
    watching,
    whatif,
    wizard,
)
from web.api.blueprint import blueprint

__all__ = [
    "attack",
    "blueprint",
    "live",
    "match",
    "matches",
    "meta",
    "people",
    "problems",
    "shots",
    "teach",
    "watchers",
    "watching",
    "whatif",
    "wizard",
]
