"""Teaching a line-up over the API, with the real reader."""

from __future__ import annotations

import pytest

from assistant.app.teaching.library import TaughtGames, TeachingTable
from assistant.app.teaching.teacher import Teacher
from assistant.table.camera import TableMarkers
from tests.line_ups import line_up, photo_of
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}
PATH = "/api/v1/teach/line-ups"


@pytest.fixture(scope="module")
def photos() -> list[bytes]:
    return [photo_of(line_up(side)) for side in (0, 1)]


@pytest.fixture
def owner(build, state, client, tmp_path):
    nothing = TeachingTable(TableMarkers("36h11", (), None), None)
    build.put(state, teaching=Teacher(TaughtGames(tmp_path), lambda: nothing))
    token, _ = state.door.devices.admit(Role.OWNER)
    client.set_cookie("sightline", token)
    return client


def sent(owner, path, **content):
    answer = owner.post(path, headers=CHANGE, **content)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def test_a_box_is_taught_from_two_photos_one_size_and_two_names(owner, photos, tmp_path):
    draft = sent(owner, PATH, data=photos[0])
    draft = sent(owner, f"{PATH}?draft={draft['draft']}", data=photos[1])
    assert (draft["photos"], draft["fitting"], draft["is_scaled"]) == (2, 2, False)
    assert sorted(len(group["figures"]) for group in draft["groups"]) == [3, 3]

    own = f"{PATH}/{draft['draft']}"
    ringed = next(group for group in draft["groups"] if group["ring"])
    draft = sent(owner, f"{own}/scale", json={"figure": ringed["figures"][0], "base_mm": 22.0})
    assert draft["is_scaled"]
    picture = owner.get(f"{own}/0/picture")
    assert picture.data.startswith(b"\x89PNG")

    groups = [
        {"figures": group["figures"], "kind": "ghoul" if group["ring"] else "golem", "side": "foes"}
        for group in draft["groups"]
    ]
    kept = sent(owner, f"{own}/figures", json={"roster": "home", "groups": groups})
    assert sorted(one["id"] for one in kept["figures"]) == [
        "ghoul", "ghoul-2", "ghoul-3", "golem", "golem-2", "golem-3",
    ]  # fmt: skip
    roster = TaughtGames(tmp_path).roster("home")
    assert all(len(figure.look.views) == 2 for figure in roster.figures)
    ghoul = next(figure for figure in roster.figures if figure.id == "ghoul")
    assert (ghoul.base_mm, ghoul.size) == (22.0, (1, 1))

    # The same kind once more: its figures keep their names.
    again = sent(owner, f"{own}/figures", json={"roster": "home", "groups": groups[:1]})
    assert len(again["figures"]) == 6


def test_faults_are_said(owner, photos):
    draft = sent(owner, PATH, data=photos[0])
    own = f"{PATH}/{draft['draft']}"
    assert owner.get(f"{own}/99/picture").status_code == 400
    assert owner.post(f"{own}/scale", json={"figure": 99, "base_mm": 22.0}, headers=CHANGE).status_code == 400
    groups = [{"figures": [0], "kind": "ghoul", "side": "foes"}]
    guessed = owner.post(f"{own}/figures", json={"roster": "guessed", "groups": groups}, headers=CHANGE)
    assert guessed.status_code == 400
    assert guessed.get_json()["error"]["message"] == (
        "The sizes of these figures are unknown. Enter the width of the marked figure's base first."
    )
    gone = owner.post(f"{PATH}/gone/scale", json={"figure": 0, "base_mm": 22.0}, headers=CHANGE)
    assert gone.status_code == 400
    assert gone.get_json()["error"]["message"] == "This photo is no longer stored. Send it again."


def test_nothing_is_read_until_a_photo_comes(owner):
    assert owner.get("/api/v1/teach/work").get_json() == {"work": None}
    assert sent(owner, "/api/v1/teach/work/cancel") == {"cancelled": True}
