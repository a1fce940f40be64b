"""Watch, camouflage, ambush, climbs and jumps of “Дороги Апокалипсиса” by the letter: each test quotes its sentence."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep
from assistant.games.roads.match.model_steps import Watch
from assistant.match.actor import JUDGE
from assistant.match.audience import PUBLIC


def refused_by(caught: Any) -> str:
    rule = caught.value.rule
    assert rule is not None, f"no rule is named: {caught.value}"
    assert rule.source
    return str(rule.id)


def prompts(match: Any, type_: str) -> list[dict[str, Any]]:
    return [prompt for prompt in match.session.view(PUBLIC)["prompts"] if prompt["type"] == type_]


# Дозор


def watched(roads: ModuleType, *more: Any, terrain: Any = (), **sheet: Any) -> Any:
    """Return a knight on watch, and the diggers' movement phase."""
    match = roads.skirmish(
        roads.fighter("guard", "knights", 300, 300),
        roads.fighter("runner", "diggers", 700, 300, **sheet),
        *more,
        terrain=terrain,
    )
    match.do("watch", figure="guard")
    roads.go_to(match, "move", "diggers")
    return match


def test_a_watch_shoots_before_after_and_in_the_middle_of_a_move(roads: ModuleType) -> None:
    """«…боец может стрелять в цель до, или после ее движения, или в любой другой момент движения.»"""
    match = watched(roads)
    match.do("move", figure="runner", path=[[700, 500], [600, 500]])
    assert match.game.piece("runner").center_mm == (700, 300), "the move is not over"
    moments = [prompt["fields"]["moment"] for prompt in prompts(match, "shoot")]
    assert moments == [0, 1, 2], "as it starts to move, half way, at the end; any other moment may be named"
    with pytest.raises(IllegalStep, match="on its way"):
        match.do("next")
    match.do("shoot", figure="guard", target="runner", moment=1.25, hits=1)
    assert match.game.piece("runner").center_mm == (675, 500), "a quarter of the second leg"
    match.do("wound", figure="runner", wounds=1)
    match.do("go_on")
    assert match.game.piece("runner").center_mm == (600, 500)
    assert "watch" not in roads.marks(match, "guard"), "«Как только боец в дозоре пострелял, уберите маркер дозора.»"


@pytest.mark.parametrize(("told", "on_table"), [({"down": True}, True), ({"out": True}, False)])
def test_a_move_stopped_by_a_watch_ends_where_the_shot_hit(
    roads: ModuleType, told: dict[str, bool], on_table: bool
) -> None:
    """«Дозор очень полезен для стрельбы по врагам, которые перебегают от укрытия к укрытию…»"""
    match = watched(roads, roads.fighter("other", "diggers", 900, 800))
    match.do("move", figure="runner", how="run", center_mm=[500, 300])
    match.do("shoot", figure="guard", target="runner", moment=0.5, hits=1)
    match.do("wound", figure="runner", **told)
    assert match.game.moving is None
    runner = match.game.piece("runner")
    assert runner.on_table is on_table
    assert not on_table or runner.center_mm == (600, 300)
    match.do("next")


def test_a_watch_stops_a_charge_on_its_way_at_minus_one(roads: ModuleType) -> None:
    """«Этот же модификатор -1 на Попадание при стрельбе используется, если враг таранит дозорного, заставляя его
    нервничать.
    Помните, что модели стоящие в дозоре, могут стрелять по нападающим в любое время в течение хода противника…»
    """
    match = watched(roads)
    match.do("charge", figure="runner", target="guard")
    assert match.game.opponents_of("guard") == ()
    with pytest.raises(IllegalStep, match="is fighting"):
        match.do("shoot", figure="guard", target="runner", moment=1)
    guide = match.session.guide({"attacker": "guard", "defender": "runner"}, PUBLIC)
    assert "roads/watch" in [step["rule"] for step in guide["sight"]]
    match.do("react", figure="runner", shooter="guard", how="duck", moment=0.5, rolled_here=False, roll=3)
    with pytest.raises(IllegalStep, match="7 against 6") as caught:
        match.do("shoot", figure="guard", target="runner", hits=1, total=7)
    assert refused_by(caught) == "roads/duck"
    receipt = match.do("shoot", figure="guard", target="runner", hits=1, total=8)
    assert "on overwatch, at -1 to hit" in str(receipt.title.worded("en"))
    match.do("wound", figure="runner", wounds=1)
    match.do("go_on")
    assert match.game.opponents_of("guard") == ("runner",)
    assert "charged" in roads.marks(match, "runner")


def test_a_charge_after_its_fear_test_is_watched_as_well(roads: ModuleType) -> None:
    match = watched(roads, fear=True)
    match.do("charge", figure="runner", target="guard")
    roads.roll(match, 6)
    assert "afraid" in roads.marks(match, "guard")
    assert match.game.moving is not None
    match.do("shoot", figure="guard", target="runner", moment=0)
    match.do("go_on")
    assert match.game.opponents_of("guard") == ("runner",)


def test_a_watch_is_declared_at_the_start_of_the_turn_and_takes_all_of_it(roads: ModuleType) -> None:
    """«Пешие воины могут встать в дозор в начале своего хода.» «Воин не может маскироваться, но может оставаться
    замаскированным, если он начал свой ход замаскированным.»
    """
    match = roads.skirmish(roads.fighter("guard", "knights", 300, 300), roads.fighter("far", "diggers", 1000, 800))
    roads.go_to(match, "move")
    for first in ({"type_": "manoeuvre", "kind": "down", "steps": 1}, {"type_": "hide"}):
        match.do(figure="guard", **first)
        roads.roll(match, *[1] * len(match.game.due))
        with pytest.raises(IllegalStep, match="at the start of the turn") as caught:
            match.do("watch", figure="guard")
        assert refused_by(caught) == "roads/watch"
    roads.go_to(match, "start", "diggers")
    roads.go_to(match, "start", "knights")
    match.do("watch", figure="guard")
    assert {"watch", "camouflaged"} <= roads.marks(match, "guard")


