"""Fixtures of the page's tests; ``page_builders.py`` beside this file makes the values."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from assistant.app.live.shots import Shot
from web.app import create_app
from web.parts import Parts
from web.people.door import PARTS

CHANGE = {"X-Sightline": "1"}


def load(name: str) -> ModuleType:
    """Return a module of this folder; tests are no package, so it is loaded by path."""
    spec = importlib.util.spec_from_file_location(f"sightline_tests_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


builders = load("page_builders")


@pytest.fixture(scope="session")
def build() -> ModuleType:
    """The builders of ``page_builders.py``."""
    return builders


@pytest.fixture
def state() -> Parts:
    made: Parts = builders.page_state()
    return made


@pytest.fixture(scope="session")
def made_app() -> Flask:
    """An application for any page; building one takes longer than most tests."""
    application = create_app(builders.page_state())
    application.testing = True
    return application


@pytest.fixture
def app(made_app: Flask, state: Parts) -> Flask:
    made_app.extensions[PARTS] = state
    return made_app


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
def shot(state: Parts) -> Shot:
    """The truth of easy-03, on the shelf."""
    found: Shot = builders.true_shot("easy-03")
    state.shelf.put(found)
    return found
