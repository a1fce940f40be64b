"""A picture shows models of a table without a grid elsewhere: the match says what they did, by the letter of seed 003.

The picture is that of `conftest.py`; the match has some of its models where they stood before, and all others are
strangers to it.
"""

import math
import re
from fractions import Fraction

import msgspec
import pytest

from assistant.documents import free_table_document
from assistant.match.actor import TABLE
from assistant.match.missions import mission_from_toml, new_header
from assistant.match.session import Session
from assistant.table.roster import kind_of
from assistant.translations.catalogue import speak_id
from web.serving.roles import Role

CHANGE = {"X-Sightline": "1"}

MISSION = """
ruleset = "roads"
title = "As the picture shows it"
[setup]
skirmish = "picture"
sides = []
fighters = []
"""


class Skirmish:
    """A match of models of the picture, in their seen places unless the test gives an earlier one."""

    def __init__(self, state, scene, shot, free):
        self.state, self.scene, self.shot, self.free = state, scene, shot, free
        self.figures, self.fighters = [], []

    def seen(self, name):
        """Return a model's place in the picture, and its figure's document."""
        true = self.scene.table.figure(name)
        table = free_table_document(self.shot.sighting.table)
        near = [f for f in table["figures"] if kind_of(f["id"]) == kind_of(name)]
        return min(near, key=lambda f: math.dist(f["center_mm"], [float(v) for v in true.center_mm]))

    def model(self, name, before=None, elevation_mm=None, **fighter):
        seen = self.seen(name)
        place = seen["center_mm"] if before is None else list(before)
        height = seen["elevation_mm"] if elevation_mm is None else elevation_mm
        stats = {**seen["stats"], **{key: fighter[key] for key in seen["stats"] if key in fighter}}
        marks = [mark for mark in ("fear", "terror") if fighter.get(mark)]
        moved = {"id": name, "center_mm": place, "elevation_mm": height, "stats": stats, "marks": marks}
        self.figures.append({**seen, **moved})
        self.fighters.append({"id": name, "side": seen["side"], **stats, **fighter})
        return seen["center_mm"]

    def begin(self, *steps):
        """The match after these commands: names of types, or a type with its fields."""
        sides = list(dict.fromkeys(each["side"] for each in self.fighters))
        base = mission_from_toml(MISSION.encode())
        mission = msgspec.structs.replace(base, setup={**base.setup, "sides": sides, "fighters": self.fighters})
        header = new_header(mission, match_id="m", seed="seed", created_t=0, options={})
        self.session = Session(header, journal=None, clock_ms=lambda: 0)
        table = free_table_document(self.shot.sighting.table)
        for fighter in self.fighters:
            fighter.pop("marks", None)
        self.do("see", document={**table, "figures": [self._plain(figure) for figure in self.figures]})
        self.do("begin")
        for step in steps:
            self.do(step) if isinstance(step, str) else self.do(step[0], **step[1])
        self.state.match.play(self.session)

    def _plain(self, figure):
        return {key: value for key, value in figure.items() if key not in ("error_mm", "confidence")}

    def do(self, type_, **fields):
        self.session.command({"type": type_, **fields}, TABLE)

    def show(self, **body):
        """Have the match take the picture; return the result."""
        return self.free(f"/shots/{self.shot.id}/match", body)

    @property
    def game(self):
        return self.session.timeline.game

    def at(self, name):
        return self.game.piece(name).center_mm


@pytest.fixture
def skirmish(state, moved_scene, moved_desk, ask_page):
    return Skirmish(state, moved_scene, moved_desk.latest, ask_page(moved_desk))


def test_no_front_is_read_from_a_mark_that_is_hardly_another_color_than_its_rim(skirmish):
    spots = skirmish.shot.sighting.spots
    assert spots[skirmish.seen("drone-3")["id"]].facing_error_deg is not None
    assert all(spots[skirmish.seen(name)["id"]].facing_error_deg is None for name in ("ogre-1", "ogre-3", "ogre-8"))


def roll(face):
    return ("test", {"rolled_here": False, "roll": face})


def away_from(place, other, mm):
    """Return a place nearer to another by that distance on a straight path; farther with a minus."""
    share = mm / math.dist(place, other)
    return [a + (b - a) * share for a, b in zip(place, other, strict=True)]