def test_taking_cover_from_a_watch_ends_a_move(roads: ModuleType) -> None:
    """«Если боец залег, то он больше не может производить больше никаких действий до конца этого хода…»"""
    match = watched(roads)
    match.do("move", figure="runner", center_mm=[500, 300])
    match.do("react", figure="runner", shooter="guard", how="take cover", moment=0.5, rolled_here=False, roll=6)
    match.do("shoot", figure="guard", target="runner", total=1)
    assert match.game.piece("runner").center_mm == (600, 300)
    assert {"prone", "moved"} <= roads.marks(match, "runner")
    for deed in ({"type_": "hide"}, {"type_": "manoeuvre", "kind": "down", "steps": 1}):
        with pytest.raises(IllegalStep, match="only shoots this turn") as caught:
            match.do(figure="runner", **deed)
        assert refused_by(caught) == "roads/take-cover"


@pytest.mark.parametrize(("options", "change"), [({}, 0), ({"watch_minus1": "always"}, -1)])
def test_a_shot_on_watch_at_a_steady_target_suffers_as_the_house_says(
    roads: ModuleType, options: dict[str, str], change: int
) -> None:
    match = roads.skirmish(
        roads.fighter("guard", "knights", 300, 300), roads.fighter("b", "diggers", 700, 300), options=options
    )
    match.do("watch", figure="guard")
    roads.go_to(match, "move", "diggers")
    match.do("shoot", figure="guard", target="b")
    assert match.session.timeline.done.event.command.change == change


def test_a_watch_shoots_at_a_hiding_model_at_minus_one(roads: ModuleType) -> None:
    """«…специальный модификатор -1 на Попадание при стрельбе по появляющимся или исчезающим целям во время дозора. Это
    относится к таким воинам, которые выходят из замаскированного положения, или пытаются замаскироваться…»
    """
    match = watched(roads)
    match.do("hide", figure="runner")
    assert "camouflaged" not in roads.marks(match, "runner")
    match.do("shoot", figure="guard", target="runner", hits=0)
    assert match.session.timeline.done.event.command.change == -1
    match.do("go_on")
    assert "camouflaged" in roads.marks(match, "runner")


def test_a_model_out_of_hiding_is_a_fleeting_target(roads: ModuleType) -> None:
    match = roads.skirmish(roads.fighter("guard", "knights", 300, 300), roads.fighter("sneak", "diggers", 700, 300))
    roads.go_to(match, "move", "diggers")
    match.do("hide", figure="sneak")
    roads.go_to(match, "start", "knights")
    match.do("watch", figure="guard")
    roads.go_to(match, "move", "diggers")
    match.do("found", figure="sneak")
    match.do("shoot", figure="guard", target="sneak")
    assert match.session.timeline.done.event.command.change == -1


def test_a_watch_sees_from_where_the_mover_is(roads: ModuleType) -> None:
    """«Боец в дозоре может стрелять только в ту цель, которая попадает в радиус видимости модели.»"""
    screen = roads.wall("screen", 480, 200, 520, 400)
    match = watched(roads, terrain=(screen,))
    match.do("move", figure="runner", path=[[700, 600], [600, 600]])
    with pytest.raises(IllegalStep, match="does not see") as caught:
        match.do("shoot", figure="guard", target="runner", moment=0)
    assert refused_by(caught) == "roads/line-of-sight"
    match.do("shoot", figure="guard", target="runner", moment=1)
    with pytest.raises(IllegalStep, match="only a model on overwatch"):
        match.do("shoot", figure="guard", target="runner", moment=2)


def test_nobody_is_shot_at_where_he_has_passed(roads: ModuleType) -> None:
    match = watched(roads, roads.fighter("third", "knights", 300, 800))
    match.do("undo", to=2)
    for name in ("guard", "third"):
        match.do("watch", figure=name)
    roads.go_to(match, "move", "diggers")
    match.do("move", figure="runner", center_mm=[500, 300])
    match.do("shoot", figure="guard", target="runner", moment=0.75)
    for moment in (0.5, 1.5):
        with pytest.raises(IllegalStep, match="has passed that place") as caught:
            match.do("shoot", figure="third", target="runner", moment=moment)
        assert refused_by(caught) == "roads/watch"
    match.do("shoot", figure="third", target="runner", moment=0.75)


def test_a_watch_stops_a_jump_as_well(roads: ModuleType) -> None:
    """«…или в любой другой момент движения.»"""
    match = watched(roads, leap=6)
    match.do("manoeuvre", figure="runner", kind="leap", steps=4, rise=2, fall_steps=2, center_mm=[500, 300])
    assert match.game.due == ()
    match.do("shoot", figure="guard", target="runner", moment=0.5, hits=1)
    assert match.game.piece("runner").center_mm == (600, 300), "in the air"
    match.do("wound", figure="runner", wounds=1)
    match.do("go_on")
    assert match.game.piece("runner").center_mm == (700, 300), "«…воин падает с того места, откуда прыгал»"
    roads.roll(match, 1, 1)
    assert match.game.piece("runner").center_mm == (500, 300)


