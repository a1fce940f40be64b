"""The reach of every kind of movement: random places inside and outside it, against a plain calculation.

The calculation is written apart from the game: floats, straight from the sentence, and a margin in which neither side
is asked. CI tries a few places of each kind, `make reach` 20,000.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from assistant.errors import IllegalStep
from assistant.games.roads.match.flight_steps import Flee
from assistant.games.roads.match.jump_steps import Manoeuvre
from assistant.games.roads.match.melee_steps import Advance, DrawIn
from assistant.games.roads.match.model_steps import Charge, Crawl, MoveModel
from assistant.games.roads.match.shot_steps import ReactToShot
from assistant.games.roads.match.state import Mark, MatchRoads
from assistant.match.chance import Chance

STEP, BASE = 50.0, 25.0
MARGIN = 1e-3
"""Millimetres at a border where the calculation's floats may err; such places are not compared."""

FEW, MANY = 60, 20_000
Place = tuple[float, float]


class Case(NamedTuple):
    """A command at a random place, and how far inside (positive) or outside its reach the calculation puts it."""

    game: MatchRoads
    step: Any
    spare: float


def apart(a: Place, b: Place) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])


def around(rnd: random.Random, center: Place, radius: float) -> Place:
    turn, far = rnd.random() * 2 * math.pi, radius * math.sqrt(rnd.random())
    return round(center[0] + far * math.cos(turn), 3), round(center[1] + far * math.sin(turn), 3)


def on_table(place: Place) -> float:
    return min(place[0], place[1], 1200 - place[0], 900 - place[1])


def clear_of(place: Place, *others: Place) -> float:
    """Return the distance of a base there from touching any of these."""
    return min(apart(place, other) for other in others) - BASE


AT: Place = (600.0, 450.0)
FAR: Place = (1150.0, 850.0)


def standing(roads: ModuleType, phase: str = "move", *more: Any, **own: Any) -> MatchRoads:
    """Return a model in the middle of the table in that phase, and an enemy in the corner."""
    models = roads.fighter("a", "k", *AT, **own), roads.fighter("far", "x", *FAR)
    match = roads.skirmish(*models, *more)
    roads.go_to(match, phase)
    game: MatchRoads = match.game
    return game


def walks(roads: ModuleType) -> Callable[[random.Random], Case]:
    game = standing(roads, walk_steps=4, run_steps=7.5)

    def draw(rnd: random.Random) -> Case:
        how: Any = rnd.choice(("walk", "run"))
        limit = (4 if how == "walk" else 7.5) * STEP
        first, last = around(rnd, AT, limit), around(rnd, AT, 1.3 * limit)
        path = (first,) if rnd.random() < 0.3 else ()
        way = apart(AT, last) if not path else apart(AT, first) + apart(first, last)
        spare = min(limit - way, on_table(last), clear_of(last, FAR))
        return Case(game, MoveModel(figure="a", how=how, path=path, center_mm=last), spare)

    return draw


def charges(roads: ModuleType) -> Callable[[random.Random], Case]:
    enemy: Place = (790.0, 450.0)
    game = standing(roads, "move", roads.fighter("d", "x", *enemy), charge_steps=3.6)

    def draw(rnd: random.Random) -> Case:
        place = around(rnd, enemy, 30)
        spare = min(3.6 * STEP - apart(AT, place), BASE - apart(place, enemy))
        return Case(game, Charge(figure="a", target="d", center_mm=place), spare)

    return draw


def jumps(roads: ModuleType, kind: Any) -> Callable[[random.Random], Case]:
    game = standing(roads, leap=4)

    def draw(rnd: random.Random) -> Case:
        rise = round(rnd.uniform(0, 2), 2) if kind == "leap" else 0.0
        steps = round(rnd.uniform(0.1, {"leap": 4.5, "gap": 1.4, "down": 2.4, "climb": 2.4, "descend": 2.4}[kind]), 2)
        place = around(rnd, AT, {"leap": 3, "gap": 1.4, "down": 1.4, "climb": 1.4, "descend": 1.4}[kind] * STEP)
        far = apart(AT, place) / STEP
        spare = {
            "leap": min(steps - far, 4 - steps - rise),
            "gap": min(steps - far, 1 - steps),
            "down": min(1 - far, 2 - steps),
            "climb": min(1 - far, 2 - steps),
            "descend": min(1 - far, 2 - steps),
        }[kind]
        return Case(game, Manoeuvre(figure="a", kind=kind, steps=steps, rise=rise, center_mm=place), spare * STEP)

    return draw