def fleeing(skirmish, face):
    enemy = skirmish.seen("ogre-2")["center_mm"]
    end = skirmish.seen("raider-1")["center_mm"]
    before = away_from(end, enemy, 150)
    skirmish.model("raider-1", before, spirit=3)
    skirmish.model("ogre-2", terror=True)
    skirmish.begin(roll(6), roll(face))
    return before, end


def test_a_flight_has_the_length_of_its_die(skirmish):
    """“бежит D6 шагов в направлении строго от своих врагов”."""
    _, end = fleeing(skirmish, 3)
    (move,) = skirmish.show()["moves"]
    assert "Played: Raider 1 flees 3 steps" in move["text"]
    assert skirmish.at("raider-1") == pytest.approx(end, abs=2.1)
    assert not skirmish.game.flights


def test_a_length_that_is_more_only_by_how_numbers_are_rounded_is_as_long_as_allowed(skirmish):
    enemy, end = (skirmish.seen(name)["center_mm"] for name in ("ogre-2", "raider-1"))
    x, y = away_from(end, enemy, 150)
    nudged = ((x + n * math.ulp(x), y) for n in range(-99, 100))
    before = next(at for at in nudged if math.dist(at, end) == 150 and exact_mm2(at, end) > 150**2)
    skirmish.model("raider-1", before, spirit=3)
    skirmish.model("ogre-2", terror=True)
    skirmish.begin(roll(6), roll(3))
    (move,) = skirmish.show()["moves"]
    assert "Played: Raider 1 flees 3 steps" in move["text"]


def exact_mm2(place, other):
    """Return the squared distance of two places as documents tell them."""
    return sum((Fraction(str(a)) - Fraction(str(b))) ** 2 for a, b in zip(place, other, strict=True))


def test_a_flight_that_is_too_short_is_reported_and_the_model_stays_where_it_was(skirmish):
    before, end = fleeing(skirmish, 5)
    (move,) = skirmish.show()["moves"]
    assert "runs the full 5 steps" in move["text"]
    assert move["is_refused"]
    assert skirmish.at("raider-1") == pytest.approx(before)
    skirmish.show(as_it_stands=True)
    assert skirmish.at("raider-1") == pytest.approx(end)


def charging(skirmish, **fighter):
    end = skirmish.seen("mauler-1")["center_mm"]
    before = [end[0] + 40, end[1] + 80]
    skirmish.model("mauler-1", before, **fighter)
    skirmish.model("ogre-3")
    skirmish.begin("next")
    return before, end


def test_a_charge_ends_in_contact(skirmish):
    _, end = charging(skirmish)
    (move,) = skirmish.show()["moves"]
    assert "into contact with Ogre 3. Played: Mauler 1 charges Ogre 3." in move["text"]
    assert skirmish.game.opponents_of("mauler-1") == ("ogre-3",)
    assert "charged" in skirmish.game.piece("mauler-1").marks
    assert skirmish.at("mauler-1") == pytest.approx(end)


def test_a_charge_beyond_the_length_of_the_set_up_is_refused(skirmish):
    before, _ = charging(skirmish, charge_steps=1)
    (move,) = skirmish.show()["moves"]
    assert "Mauler 1 goes at most 1 step" in move["text"]
    assert skirmish.at("mauler-1") == pytest.approx(before)


def test_who_is_drawn_in_is_played_as_drawn_in(skirmish):
    """“придвиньте всех воинов в радиусе одного шага от сражающихся в базовый контакт”."""
    enemy = skirmish.model("ogre-1")
    skirmish.model("raider-2")
    skirmish.model("raider-4", away_from(skirmish.seen("raider-4")["center_mm"], enemy, -30))
    skirmish.begin("next", "next", "next")
    assert skirmish.game.to_draw_in == ("raider-4",)
    (move,) = skirmish.show()["moves"]
    assert "Played: Raider 4 is drawn into the melee" in move["text"]
    assert skirmish.game.opponents_of("raider-4") == ("ogre-1",)


@pytest.mark.parametrize(("mm", "told"), [(30, "Played: Mauler 2 advances"), (80, "Mauler 2 goes at most 1 step")])
def test_an_advance_is_one_step(skirmish, mm, told):
    """“Модель может продвинуться на один шаг”."""
    x, y = skirmish.seen("mauler-2")["center_mm"]
    skirmish.model("mauler-2", [x + mm, y])
    skirmish.model("ogre-2", [x + mm + 30, y])
    skirmish.model("ogre-8")
    skirmish.begin(("wound", {"figure": "ogre-2", "out": True}))
    assert skirmish.game.to_advance == ("mauler-2",)
    (move,) = skirmish.show()["moves"]
    assert told in move["text"]