def test_a_jump_that_a_watch_has_stopped_is_over(roads: ModuleType) -> None:
    match = watched(roads, leap=6)
    match.do("manoeuvre", figure="runner", kind="leap", steps=4, rise=2, fall_steps=2, center_mm=[500, 300])
    match.do("shoot", figure="guard", target="runner", moment=1, hits=1)
    match.do("wound", figure="runner", down=True)
    assert (match.game.moving, match.game.leaping, match.game.due) == (None, None, ())


# Тупость


def test_a_stupid_model_shuffles_straight_on_at_half_speed_into_no_contact(roads: ModuleType) -> None:
    """«Воин, волоча ноги, двигается прямо вперёд с половинной скоростью. Он не может атаковать врага…»"""
    match = roads.skirmish(
        roads.fighter("ogre", "knights", 300, 300, stupid=True, walk_steps=4, spirit=2),
        roads.fighter("enemy", "diggers", 400, 300),
    )
    roads.roll(match, 6, 3)
    match.do("next")
    wrong = {
        "straight on": {"path": [[300, 320], [340, 320]]},
        "at most 2 steps": {"center_mm": [300, 401]},
        "stops a step before": {"center_mm": [375, 300]},
    }
    for told, fields in wrong.items():
        with pytest.raises(IllegalStep, match=told) as caught:
            match.do("move", figure="ogre", **fields)
        assert refused_by(caught) == "roads/stupidity"
    match.do("move", figure="ogre", center_mm=[300, 400])


def test_a_stupid_model_may_not_leave_out_its_shuffle(roads: ModuleType) -> None:
    """«1-3 Воин, волоча ноги, двигается прямо вперёд с половинной скоростью.»"""
    match = roads.skirmish(
        roads.fighter("ogre", "knights", 300, 300, stupid=True, walk_steps=4, spirit=2),
        roads.fighter("enemy", "diggers", 600, 300),
    )
    roads.roll(match, 6, 3)
    match.do("next")
    asked = [prompt for prompt in match.session.view(PUBLIC)["prompts"] if prompt["fields"].get("figure") == "ogre"]
    assert [prompt["type"] for prompt in asked] == ["move"]
    with pytest.raises(IllegalStep, match="must shuffle on") as caught:
        match.do("next")
    assert refused_by(caught) == "roads/stupidity"
    for short in ({}, {"center_mm": [350, 300]}, {"center_mm": [397, 300]}):
        with pytest.raises(IllegalStep, match="2 steps in all: nothing is in its way yet") as caught:
            match.do("move", figure="ogre", **short)
        assert refused_by(caught) == "roads/stupidity"
    match.do("move", figure="ogre", center_mm=[399, 300])
    match.do("next")
    assert match.game.phase == "shoot"


@pytest.mark.parametrize(
    ("start", "end"),
    [((300, 300), [340, 300]), ((200, 60), [200, 30]), ((300, 300), None), ((200, 60), None)],
    ids=["before a wall", "at the edge of the table", "beside a wall", "beside the edge of the table"],
)
def test_a_shuffle_ends_where_something_is_in_its_way(
    roads: ModuleType, start: tuple[int, int], end: list[int] | None
) -> None:
    """«Он может упасть с края обрыва … или наткнуться на препятствие, в каковом случае упирается в него и
    останавливается.»
    """
    match = roads.skirmish(
        roads.fighter("ogre", "knights", *start, stupid=True, walk_steps=4, spirit=2),
        roads.fighter("enemy", "diggers", 900, 300),
        terrain=(roads.wall("wall", 353, 0, 360, 600),),
    )
    roads.roll(match, 6, 3)
    match.do("next")
    match.do("move", figure="ogre", **({} if end is None else {"center_mm": end}))
    match.do("next")
    assert match.game.phase == "shoot"


def test_a_stupid_model_that_stands_drooling_or_fights_has_nothing_to_shuffle(roads: ModuleType) -> None:
    """«4-6 Воин стоит, не двигаясь…»; «Если существо, не прошедшее тест на Тупость, не занято в ближнем бою, бросьте
    D6.»
    """
    for enemy_x, rolls in ((600, (6, 4)), (325, (6,))):
        match = roads.skirmish(
            roads.fighter("ogre", "knights", 300, 300, stupid=True, walk_steps=4, spirit=2),
            roads.fighter("enemy", "diggers", enemy_x, 300),
        )
        roads.roll(match, *rolls)
        match.do("next")
        match.do("next")
        assert match.game.phase == "shoot"


def test_a_stupid_model_stops_a_step_before_an_enemy_in_its_way(roads: ModuleType) -> None:
    """«…остановите движение на расстоянии одного шага от врага, если оно приводит к касанию…»"""
    match = roads.skirmish(
        roads.fighter("ogre", "knights", 300, 300, stupid=True, walk_steps=6, spirit=2),
        roads.fighter("enemy", "diggers", 425, 300),
    )
    roads.roll(match, 6, 3)
    match.do("next")
    with pytest.raises(IllegalStep, match="stops a step before") as caught:
        match.do("move", figure="ogre", center_mm=[360, 300])
    assert refused_by(caught) == "roads/stupidity"
    with pytest.raises(IllegalStep, match="nothing is in its way yet"):
        match.do("move", figure="ogre", center_mm=[340, 300])
    match.do("move", figure="ogre", center_mm=[350, 300])
    match.do("undo")
    match.do("move", figure="ogre", center_mm=[300, 450])


