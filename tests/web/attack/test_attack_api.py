"""The attack assistant on the page: facts before the roll, the drawing for taps, its commands."""

from __future__ import annotations

import pytest

from assistant.app.matches.archive import load_shipped_mission
from assistant.match.actor import JUDGE
from assistant.match.missions import new_header
from assistant.match.session import Session
from web.serving.roles import Role


@pytest.fixture
def session(state, build):
    """The sample match on its own table, with one demon acting."""
    made = build.sample_session()
    state.match.play(made)
    return made


def test_the_assistant_asks_for_figures_first(session, post):
    guide = post("/match/attack").get_json()["guide"]
    assert (guide["stage"], guide["offers"]) == ("choose", [])


def acting_demon(session):
    """Continue until a demon acts; return its name."""
    while True:
        game = session.timeline.game
        turn = game.turn
        if turn is None:
            session.command({"type": "reveal"}, JUDGE)
        elif turn.side == "marines":
            session.command({"type": "end"}, JUDGE)
        elif turn.kind is None:
            session.command({"type": "activate_kind", "kind": "crawler"}, JUDGE)
        else:
            session.command({"type": "activate", "figure": turn.queue[0]}, JUDGE)
            return session.timeline.game.turn.figure


def test_an_attack_is_played_by_what_is_offered(session, post):
    demon = acting_demon(session)
    wish = {"attacker": demon, "defender": "ranger-1", "range": 1}
    guide = post("/match/attack", wish).get_json()["guide"]
    (offer,) = guide["offers"]
    assert offer["refusal"] is None
    assert guide["facts"]["from_table"] is False

    post("/match/commands", {"type": offer["type"], **offer["fields"]})
    opened = post("/match/attack").get_json()["guide"]
    assert opened["stage"] == "open"
    assert opened["steps"]
    assert opened["offers"][0]["type"] == "defend"


@pytest.mark.parametrize(
    ("language", "word"), [("en", "not Medic 1's turn"), ("ru", "ходит не"), ("es", "no es el turno")]
)
def test_it_speaks_the_readers_language(session, client, language, word):
    answer = client.post(
        f"/api/v1/match/attack?lang={language}",
        json={"attacker": "medic-1", "defender": "crawler-1"},
        headers={"X-Sightline": "1"},
    )
    assert word in answer.get_json()["guide"]["hint"]


@pytest.mark.parametrize("wish", [{"attacker": 1}, {"x": 1}, [], "x"])
def test_what_cannot_be_asked_is_refused(session, post, wish):
    answer = post("/match/attack", wish)
    assert answer.status_code == 400
    assert answer.get_json()["error"]["message"]


def test_the_ground_is_drawn_from_the_table_that_was_seen(session, state, client, post, build):
    assert client.get("/api/v1/match/ground").get_json()["ground"] is None
    shot = build.true_shot("easy-03")
    state.shelf.put(shot)
    post("/match/table", {"shot": shot.id})

    ground = client.get("/api/v1/match/ground").get_json()["ground"]
    left, top, width, height = ground["box"]
    assert sum(area["kind"] == "cell" for area in ground["areas"]) == len(shot.board.cells)
    for figure in ground["figures"]:
        assert left < figure["center"][0] < left + width
        assert top < figure["center"][1] < top + height


def test_the_ground_of_a_free_table_is_in_millimetres(state, client):
    mission = load_shipped_mission("roads_bridge_sample")
    header = new_header(mission, match_id="m", seed="s", created_t=0, options={})
    made = Session(header, journal=None, clock_ms=lambda: 0)
    figures = [
        {
            "id": fighter["id"],
            "side": fighter["side"],
            "center_mm": fighter["center_mm"],
            "base_mm": 25,
            "height_mm": 30,
            "elevation_mm": 0,
            "facing_deg": 0,
            "stats": {name: fighter[name] for name in ("mobility", "toughness", "spirit", "combat")},
        }
        for fighter in mission.setup["fighters"]
    ]
    ruin = {"id": "ruin", "outline_mm": [[0, 0], [50, 0], [50, 50]], "height_mm": 60, "kind": "wall"}
    document = {
        "format": "sightline.free-table/1",
        "step_mm": 50,
        "size_mm": [1200, 900],
        "terrain": [ruin],
        "figures": figures,
    }
    made.command({"type": "see", "document": document}, JUDGE)
    state.match.play(made)

    ground = client.get("/api/v1/match/ground").get_json()["ground"]
    assert (ground["box"], ground["unit"]) == ([0, 0, 1200, 900], 50)
    assert {area["kind"] for area in ground["areas"]} == {"table", "wall"}
    assert len(ground["figures"]) == len(figures)


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SPECTATOR])
def test_hidden_demons_are_not_to_be_asked_about(session, client, state, post, role):
    token, _ = state.door.devices.admit(role)
    client.set_cookie("sightline", token)
    hidden = "crawler-1"
    session.command({"type": "frag", "figure": hidden}, JUDGE)
    answers = [post("/match/attack", {"attacker": name, "defender": "medic-1"}) for name in (hidden, "nobody")]
    told = [
        answer.get_data(as_text=True).replace(name, "")
        for answer, name in zip(answers, (hidden, "nobody"), strict=True)
    ]
    assert told[0] == told[1], "a demon in the box is like one that the game does not have"
    if role is Role.SPECTATOR:
        assert [answer.status_code for answer in answers] == [403, 403]
    else:
        assert answers[0].get_json()["guide"]["attacker"] is None


def test_the_same_table_again_is_no_step_of_the_match(session, state, post, build):
    shot = build.true_shot("easy-03")
    state.shelf.put(shot)
    post("/match/table", {"shot": shot.id})
    before = session.seq
    assert post("/match/table", {"shot": shot.id}).status_code == 200
    assert session.seq == before
