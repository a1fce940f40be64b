"""The JSON API under ``/api/v1``; each module adds its routes to the one blueprint."""

from web.api import live, match, meta, people, problems, shots, whatif, wizard
from web.api.blueprint import blueprint

__all__ = ["blueprint", "live", "match", "meta", "people", "problems", "shots", "whatif", "wizard"]