FOOT = (167.8, 114.1)
"""Where a base of 25 mm touches the long side of the wall on which the picture shows a raider."""


def climbing(skirmish, **fighter):
    skirmish.model("raider-5", FOOT, elevation_mm=0, **fighter)
    skirmish.model("ogre-8")
    skirmish.begin("next")


def test_a_climb_up_a_wall_is_measured_and_tested(skirmish):
    """“Она может лазать на расстояние, равное половине её Подвижности” – the wall is 46 mm high, a step 50."""
    climbing(skirmish, mobility=3)
    (move,) = skirmish.show()["moves"]
    assert "Played: Raider 5 climbs 0.92 steps" in move["text"]
    assert [due.kind for due in skirmish.game.due] == ["climb"]
    assert skirmish.at("raider-5") == FOOT
    skirmish.do("test", rolled_here=False, roll=1)
    assert skirmish.show()["moves"] == []
    assert float(skirmish.game.table().figure("raider-5").elevation_mm) == 46


def test_a_wall_higher_than_half_the_mobility_is_refused(skirmish):
    climbing(skirmish, mobility=1)
    (move,) = skirmish.show()["moves"]
    assert "climbs at most" in move["text"]
    assert skirmish.at("raider-5") == FOOT


def finding(skirmish, **fighter):
    skirmish.model("drone-5")
    skirmish.model("mauler-1", [215, 190], **fighter)
    skirmish.begin("next", ("hide", {"figure": "drone-5"}), "next", "next", "next", "next")
    assert "camouflaged" in skirmish.game.piece("drone-5").marks


def test_who_comes_within_half_his_mobility_finds_the_hidden_at_once(skirmish):
    """“в пределах половины своего значения Подвижности … автоматически обнаруживает”."""
    finding(skirmish, walk_steps=4)
    told = "Mauler 1 has found the camouflaged Drone 5."
    assert skirmish.free("")["news"] == [told]
    found = skirmish.show()
    assert found["news"] == [told]
    assert re.search(r"Played: Mauler 1 moved \d[\d.]* steps?\.", found["moves"][0]["text"])
    assert "camouflaged" not in skirmish.game.piece("drone-5").marks


def test_where_no_length_tells_a_walk_from_a_run_people_are_asked(client, skirmish):
    finding(skirmish)
    (move,) = skirmish.show()["moves"]
    assert "Did Mauler 1 walk or run?" in move["text"]
    walk, run = (choice["text"].partition(" steps")[0].rsplit(" ", 1) for choice in move["choices"])
    assert (walk[0], run[0]) == ("Mauler 1 moved", "Mauler 1 ran")
    assert walk[1] == run[1]
    assert skirmish.at("mauler-1") == (215, 190)
    change = {"X-Sightline": "1"}
    assert client.post("/api/v1/match/commands", json=move["choices"][1]["command"], headers=change).status_code == 200
    assert "ran" in skirmish.game.piece("mauler-1").marks


def shuffling(skirmish, name, turned_deg=0.0):
    seen = skirmish.seen(name)
    way = math.radians(seen["facing_deg"] + turned_deg)
    before = [v - 60 * part for v, part in zip(seen["center_mm"], (math.cos(way), math.sin(way)), strict=True)]
    skirmish.model(name, before, stupid=True, spirit=3)
    skirmish.model("brood-5" if seen["side"] == "raiders" else "ogre-8")
    skirmish.begin(roll(6), roll(2), "next")


def test_a_stupid_model_shuffles_where_it_looks(skirmish):
    """“двигается прямо вперёд с половинной скоростью”."""
    name = "drone-3"  # its rim has a mark that the picture shows
    shuffling(skirmish, name)
    (move,) = skirmish.show()["moves"]
    assert "Played: " in move["text"]
    assert "moved" in skirmish.game.piece(name).marks


@pytest.mark.parametrize("turned", [False, True])
def test_where_the_picture_does_not_tell_that_it_went_straight_on_people_are_asked(skirmish, turned):
    name = "drone-3" if turned else "brood-4"
    shuffling(skirmish, name, 60.0 if turned else 0.0)
    (move,) = skirmish.show()["moves"]
    assert ("did not go where it faces" if turned else "does not show where") in move["text"]
    assert [choice["text"] for choice in move["choices"]] == ["Yes, straight on"]
    assert "moved" not in skirmish.game.piece(name).marks