def test_a_stupid_model_neither_watches_leaps_nor_hides(roads: ModuleType) -> None:
    """«До начала следующего своего хода … существо не может стрелять…» «Воин, волоча ноги, двигается прямо вперёд с
    половинной скоростью.»
    """
    match = roads.skirmish(
        roads.fighter("ogre", "knights", 300, 300, stupid=True, leap=4, spirit=2),
        roads.fighter("enemy", "diggers", 900, 300),
    )
    roads.roll(match, 6, 3)
    with pytest.raises(IllegalStep, match="shuffles on or stands"):
        match.do("watch", figure="ogre")
    match.do("next")
    for deed in ({"type_": "manoeuvre", "kind": "leap", "steps": 3}, {"type_": "hide"}):
        with pytest.raises(IllegalStep, match="shuffles on or stands") as caught:
            match.do(figure="ogre", **deed)
        assert refused_by(caught) == "roads/stupidity"


# Маскировка


@pytest.mark.parametrize(
    ("x", "kind", "hides"),
    [(460, "wall", True), (460, "difficult", True), (460, "gap", False), (600, "wall", False)],
)
def test_a_model_hides_beside_cover_and_not_in_the_open(roads: ModuleType, x: int, kind: str, hides: bool) -> None:
    """«Воин может замаскироваться, если он завершает движение возле низкой стены, колонны, камня, угла здания,
    обломков или любого подобного места, где действительно можно замаскироваться.»
    """
    match = roads.skirmish(
        roads.fighter("sneak", "knights", x, 300),
        roads.fighter("far", "diggers", 1100, 800),
        terrain=(roads.wall("ruin", 350, 250, 400, 350, kind=kind, height_mm=60 if kind == "wall" else 0),),
    )
    roads.go_to(match, "move")
    if hides:
        match.do("hide", figure="sneak")
        return
    with pytest.raises(IllegalStep, match="beside nothing") as caught:
        match.do("hide", figure="sneak")
    assert refused_by(caught) == "roads/camouflage"


def test_a_model_hides_as_it_ends_its_move_and_not_after_it_has_shot(roads: ModuleType) -> None:
    """«Воин может замаскироваться, если он завершает движение возле низкой стены…»"""
    match = roads.skirmish(roads.fighter("sneak", "knights", 300, 300), roads.fighter("far", "diggers", 900, 300))
    roads.go_to(match, "shoot")
    match.do("shoot", figure="sneak", target="far")
    with pytest.raises(IllegalStep, match="in the movement phase") as caught:
        match.do("hide", figure="sneak")
    assert refused_by(caught) == "roads/camouflage"


def test_a_hidden_model_is_found_within_half_the_mobility_at_once(roads: ModuleType) -> None:
    """«…воин, чья Подвижность имеет значение 4, автоматически обнаруживает замаскированных противников в радиусе
    двух шагов
    от себя.»
    """
    match = roads.skirmish(roads.fighter("sneak", "knights", 300, 300), roads.fighter("nose", "diggers", 700, 300))
    roads.go_to(match, "move", "knights")
    match.do("hide", figure="sneak")
    roads.go_to(match, "move", "diggers")
    match.do("move", figure="nose", center_mm=[425.5, 300])
    assert "camouflaged" in roads.marks(match, "sneak"), "half a millimetre too far"
    match.do("undo")
    match.do("move", figure="nose", center_mm=[425, 300])
    assert "camouflaged" not in roads.marks(match, "sneak")
    told = match.session.view(PUBLIC)["noticed"]
    assert [(each["figure"], each["by"], each["why"][0]["rule"]) for each in told] == [
        ("sneak", "nose", "roads/camouflage")
    ]


def test_a_passing_enemy_finds_a_hidden_model(roads: ModuleType) -> None:
    match = roads.skirmish(roads.fighter("sneak", "knights", 300, 300), roads.fighter("nose", "diggers", 700, 350))
    roads.go_to(match, "move", "knights")
    match.do("hide", figure="sneak")
    roads.go_to(match, "move", "diggers")
    match.do("move", figure="nose", center_mm=[50, 350])
    assert match.game.noticed == (("sneak", "nose"),)


def test_the_camera_finds_a_hidden_model_as_well(roads: ModuleType) -> None:
    match = roads.skirmish(roads.fighter("sneak", "knights", 300, 300), roads.fighter("nose", "diggers", 700, 350))
    roads.go_to(match, "move", "knights")
    match.do("hide", figure="sneak")
    match.do("place", figure="nose", center_mm=[400, 300])
    assert match.game.noticed == (("sneak", "nose"),)


def test_a_model_moving_in_plain_view_is_no_longer_hidden(roads: ModuleType) -> None:
    """«Если замаскированный воин стреляет или движется так, что его видно, то он больше не считается
    замаскированным…»; «Воин
    … так же может скрытно двигаться за укрытием.»
    """
    ruin = roads.wall("ruin", 400, 200, 420, 420)
    match = roads.skirmish(
        roads.fighter("sneak", "knights", 385, 300), roads.fighter("eye", "diggers", 800, 300), terrain=(ruin,)
    )
    roads.go_to(match, "move", "knights")
    match.do("hide", figure="sneak")
    roads.go_to(match, "move", "diggers")
    roads.go_to(match, "move", "knights")
    match.do("move", figure="sneak", path=[[385, 350]])
    assert "camouflaged" in roads.marks(match, "sneak"), "it keeps behind the ruin"
    match.do("undo")
    match.do("move", figure="sneak", path=[[385, 190], [420, 170]])
    assert match.game.noticed == (("sneak", "eye"),)


def test_an_enemy_that_comes_round_the_cover_finds_a_hidden_model(roads: ModuleType) -> None:
    """«Если враг двигается и, безусловно, замечает замаскированную модель, то она немедленно становится видимой…»"""
    ruin = roads.wall("ruin", 400, 200, 420, 420)
    match = roads.skirmish(
        roads.fighter("sneak", "knights", 385, 300), roads.fighter("eye", "diggers", 800, 300), terrain=(ruin,)
    )
    roads.go_to(match, "move", "knights")
    match.do("hide", figure="sneak")
    roads.go_to(match, "move", "diggers")
    match.do("move", figure="eye", center_mm=[800, 400])
    assert "camouflaged" in roads.marks(match, "sneak")
    match.do("undo")
    match.do("move", figure="eye", path=[[600, 800], [200, 600]])
    assert match.game.noticed == (("sneak", "eye"),)


