"""New invaders and teleporters of DOOM 2004 by the letter: whole bases, figures of the box, telefrags."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from assistant.errors import IllegalStep
from assistant.games.doom2004.match.spawn_steps import Spawn
from assistant.match.actor import JUDGE
from assistant.translations.messages import said

GROUPS = [{"demon": 1}, {"mancubus": 1}, {"trite": 4}, {"trite": 1}]
BEHIND = 9
"""The first column behind the red door, out of sight of every marine."""


def to_spawn(build: ModuleType, **setup: Any) -> Any:
    """Return the invader's second step; his whole hand spawns a demon, a mancubus, four trites or one."""
    base = build.mission(build.KNEE_DEEP)
    cards = {f"spawn-{n}": {"name": f"Card {n}", "spawns": GROUPS} for n in range(20)}
    match = build.begun(build.with_setup(base, cards=cards, **setup))
    match.do("see", document=build.corridor(14, 4, {"red-door": ((8, 1), (9, 1))}))
    match.do("begin")
    for _ in match.game.setup.marines:
        match.do("action", action="sprint")
        match.do("end")
    match.do("draw")
    return match


def spawn(match: Any, group: int, **fields: Any) -> None:
    match.do("spawn", card=match.game.deck.hand[0], group=group, **fields)


# “Demons occupy 2 spaces.” “Other oversized figures (mancubus, hell knight, and cyberdemon) each occupy 4 spaces. …
# must always occupy four existing spaces” (seed 004)


@pytest.mark.parametrize(
    ("group", "name", "wrong", "right"),
    [
        (0, "demon-1", [[[9, 0]], [[9, 0], [10, 1]], [[9, 0], [10, 0], [11, 0]]], [[9, 0], [10, 0]]),
        (0, "demon-1", [[[9, 0], [9, 0]]], [[9, 0], [9, 1]]),
        (1, "mancubus-1", [[[9, 0], [10, 0]], [[9, 3], [10, 3], [9, 4], [10, 4]]], [[9, 0], [10, 0], [9, 1], [10, 1]]),
        (
            1,
            "mancubus-1",
            [[[9, 0], [10, 0], [9, 1]], [[9, 0], [10, 0], [9, 1], [9, 1]]],
            [[9, 0], [10, 0], [9, 1], [10, 1]],
        ),
        (3, "trite-1", [[[9, 0], [10, 0]]], [[9, 0]]),
    ],
)
def test_a_spawned_invader_stands_on_its_whole_base(
    build: ModuleType, group: int, name: str, wrong: list[Any], right: list[Any]
) -> None:
    match = to_spawn(build)
    for cells in wrong:
        with pytest.raises(IllegalStep, match=r"spaces; choose as many|not on the board"):
            spawn(match, group, cells={name: cells})
    spawn(match, group, cells={name: right})
    assert match.game.piece(name).on_table


# “Si el jugador invasor desea generar una figura en el tablero, pero ya está usando todas sus figuras disponibles,
# puede optar por eliminar una figura invasora del tablero, para que esa figura esté disponible para su colocación
# inmediata” (seed 002)


def test_a_figure_is_taken_back_only_when_the_box_has_none_left(build: ModuleType) -> None:
    match = to_spawn(build)
    match.do("place", by=JUDGE, figure="trite-1", cells=[[0, 3]])
    with pytest.raises(IllegalStep, match="the box still has Trite 2"):
        spawn(match, 2, removed=["trite-1"], cells={"trite-1": [[9, 0]]})
    four = {f"trite-{n}": [[8 + n, 0]] for n in range(1, 5)}
    spawn(match, 2, removed=["trite-1"], cells=four)
    assert all(match.game.piece(name).cells == ((8 + n, 0),) for n, name in enumerate(four, 1))


def test_nobody_but_an_invader_on_the_board_is_taken_back(build: ModuleType) -> None:
    match = to_spawn(build)
    marine = match.game.setup.marines[0].id
    for name in (marine, "trite-2"):
        with pytest.raises(IllegalStep, match="not an invader on the board"):
            spawn(match, 2, removed=[name], cells={name: [[9, 0]]})


def test_the_history_says_when_the_invader_spawned_nobody(build: ModuleType) -> None:
    match = to_spawn(build)
    nobody = said("The invader spawns nobody")
    assert Spawn(card="spawn-1").title(match.game) == nobody
    assert Spawn(card="spawn-1", cells={"trite-1": ((9, 0),)}).title(match.game) != nobody
    with pytest.raises(IllegalStep, match="Trite 1 still finds a space"):
        spawn(match, 2, cells={})


def test_a_figure_taken_back_is_placed_at_once(build: ModuleType) -> None:
    match = to_spawn(build)
    for n in range(1, 5):
        match.do("place", by=JUDGE, figure=f"trite-{n}", cells=[[n, 3]])
    with pytest.raises(IllegalStep, match="goes back to the board at once"):
        spawn(match, 2, removed=["trite-1", "trite-2"], cells={"trite-2": [[9, 0]]})