def draw_ins(roads: ModuleType) -> Callable[[random.Random], Case]:
    """Return a model beside two melees, of which only one is within a step."""
    pairs = {"b": (600.0, 390.0), "c": (625.0, 390.0), "e": (700.0, 300.0), "f": (725.0, 300.0)}
    models = [roads.fighter(name, "k" if name in "be" else "x", *at) for name, at in pairs.items()]
    game = replace(standing(roads, "shoot", *models), phase="melee", to_draw_in=("a",))

    def draw(rnd: random.Random) -> Case:
        place = around(rnd, rnd.choice((AT, pairs["c"], pairs["c"], pairs["f"])), 30)
        own, enemies = apart(AT, place), (pairs["c"],)
        spare = min(max(STEP, apart(AT, pairs["c"]) - BASE) - own, max(BASE - apart(place, one) for one in enemies))
        return Case(game, DrawIn(figure="a", center_mm=place), spare)

    return draw


def advances(roads: ModuleType) -> Callable[[random.Random], Case]:
    game = replace(standing(roads), to_advance=("a",))

    def draw(rnd: random.Random) -> Case:
        place = around(rnd, AT, 1.4 * STEP)
        return Case(game, Advance(figure="a", center_mm=place), STEP - apart(AT, place))

    return draw


def crawls(roads: ModuleType) -> Callable[[random.Random], Case]:
    enemy, mate = (625.0, 450.0), (650.0, 450.0)
    game = standing(roads, "move", roads.fighter("d", "x", *enemy), roads.fighter("b", "k", *mate))
    game = game.with_piece(game.piece("a").marked(Mark.DOWN))

    def draw(rnd: random.Random) -> Case:
        place = around(rnd, AT, 1.4 * STEP)
        beside = apart(place, mate) - BASE + 2  # a measured base may lie 2 mm over another
        spare = min(STEP - apart(AT, place), apart(place, enemy) - apart(AT, enemy), clear_of(place, FAR), beside)
        return Case(game, Crawl(figure="a", center_mm=place), spare)

    return draw


def beside_mates(roads: ModuleType) -> Callable[[random.Random], Case]:
    """Return a walk that ends between two mates and an enemy."""
    mates, enemy = ((660.0, 450.0), (700.0, 470.0)), (680.0, 420.0)
    models = [roads.fighter(f"m{n}", "k", *place) for n, place in enumerate(mates)]
    game = standing(roads, "move", *models, roads.fighter("d", "x", *enemy))

    def draw(rnd: random.Random) -> Case:
        place = around(rnd, (680.0, 450.0), 1.2 * STEP)
        spare = min(*(apart(place, mate) - BASE + 2 for mate in mates), clear_of(place, enemy), clear_of(place, FAR))
        return Case(game, MoveModel(figure="a", center_mm=place), spare)

    return draw


def covers(roads: ModuleType) -> Callable[[random.Random], Case]:
    """Return a low wall half a step to the right: 640 to 700 by 420 to 480 mm; an enemy that shoots from afar."""
    hedge = roads.wall("hedge", 640, 420, 700, 480, height_mm=20, kind="cover")
    match = roads.skirmish(roads.fighter("a", "k", *AT), roads.fighter("s", "x", 100, 450), terrain=(hedge,))
    roads.go_to(match, "shoot", "x")
    game = match.game

    def draw(rnd: random.Random) -> Case:
        place = around(rnd, AT, 1.3 * STEP)
        gap = math.hypot(max(640 - place[0], 0, place[0] - 700), max(420 - place[1], 0, place[1] - 480))
        touches = BASE / 2 + 2 - gap  # a measured place may be 2 mm beside the wall that it touches
        step = ReactToShot(figure="a", shooter="s", how="take cover", rolled_here=False, center_mm=place)
        return Case(game, step, min(STEP - apart(AT, place), touches))

    return draw


def flights(roads: ModuleType) -> Callable[[random.Random], Case]:
    """Straight away from one enemy, the whole of the die. One to the side for ten ahead is still straight."""
    enemy = (500.0, 450.0)
    match = roads.skirmish(
        roads.fighter("a", "k", *AT), roads.fighter("d", "x", *enemy), roads.fighter("b", "k", 50, 50)
    )
    base = match.game.with_piece(match.game.piece("a").marked(Mark.FLEEING))

    def draw(rnd: random.Random) -> Case:
        steps = rnd.randint(1, 6)
        game = replace(base, flights={"a": steps}, fleeing_from={"a": ("d",)})
        aside = rnd.uniform(-0.2, 0.2)
        far = steps * STEP + rnd.uniform(-5, 3)
        place = (round(AT[0] + far * math.cos(aside), 3), round(AT[1] + far * math.sin(aside), 3))
        way, ahead, beside = apart(AT, place), place[0] - AT[0], abs(place[1] - AT[1])
        spare = min(steps * STEP - way, way - steps * STEP + 2, (ahead - 10 * beside) / 10)
        return Case(game, Flee(figure="a", center_mm=place), spare)

    return draw