def test_who_was_put_right_by_a_hand_has_not_moved(skirmish):
    x, y = skirmish.seen("raider-1")["center_mm"]
    skirmish.model("raider-1", [x + 6, y])
    skirmish.model("ogre-8")
    skirmish.begin("next")
    (move,) = skirmish.show()["moves"]
    assert "Played" not in move["text"]
    assert skirmish.at("raider-1") == pytest.approx((x, y))
    assert "moved" not in skirmish.game.piece("raider-1").marks


def test_a_move_out_of_turn_is_refused_with_its_reason(skirmish):
    skirmish.model("ogre-8")
    end = skirmish.seen("raider-1")["center_mm"]
    skirmish.model("raider-1", [end[0] + 60, end[1]], walk_steps=4)
    skirmish.begin("next")
    (move,) = skirmish.show()["moves"]
    assert "it is the turn of Raiders" in move["text"]
    assert skirmish.at("raider-1") == pytest.approx((end[0] + 60, end[1]))


def offered(client):
    return client.get("/api/v1/match/seen").get_json()["moves"]


def test_a_move_that_the_picture_shows_is_offered_as_one_command_and_nothing_is_played(skirmish, client):
    before, end = charging(skirmish)
    (offer,) = offered(client)
    assert (offer["figure"], offer["refusal"], offer["question"]) == ("mauler-1", None, None)
    assert [choice["text"] for choice in offer["choices"]] == ["Mauler 1 charges Ogre 3"]
    assert skirmish.at("mauler-1") == pytest.approx(before)
    skirmish.session.command(offer["choices"][0]["command"], TABLE)
    assert skirmish.at("mauler-1") == pytest.approx(end)
    assert offered(client) == []


def test_a_move_that_the_rules_refuse_is_reported_with_the_reason_and_offers_nothing(skirmish, client):
    charging(skirmish, charge_steps=1)
    (offer,) = offered(client)
    assert "Mauler 1 goes at most 1 step" in offer["refusal"]
    assert offer["choices"] == []


def test_what_a_picture_shows_from_before_a_move_of_the_match_is_no_move(skirmish, client):
    skirmish.model("raider-2")
    skirmish.model("ogre-3")
    skirmish.begin("next")
    x, y = skirmish.at("raider-2")
    skirmish.do("place", figure="raider-2", center_mm=[x, y + 25])
    assert offered(client) == []


def test_the_match_lies_on_the_picture_from_above_where_it_shows_the_same_table(skirmish, client):
    skirmish.model("raider-2")
    skirmish.model("ogre-3")
    skirmish.begin("next")
    photo = client.get("/api/v1/match/ground").get_json()["ground"]["photo"]
    width, depth = (float(size) for size in skirmish.scene.table.size_mm)
    assert photo["box"] == [-15, -15, width + 30, depth + 30]
    assert client.get(photo["href"]).mimetype == "image/jpeg"
    assert client.get("/api/v1/match/ground?at=1").get_json()["ground"]["photo"] is None


def test_terrain_that_people_changed_comes_into_the_match_under_their_names(skirmish, moved_desk, state, app):
    game, shots, images = moved_desk.game, moved_desk._shots.copy(), dict(moved_desk._images)
    skirmish.model("raider-1")
    skirmish.model("ogre-2")
    skirmish.begin()
    terrain = [piece.id for piece in game.box.terrain]
    phones = []
    for name in ("Bru", "Kim"):
        phone = app.test_client()
        code = state.door.devices.invite(Role.PLAYER).code
        phone.post("/api/v1/join", json={"code": code, "name": name}, headers=CHANGE)
        phones.append(phone)
    for phone, piece in zip(phones, terrain, strict=False):
        path = f"/api/v1/free/shots/{moved_desk.latest.id}/terrain/removals"
        assert phone.post(path, json={"id": piece}, headers=CHANGE).status_code == 201
    taken = phones[0].post(f"/api/v1/free/shots/{moved_desk.latest.id}/match", json={}, headers=CHANGE)
    assert taken.status_code == 200, taken.text
    entries = {one["by"].get("name"): one["title"] for one in skirmish.session.history() if "errain" in one["title"]}
    assert set(entries) == {"Bru", "Kim"}, skirmish.session.history()
    for name, piece in zip(("Bru", "Kim"), terrain, strict=False):
        assert speak_id(piece, "en") in entries[name] or piece in entries[name]
    moved_desk._use_terrain(game.box.terrain)
    moved_desk._shots, moved_desk._images = shots, images