# Стрельба из засады


@pytest.mark.parametrize(
    ("silent", "kills", "hidden"),
    [(True, True, True), (True, False, False), (False, True, False), (False, False, False)],
)
def test_an_ambush_stays_hidden_only_if_the_shot_is_silent_and_kills(
    roads: ModuleType, silent: bool, kills: bool, hidden: bool
) -> None:
    """«Воин, будучи замаскированным, может остаться после выстрела незамеченным, если соблюдаются данные условия:
    1) Цель
    погибает сразу после выстрела … 2) Стрельба ведется из тихих видов оружия…»
    """
    match = roads.skirmish(
        roads.fighter("sneak", "knights", 300, 300),
        roads.fighter("victim", "diggers", 700, 300),
        roads.fighter("witness", "diggers", 800, 400),
    )
    roads.go_to(match, "move", "knights")
    match.do("hide", figure="sneak")
    roads.go_to(match, "shoot", "knights")
    match.do("shoot", figure="sneak", target="victim", hits=1, silent=silent)
    assert ("camouflaged" in roads.marks(match, "sneak")) is silent, "nobody knows yet whether it kills"
    match.do("wound", figure="victim", **({"out": True} if kills else {"wounds": 1}))
    assert ("camouflaged" in roads.marks(match, "sneak")) is hidden
    assert [due.kind for due in match.game.due] == (["ambush"] if hidden else [])
    if hidden:
        roads.roll(match, 4)
        assert "camouflaged" not in roads.marks(match, "sneak"), "«Если хотя бы один тест пройден…»"


def test_a_bow_is_silent_by_itself(roads: ModuleType) -> None:
    match = roads.skirmish(
        roads.fighter("sneak", "knights", 300, 300, weapons=["bow"]),
        roads.fighter("victim", "diggers", 700, 300), roads.fighter("witness", "diggers", 800, 400),
        arms={"bow": {"kind": "bulky", "silent": True}},
    )  # fmt: skip
    roads.go_to(match, "move", "knights")
    match.do("hide", figure="sneak")
    roads.go_to(match, "shoot", "knights")
    match.do("shoot", figure="sneak", target="victim", weapon="bow", hits=1, kills=True)
    assert "camouflaged" in roads.marks(match, "sneak")


# Лазание, Падение: three different things


def climber(roads: ModuleType, **sheet: Any) -> Any:
    match = roads.skirmish(
        roads.fighter("climber", "knights", 300, 300, **sheet),
        roads.fighter("enemy", "diggers", 700, 300),
        terrain=(roads.wall("rock", 312.5, 200, 500, 400, height_mm=200),),
    )
    roads.go_to(match, "move")
    return match


def test_a_failed_climb_stops_the_model_and_it_may_shoot(roads: ModuleType) -> None:
    """«Если тест провален, модель не может двигаться в этот ход.»"""
    match = climber(roads)
    match.do("manoeuvre", figure="climber", kind="climb", steps=2)
    roads.roll(match, 5)
    for command in ({"type_": "move"}, {"type_": "manoeuvre", "kind": "climb"}, {"type_": "charge", "target": "enemy"}):
        with pytest.raises(IllegalStep, match="stay in place"):
            match.do(figure="climber", **command)
    match.do("hide", figure="climber")
    roads.go_to(match, "shoot")
    match.do("place", figure="climber", center_mm=[600, 300])
    match.do("shoot", figure="climber", target="enemy")


def test_a_fallen_model_neither_moves_nor_hides_and_may_shoot(roads: ModuleType) -> None:
    """«Упавший боец не может больше двигаться или прятаться в этот ход.»; «Если тест не пройден при спуске вниз,
    воин падает
    с того места, где начинал движение…»
    """
    match = climber(roads)
    match.do("manoeuvre", figure="climber", kind="descend", steps=1.5)
    roads.roll(match, 6)
    assert [(due.kind, due.steps) for due in match.game.due] == [("fall", 2)], "a started step counts, a D3 each"
    roads.roll(match, 1, 6)
    assert match.game.piece("climber").harm == 1 + 3
    with pytest.raises(IllegalStep, match="moves no more") as caught:
        match.do("move", figure="climber")
    assert refused_by(caught) == "roads/fall"
    with pytest.raises(IllegalStep, match="does not hide"):
        match.do("hide", figure="climber")
    roads.go_to(match, "shoot")
    match.do("place", figure="climber", center_mm=[600, 300])
    match.do("shoot", figure="climber", target="enemy")


def test_a_rallied_model_does_nothing_this_turn(roads: ModuleType) -> None:
    """«Если он прошел его, он останавливается, но ничего не может делать в этот ход.»"""
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300), roads.fighter("b", "diggers", 400, 300, terror=True)
    )
    roads.roll(match, 5, 1)
    match.do("flee", figure="a")
    roads.go_to(match, "melee", "diggers")
    match.do("next")
    assert match.game.due[0].kind == "rally"
    roads.roll(match, 1)
    while match.game.due:
        roads.roll(match, 1)
    roads.go_to(match, "move", "knights")
    for command in ({"type_": "move"}, {"type_": "hide"}):
        with pytest.raises(IllegalStep, match="can do nothing"):
            match.do(figure="a", **command)
    roads.go_to(match, "shoot", "knights")
    with pytest.raises(IllegalStep, match="can do nothing"):
        match.do("shoot", figure="a", target="b")