def edge_runs(roads: ModuleType) -> Callable[[random.Random], Case]:
    """To the upper edge, the nearest: straight up, the whole of the die."""
    start = (600.0, 300.0)
    match = roads.skirmish(
        roads.fighter("a", "k", *start), roads.fighter("d", "x", *FAR), roads.fighter("b", "k", 50, 50)
    )
    base = match.game.with_piece(match.game.piece("a").marked(Mark.FLEEING))

    def draw(rnd: random.Random) -> Case:
        steps = rnd.randint(1, 5)
        game = replace(base, flights={"a": steps})
        aside, far = rnd.uniform(-0.2, 0.2), steps * STEP + rnd.uniform(-5, 3)
        place = (round(start[0] + far * math.sin(aside), 3), round(start[1] - far * math.cos(aside), 3))
        way, ahead, beside = apart(start, place), start[1] - place[1], abs(place[0] - start[0])
        spare = min(steps * STEP - way, way - steps * STEP + 2, (ahead - 10 * beside) / 10)
        return Case(game, Flee(figure="a", center_mm=place), spare)

    return draw


def jump_attacks(roads: ModuleType) -> Callable[[random.Random], Case]:
    """Within a step of the landing, between the bases."""
    enemy = (700.0, 450.0)
    game = standing(roads, "move", roads.fighter("d", "x", *enemy), leap=4)

    def draw(rnd: random.Random) -> Case:
        place = around(rnd, AT, 3 * STEP)
        spare = min(STEP - max(0.0, apart(place, enemy) - BASE), 3 * STEP - apart(AT, place))
        return Case(game, Manoeuvre(figure="a", kind="leap", steps=3, rise=1, center_mm=place, target="d"), spare)

    return draw


KINDS: dict[str, Callable[[ModuleType], Callable[[random.Random], Case]]] = {
    "walk and run": walks,
    "charge": charges,
    "leap": lambda roads: jumps(roads, "leap"),
    "gap": lambda roads: jumps(roads, "gap"),
    "jump down": lambda roads: jumps(roads, "down"),
    "climb": lambda roads: jumps(roads, "climb"),
    "descent": lambda roads: jumps(roads, "descend"),
    "jump attack": jump_attacks,
    "drawing in": draw_ins,
    "advance": advances,
    "crawl": crawls,
    "beside mates": beside_mates,
    "take cover": covers,
    "flight": flights,
    "run to the edge": edge_runs,
}


def is_allowed(case: Case) -> bool:
    step = case.step.settle(case.game, Chance("what if"))
    try:
        step.check(case.game)
    except IllegalStep:
        return False
    return True


def compare(roads: ModuleType, kind: str, count: int, seed: int) -> tuple[int, int]:
    """Check that each place is allowed or refused by the calculation; return the numbers inside and outside."""
    rnd, draw = random.Random(f"{kind} {seed}"), KINDS[kind](roads)
    inside = outside = 0
    while inside + outside < count:
        case = draw(rnd)
        if abs(case.spare) < MARGIN:
            continue
        assert is_allowed(case) is (case.spare > 0), f"{kind}: {case.step}, spare {case.spare}"
        inside, outside = inside + (case.spare > 0), outside + (case.spare < 0)
    return inside, outside


@pytest.mark.parametrize("kind", KINDS)
def test_places_in_reach_are_allowed_and_others_refused(roads: ModuleType, kind: str) -> None:
    inside, outside = compare(roads, kind, FEW, 1)
    assert min(inside, outside) > FEW // 20, "both sides of the border were tried"


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_twenty_thousand_places_of_each_kind(roads: ModuleType, kind: str) -> None:
    assert sum(compare(roads, kind, MANY, 2)) == MANY


def test_a_place_beside_the_reach_would_be_noticed(roads: ModuleType) -> None:
    """The calculation and the game differ where the game measures with a longer step."""
    draw = advances(roads)
    case = next(one for one in (draw(random.Random(i)) for i in range(100)) if -5 < one.spare < -1)
    longer = replace(case.game, options={**case.game.options, "step_length": "2_inches"})
    assert is_allowed(case._replace(game=longer)) or case.spare < -0.8 - MARGIN
    assert not is_allowed(case)
