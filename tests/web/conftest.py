"""Fixtures of the page's tests; ``builders.py`` beside this file makes the values."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import builders
from flask import Flask
from flask.testing import FlaskClient

from web.app import create_app
from web.ports import Shot
from web.state import PageState

CHANGE = {"X-Sightline": "1"}


@pytest.fixture(autouse=True)
def needs_scenes() -> None:
    if not (builders.SCENES / "dev").is_dir():
        pytest.skip("the development scenes are not there (../shared/scenes/dev)")


@pytest.fixture
def state() -> PageState:
    return builders.page_state()


@pytest.fixture
def app(state: PageState) -> Flask:
    application = create_app(state)
    application.testing = True
    return application


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def post(client: FlaskClient) -> Callable[..., Any]:
    """Posts JSON as the page does."""

    def send(path: str, body: Any = None, **more: Any) -> Any:
        return client.post(f"/api/v1{path}", json={} if body is None else body, headers=CHANGE, **more)

    return send


@pytest.fixture
def shot(state: PageState) -> Shot:
    """The truth of easy-03, on the shelf."""
    found = builders.true_shot("easy-03")
    state.shelf.put(found)
    return found