def test_a_climb_is_half_the_mobility_in_a_phase_and_the_whole_in_all(roads: ModuleType) -> None:
    """«Она может лазать на расстояние, равное половине её Подвижности … за одну фазу передвижения (но не может
    бежать во время
    лазания). … Если высота больше, чем Подвижность, воин не может одолеть её.»
    """
    match = climber(roads, mobility=5)
    refusals = [
        ({"steps": 2.5, "height": 5.5}, "cannot climb higher than 5"),
        ({"steps": 3, "height": 5}, "at most 2.5 steps more"),
        ({"steps": 2, "terrain": "cliff"}, "does not touch"),
    ]
    for fields, told in refusals:
        with pytest.raises(IllegalStep, match=told) as caught:
            match.do("manoeuvre", figure="climber", kind="climb", **fields)
        assert refused_by(caught) == "roads/climb"
    match.do("manoeuvre", figure="climber", kind="climb", steps=1.5, height=5, terrain="rock")
    roads.roll(match, 5)
    with pytest.raises(IllegalStep, match="at most 1 step more"):
        match.do("manoeuvre", figure="climber", kind="climb", steps=1.5, height=5)
    with pytest.raises(IllegalStep, match="does not run"):
        match.do("move", figure="climber", how="run")
    match.do("move", figure="climber")


def test_the_house_may_let_a_climb_go_the_whole_mobility(roads: ModuleType) -> None:
    match = roads.skirmish(
        roads.fighter("climber", "knights", 300, 300), roads.fighter("enemy", "diggers", 700, 300),
        options={"climb_limit": "mobility_only"},
    )  # fmt: skip
    roads.go_to(match, "move")
    match.do("manoeuvre", figure="climber", kind="climb", steps=4)


def test_animals_do_not_climb(roads: ModuleType) -> None:
    """«Любой воин (за исключением животных и многих механизмов) может лазить…»"""
    match = climber(roads, climbs=False)
    with pytest.raises(IllegalStep, match="does not climb"):
        match.do("manoeuvre", figure="climber", kind="climb", steps=1)


def test_too_little_movement_before_a_gap_is_a_fall_without_a_test(roads: ModuleType) -> None:
    """«Если ваш боец не имеет достаточного запаса передвижения, чтобы допрыгнуть до дальнего края, она автоматически
    падает.»
    """
    match = climber(roads)
    match.do("manoeuvre", figure="climber", kind="gap", steps=1, left=0.5, fall_steps=2)
    assert [due.kind for due in match.game.due] == ["fall"]
    roads.roll(match, 1, 1)
    assert match.game.piece("climber").harm == 2


def jumper(roads: ModuleType, **sheet: Any) -> Any:
    """Return a model that walks 4 steps, runs 8 and charges 8, in its movement phase."""
    lengths = {"walk_steps": 4, "run_steps": 8, "charge_steps": 8, **sheet}
    match = roads.skirmish(
        roads.fighter("jumper", "knights", 300, 300, **lengths), roads.fighter("far", "diggers", 1000, 300)
    )
    roads.go_to(match, "move")
    return match


def jump(roads: ModuleType, match: Any, kind: str, x: float, **more: Any) -> None:
    match.do("manoeuvre", figure="jumper", kind=kind, center_mm=[x, 300], **more)
    roads.roll(match, *[1] * len(match.game.due))


def test_a_jump_down_comes_at_any_moment_and_takes_nothing_off_the_movement(roads: ModuleType) -> None:
    """«Ваш боец может прыгать с возвышений … в любой момент во время своей фазы передвижения.» «Если тест пройден,
    модель может продолжать свое движение как обычно (расстояние, покрытое во время прыжка вниз, не отнимается от
    дистанции передвижения модели).»
    """
    match = jumper(roads)
    match.do("move", figure="jumper", center_mm=[400, 300])
    with pytest.raises(IllegalStep, match="has moved already"):
        match.do("move", figure="jumper", center_mm=[450, 300])
    jump(roads, match, "down", 425, steps=1)
    with pytest.raises(IllegalStep, match="at most 2 steps"):
        match.do("move", figure="jumper", center_mm=[530, 300])
    match.do("move", figure="jumper", center_mm=[525, 300])
    assert match.game.piece("jumper").center_mm == (525, 300)


def test_the_width_of_a_gap_is_taken_off_the_movement(roads: ModuleType) -> None:
    """«Вычтите расстояние, на которое прыгает боец, из пройденной дистанции…»"""
    match = jumper(roads)
    jump(roads, match, "gap", 350, steps=1)
    with pytest.raises(IllegalStep, match="at most 3 steps"):
        match.do("move", figure="jumper", center_mm=[550, 300])
    match.do("move", figure="jumper", center_mm=[500, 300])


def test_a_model_that_ran_too_far_falls_into_the_gap(roads: ModuleType) -> None:
    """«Если ваш боец не имеет достаточного запаса передвижения, чтобы допрыгнуть до дальнего края, она автоматически
    падает.»
    """
    match = jumper(roads)
    match.do("move", figure="jumper", how="run", center_mm=[675, 300])
    match.do("manoeuvre", figure="jumper", kind="gap", steps=1, fall_steps=1)
    assert [due.kind for due in match.game.due] == ["fall"], "half a step was left"


