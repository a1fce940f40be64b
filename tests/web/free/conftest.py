"""Simulated skirmishes without a grid, each with a photo beside the tests that is read once."""

from dataclasses import replace

import pytest

from assistant.app.live.free_pictures import FreeTablePictures
from assistant.app.live.game_files import FreeGame, first_free_rules
from assistant.table.roster import Roster
from vision.simulation.free_compose import random_free_scene

CHANGE = {"X-Sightline": "1"}

MOVED = (
    *("raider-1", "raider-2", "raider-4", "raider-5", "mauler-1", "mauler-2", "brood-4", "brood-5"),
    *("ogre-1", "ogre-2", "ogre-3", "ogre-8", "drone-3", "drone-5"),
)
"""The models of the small picture for tests of moves: some in contact, one on a wall, two kinds with marks."""


@pytest.fixture(scope="session")
def scene():
    """A simulated skirmish; its photo lies beside the tests."""
    return random_free_scene(8002)


@pytest.fixture(scope="session")
def moved_scene():
    """Few models of another skirmish under the webcam of a third."""
    whole, webcam = random_free_scene(8001), random_free_scene(8006)
    models = tuple(model for model in whole.figures if model.figure.id in MOVED)
    roster = Roster(tuple(figure for figure in whole.roster.figures if figure.id in MOVED), whole.roster.doors)
    return replace(
        whole, figures=models, roster=roster, view=webcam.view, camera=webcam.camera, lighting=webcam.lighting
    )


def desk_of(scene):
    return FreeTablePictures(FreeGame(scene.box, scene.roster, scene.markers, scene.view.lens), first_free_rules())


@pytest.fixture(scope="session")
def desk(scene, golden):
    """A desk that has read the skirmish."""
    made = desk_of(scene)
    made.read_upload((golden / "scenes" / "free-8002" / "photo.jpg").read_bytes())
    return made


@pytest.fixture(scope="session")
def moved_desk(moved_scene, golden):
    """A desk that has read the small picture."""
    made = desk_of(moved_scene)
    made.read_upload((golden / "scenes" / "free-moves" / "photo.jpg").read_bytes())
    return made


@pytest.fixture
def ask_page(state, client):
    """Asks the page of a desk."""

    def of(desk):
        state.readers.read_free(desk)

        def asked(path, body=None, status=200):
            place = f"/api/v1/free{path}"
            answer = client.get(place) if body is None else client.post(place, json=body, headers=CHANGE)
            assert answer.status_code == status, answer.text
            return answer.get_json()

        return asked

    return of


@pytest.fixture
def free(ask_page, desk):
    """Asks the page of the skirmish."""
    return ask_page(desk)
