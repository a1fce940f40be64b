"""The demo's routes: another game, and moving hands."""

from __future__ import annotations

from assistant.app.matches.demo_stage import DemoGame


class Guide:
    """Stands in for the demo's stage."""

    def __init__(self, *, is_played=True):
        self.done, self.is_played = [], is_played

    @property
    def games(self):
        return (DemoGame("roads", "Roads", is_shown=True),)

    def choose(self, game):
        self.done.append(game)

    def let_move(self):
        self.done.append("moves")


def test_only_a_demo_leads_visitors(post, client):
    assert post("/demo/game", {"game": "roads"}).status_code == 404
    assert post("/demo/moves").status_code == 404
    assert 'id="tour"' not in client.get("/").text


def test_a_visitor_chooses_a_game_and_lets_hands_move(build, state, post, client):
    build.put(state, demo=Guide())
    assert post("/demo/game", {"game": "roads"}).get_json() == {
        "games": [{"id": "roads", "title": "Roads", "is_shown": True}]
    }
    assert post("/demo/moves").status_code == 200
    assert state.demo.done == ["roads", "moves"]
    page = client.get("/").text
    assert 'id="tour"' in page
    assert 'data-game="roads"' in page
    assert 'id="tour"' not in client.get("/wall").text


def test_a_match_that_visitors_have_begun_has_no_tour_over_it(build, state, client):
    build.put(state, demo=Guide(is_played=False))
    assert 'id="tour"' not in client.get("/").text


def test_another_table_does_not_begin_with_the_last_picture_of_the_one_before(state, build, client):
    state.shown.show(build.live_copy(build.true_shot("easy-03"), "live-1"))
    assert client.get("/api/v1/now").get_json()["live"]["shot"] == "live-1"
    state.readers.read_by(state.readers.reader)
    assert client.get("/api/v1/now").get_json()["live"] is None