def test_a_jump_comes_off_the_length_of_its_charge(roads: ModuleType) -> None:
    """«Также она может совершать прыжок как часть атаки или бега.»"""
    match = jumper(roads, charge_steps=13.5)
    jump(roads, match, "gap", 350, steps=1)
    with pytest.raises(IllegalStep, match=r"at most 12\.5 steps"):
        match.do("charge", figure="jumper", target="far", path=[[350, 310]])
    match.do("charge", figure="jumper", target="far")
    assert match.game.opponents_of("jumper") == ("far",)


def test_a_model_that_ran_to_a_jump_neither_charges_nor_shoots_after_it(roads: ModuleType) -> None:
    """«Модель может прыгнуть через яму и выстрелить после этого, если она не бежит.»"""
    match = jumper(roads, charge_steps=None)
    match.do("move", figure="jumper", how="run", center_mm=[500, 300])
    jump(roads, match, "gap", 550, steps=1)
    with pytest.raises(IllegalStep, match="runs this turn and does not charge") as caught:
        match.do("charge", figure="jumper", target="far")
    assert refused_by(caught) == "roads/into-contact"
    with pytest.raises(IllegalStep, match="at most 3 steps"):
        match.do("move", figure="jumper", center_mm=[701, 300])
    match.do("move", figure="jumper", center_mm=[700, 300])
    roads.go_to(match, "shoot")
    with pytest.raises(IllegalStep, match="ran or is on overwatch"):
        match.do("shoot", figure="jumper", target="far")


def test_a_climb_takes_two_of_the_movement_a_step_and_the_rest_is_walked(roads: ModuleType) -> None:
    """«…один шаг по вертикальной поверхности равен двум шагам по горизонтали…» «Оставшееся передвижение может быть
    использовано обычным образом.»
    """
    match = jumper(roads)
    jump(roads, match, "climb", 300, steps=1)
    with pytest.raises(IllegalStep, match="does not run"):
        match.do("move", figure="jumper", how="run", center_mm=[400, 300])
    with pytest.raises(IllegalStep, match="at most 2 steps"):
        match.do("move", figure="jumper", center_mm=[405, 300])
    match.do("move", figure="jumper", center_mm=[400, 300])


def test_a_climb_starts_where_the_model_stood_when_its_movement_phase_began(roads: ModuleType) -> None:
    """«Боец должен касаться того, по чему собирается лезть, в начале фазы передвижения.»"""
    match = jumper(roads)
    jump(roads, match, "down", 325, steps=1)
    with pytest.raises(IllegalStep, match="when its movement phase began") as caught:
        match.do("manoeuvre", figure="jumper", kind="climb", steps=1)
    assert refused_by(caught) == "roads/climb"


# Гигантский скачок, Атака в прыжке


def leaper(roads: ModuleType, *more: Any, options: Any = None) -> Any:
    match = roads.skirmish(
        roads.fighter("leaper", "knights", 300, 300, leap=4), roads.fighter("enemy", "diggers", 450, 300, toughness=9),
        roads.fighter("far", "diggers", 900, 800), *more, options=options,
    )  # fmt: skip
    roads.go_to(match, "move")
    return match


def test_a_giant_leap_goes_its_steps_with_its_height_among_them(roads: ModuleType) -> None:
    """«Гигантский скачок 4 – воин способен прыгнуть на четыре шага, высота скачка входит в его дистанцию. … При
    гигантском
    скачке тест на прыжок вниз делается по верхней точке скачка.»
    """
    match = leaper(roads)
    with pytest.raises(IllegalStep, match="at most 4 steps, including the height") as caught:
        match.do("manoeuvre", figure="leaper", kind="leap", steps=3, rise=1.5)
    assert refused_by(caught) == "roads/giant-leap"
    match.do("manoeuvre", figure="leaper", kind="leap", steps=2, rise=2, fall_steps=2, center_mm=[300, 400])
    assert [due.kind for due in match.game.due] == ["jump"] * 2, "a test for each full step from the highest point"
    roads.roll(match, 4, 4)
    assert match.game.piece("leaper").center_mm == (300, 400)


def test_only_a_model_with_the_ability_makes_a_giant_leap(roads: ModuleType) -> None:
    """«Некоторые воины и существа способны совершать гигантские прыжки…»"""
    match = climber(roads)
    with pytest.raises(IllegalStep, match="not able"):
        match.do("manoeuvre", figure="climber", kind="leap", steps=1)


@pytest.mark.parametrize(("options", "charge"), [({}, 1), ({"jump_attack_charge": "jump_only"}, 0)])
def test_an_attack_out_of_a_jump_adds_one_and_a_die_in_its_first_round_alone(
    roads: ModuleType, options: dict[str, str], charge: int
) -> None:
    """«Если тест пройден успешно, модель зарабатывает +1 к результату боя и +1 кубик атаки, но только на первый раунд
    рукопашного боя.»
    """
    match = leaper(roads, options=options)
    match.do(
        "manoeuvre", figure="leaper", kind="leap", steps=2, rise=1, fall_steps=1, center_mm=[400, 300], target="enemy"
    )
    roads.roll(match, 4)
    assert match.game.opponents_of("leaper") == ("enemy",)
    roads.go_to(match, "melee")
    told = roads.fight(match, "leaper", "enemy", [3, 2], [2])
    assert told["results"] == [3 + 4 + 4 + 1 + charge, 2 + 9 + 4]
    match.do("wound", figure="leaper")
    roads.go_to(match, "melee", "diggers")
    with pytest.raises(IllegalStep, match="out of a jump") as caught:
        match.do("fight", fighters=["leaper", "enemy"], conditions={"leaper": ["jumping"]})
    assert refused_by(caught) == "roads/jump-attack"
    assert roads.fight(match, "leaper", "enemy", [3], [2])["results"] == [3 + 4 + 4, 2 + 9 + 4]