def test_nobody_is_spawned_where_the_ground_lets_nobody_stand(build: ModuleType) -> None:
    match = to_spawn(build)
    board = build.corridor(14, 4, {"red-door": ((8, 1), (9, 1))})
    match.do("see", document={**board, "blocking": [[12, 0]]})
    with pytest.raises(IllegalStep, match="cannot stand on this ground"):
        spawn(match, 2, cells={"trite-1": [[12, 0]]})


# “if a marine teleports into a space containing all or a part of an invader figure, the invader is automatically
# killed. It is not possible for the invader player to block off teleporters by standing on them.” (seed 004)


def on_teleporter(build: ModuleType, action: str = "advance") -> Any:
    match = build.on_table(build.KNEE_DEEP)
    match.do("begin")
    match.do("action", action=action)
    match.do("place", figure="red-marine", cells=[[1, 2]])
    return match


def test_a_marine_who_teleports_into_a_part_of_an_invader_kills_it(build: ModuleType) -> None:
    match = on_teleporter(build)
    match.do("place", by=JUDGE, figure="demon-1", cells=[[7, 3], [8, 3]])
    assert "teleport" in [prompt["type"] for prompt in match.session.view(build.JUDGE_VIEW)["prompts"]]
    assert str(match.do("teleport", teleporter="teleporter-2", cost=1).title).endswith("telefrags Demon 1")
    assert match.game.piece("red-marine").cells == ((7, 3),)
    assert not match.game.piece("demon-1").on_table
    assert match.game.frags == 0
    assert match.game.turn.movement == 3


def test_a_marine_does_not_teleport_onto_a_mate_or_without_a_teleporter(build: ModuleType) -> None:
    match = on_teleporter(build)
    match.do("place", figure="green-marine", cells=[[7, 3]])
    with pytest.raises(IllegalStep, match="Green marine stands on"):
        match.do("teleport", teleporter="teleporter-2")
    match.do("place", figure="red-marine", cells=[[2, 2]])
    with pytest.raises(IllegalStep, match="another teleporter"):
        match.do("teleport", teleporter="teleporter-2")
    with pytest.raises(IllegalStep, match="no teleporter"):
        match.do("teleport", teleporter="teleporter-9")


def test_a_marine_without_movement_does_not_teleport(build: ModuleType) -> None:
    match = on_teleporter(build, "unload")
    with pytest.raises(IllegalStep, match="not enough movement"):
        match.do("teleport", teleporter="teleporter-2")


def test_the_box_has_ten_order_tokens(build: ModuleType) -> None:
    # “10 fichas de órdenes marinas” (seed 002): eleven cannot lie on the table.
    base = build.mission(build.KNEE_DEEP)
    marines = [{"id": f"{color}-marine", "color": color, "medic": True} for color in ("red", "green", "blue")]
    match = build.begun(build.with_setup(base, marines=marines))
    match.do("begin")
    orders = ["aim", "dodge", "heal", "guard"]
    placed = 0
    for order in orders:
        for _ in marines:
            match.do("action", action="ready")
            if placed == 10:
                with pytest.raises(IllegalStep, match="all 10 order tokens"):
                    match.do("order", order=order)
            else:
                match.do("order", order=order)
                placed += 1
            match.do("end")
        match.do("draw")
        over = len(match.game.deck.hand) - 8
        if over > 0:
            match.do("discard", cards=list(match.game.deck.hand[:over]))
        match.do("activations")
        match.do("end")


def test_icons_of_a_weapon_add_to_range_and_damage(build: ModuleType) -> None:
    base = build.mission(build.KNEE_DEEP)
    weapons = {"rail": {"dice": {"green": 1}, "always": True, "accuracy": 2, "deadly": 2}}
    match = build.begun(build.with_setup(base, weapons=weapons))
    match.do("see", document=build.TABLES[build.KNEE_DEEP](base))
    match.do("begin")
    match.do("action", action="advance")
    shown = {"range": 4, "damage": 0, "ammo": False, "miss": False}
    match.do("attack", targets=["imp-1"], weapon="rail", rolled_here=False, dice=[["green", shown]])
    assert match.game.pending.range == 6, "4 shown and 2 icons reach 6"
    match.do("resolve")
    assert match.game.piece("imp-1").harm == 1, "no damage shown and 2 icons against armour 2"


@pytest.mark.parametrize(
    ("action", "movement", "attacks"), [("sprint", 8, 0), ("unload", 0, 2), ("advance", 4, 1), ("ready", 4, 1)]
)
def test_each_action_allows_what_the_rules_say(build: ModuleType, action: str, movement: int, attacks: int) -> None:
    match = build.begun(build.mission(build.KNEE_DEEP))
    match.do("begin")
    match.do("action", action=action)
    assert (match.game.the_turn().movement, match.game.the_turn().attacks) == (movement, attacks)
