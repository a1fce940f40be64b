"""The blueprint of the API, in a module of its own so that every part can add to it."""

from flask import Blueprint

API_ROOT = "/api/v1"

blueprint = Blueprint("api", __name__, url_prefix=API_ROOT)