def test_an_attack_out_of_a_jump_is_at_an_enemy_within_a_step_of_the_landing(roads: ModuleType) -> None:
    """«Если модель противника находится в радиусе шага от места, где приземлился ваш воин, он может осуществить на
    неё атаку в
    прыжке.»
    """
    match = leaper(roads)
    leap = {"figure": "leaper", "kind": "leap", "rise": 1, "target": "enemy"}
    with pytest.raises(IllegalStep, match="not within a step of the landing") as caught:
        match.do("manoeuvre", center_mm=[374, 300], **leap)
    assert refused_by(caught) == "roads/jump-attack"
    match.do("manoeuvre", center_mm=[375, 300], **leap)


def test_a_failed_attack_out_of_a_jump_is_a_fall_without_an_attack(roads: ModuleType) -> None:
    """«Если хотя бы один тест провален, ваша модель падает и получает повреждения, не может двигаться и атаковать
    противника в
    этот ход.»
    """
    match = leaper(roads)
    match.do("place", figure="leaper", center_mm=[350, 300])
    match.do("manoeuvre", figure="leaper", kind="down", steps=2, center_mm=[400, 300], target="enemy")
    roads.roll(match, 4, 5, 1, 1)
    assert (match.game.piece("leaper").harm, match.game.opponents_of("leaper")) == (2, ())
    with pytest.raises(IllegalStep, match="moves no more"):
        match.do("charge", figure="leaper", target="enemy")


def test_an_attack_out_of_a_jump_at_a_fearsome_enemy_takes_a_test_of_fear(roads: ModuleType) -> None:
    match = leaper(roads, roads.fighter("ogre", "diggers", 300, 450, fear=True))
    match.do("place", figure="leaper", center_mm=[300, 350])
    match.do("manoeuvre", figure="leaper", kind="down", steps=1, center_mm=[300, 400], target="ogre")
    assert [due.kind for due in match.game.due] == ["fear to charge", "jump"]
    roads.roll(match, 6)
    assert match.game.due == ()
    with pytest.raises(IllegalStep, match="stay in place"):
        match.do("move", figure="leaper")
    match.do("undo", by=JUDGE)
    roads.roll(match, 1, 1)
    assert match.game.opponents_of("leaper") == ("ogre",)


# Падение


def test_a_fall_is_a_d3_a_step_and_no_armour_helps(roads: ModuleType) -> None:
    """«Упавший боец получает D3 урона на каждый шаг высоты, с которой он упал. Защита доспехами не действует.»"""
    match = climber(roads, out_at=3)
    match.do("manoeuvre", figure="climber", kind="down", steps=2)
    roads.roll(match, 6, 4)
    assert match.game.hits == (), "damage, not hits: nothing to roll armour against"
    assert match.game.piece("climber").harm == 2
    roads.roll(match, 1)
    assert match.game.winner == "diggers", "2 and 1 damage are all that it can bear"


def test_nothing_is_offered_that_nobody_of_the_side_can_do_any_more(build: ModuleType) -> None:
    match = build.on_table(build.BRIDGE)
    match.do("begin")
    match.do("next")
    own = [piece.id for piece in match.game.standing(match.game.active)]
    assert {prompt["fields"]["how"] for prompt in prompts(match, "move")} == {"walk", "run"}
    for name in own:
        match.do("move", figure=name, how="run")
    # A jump down may still come: «…в любой момент во время своей фазы передвижения».
    for deed in ("move", "charge", "hide"):
        assert prompts(match, deed) == [], deed
    match.do("next")
    assert match.game.phase == "shoot"
    assert prompts(match, "shoot") == prompts(match, "react") == [], "who ran does not shoot"
    match.do("next")
    assert match.game.phase == "melee"
    assert bool(prompts(match, "fight")) == any(match.game.opponents_of(name) for name in own)
    assert prompts(match, "next")


def test_a_watch_is_offered_as_long_as_somebody_may_still_watch(build: ModuleType) -> None:
    match = build.on_table(build.BRIDGE)
    match.do("begin")
    own = [piece.id for piece in match.game.standing(match.game.active)]
    assert prompts(match, "watch")
    for name in own:
        if Watch(figure=name).is_allowed(match.game):
            match.do("watch", figure=name)
    assert prompts(match, "watch") == []
    assert prompts(match, "next")


# Продвижение


def test_an_advance_beyond_a_step_is_refused_with_both_lengths_and_never_stays_instead(roads: ModuleType) -> None:
    """«Модель может продвинуться на один шаг»: a place is the whole answer, and staying is a button beside it."""
    match = roads.skirmish(
        roads.fighter("a", "knights", 300, 300), roads.fighter("b", "diggers", 325, 300),
        roads.fighter("d", "diggers", 900, 800),
    )  # fmt: skip
    roads.go_to(match, "melee")
    roads.fight(match, "a", "b", [6], [1])
    match.do("wound", figure="b", out=True)

    def way(**fields: Any) -> dict[str, Any]:
        return dict(match.session.way({"type": "advance", "figure": "a", **fields}, JUDGE, "en"))

    where = way()["ask"]
    assert (where["kind"], where["reach_mm"], where["skip_text"]) == (
        "place",
        match.game.distances().step_mm,
        "It stays",
    )
    assert not where["is_measured"], "staying is offered on the drawn table, too"
    far = way(center_mm=[370, 300])
    assert "stays" not in far["fields"]
    assert "That is 1.4 steps. A goes at most 1 step" in far["refusal"]
    near = way(center_mm=[340, 300])
    assert (near["ask"], near["refusal"]) == (None, None), "nothing more is asked"
    assert way(center_mm=None)["fields"]["stays"] is True
