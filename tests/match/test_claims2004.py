"""Claims about DOOM 2004 out of seeds 002 and 004, read as a lawyer would, each tried on a running match.

Each test is a claim with its sentence. ``CLAIMS.md`` beside the game's coverage table lists them with their verdicts:
`test_the_table_lists_every_claim` holds both together, and ``python tests/match/test_claims2004.py`` writes the table.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from assistant.documents import board_document
from assistant.errors import BadValue, IllegalStep, NotYours
from assistant.match.actor import JUDGE, TABLE, player
from assistant.match.audience import PUBLIC, Audience
from assistant.match.game import INVADER, MARINES
from assistant.match.missions import mission_from_fields
from assistant.table.board import Board, Door
from assistant.table.lattice import edge_between

TABLE_FILE = Path(__file__).parents[2] / "assistant" / "games" / "doom2004" / "CLAIMS.md"

RED, GREEN, IMP, ZOMBIE = "red-marine", "green-marine", "imp-1", "zombie-1"


class Claim(NamedTuple):
    """A claim: its seed with the sentence, the consequence, and the finding before this test."""

    test: str
    seed: str
    sentence: str
    says: str
    verdict: str


CLAIMS: list[Claim] = []


def claim(seed: str, sentence: str, says: str, verdict: str = "right") -> Callable[[Callable[..., None]], Any]:
    """List a test as a claim. ``verdict``: ``right``, ``mended`` (it was wrong or lax), ``option NAME``, "
    "``silent``."""

    def listed(test: Callable[..., None]) -> Any:
        CLAIMS.append(Claim(test.__name__, seed, sentence, says, verdict))
        return test

    return listed


# Tables and hands


def face(reach: int = 0, damage: int = 0, *, ammo: bool = False, miss: bool = False) -> dict[str, Any]:
    return {"range": reach, "damage": damage, "ammo": ammo, "miss": miss}


HIT, MISS, NOTHING = face(4, 2), face(6, 4, miss=True), face()
THROWN_WIDE = (MISS, face(6, 2))


def hall(
    width: int = 12,
    height: int = 4,
    *,
    walls: Iterable[Any] = (),
    doors: dict[str, Any] | None = None,
    blocking: Iterable[tuple[int, int]] = (),
    cells: Iterable[tuple[int, int]] | None = None,
) -> dict[str, Any]:
    """Return a bare hall with walls and doors between pairs of spaces."""
    spaces = frozenset(cells or ((x, y) for x in range(width) for y in range(height)))
    edges: Any = {edge_between(a, b): "wall" for a, b in walls}
    shut = tuple(Door(name, (edge_between(a, b),)) for name, (a, b) in (doors or {}).items())
    return board_document(Board(spaces, edges, shut, blocking=frozenset(blocking)))


EVENTS: dict[str, Any] = {
    "trap": {"name": "It is a trap", "when": "token_taken", "effects": [{"effect": "activate", "count": 2}]},
    "dark": {"name": "Dark energies", "when": "marine_attack", "effects": [{"effect": "heal", "wounds": 1}]},
    "start": {"name": "At the start", "when": "turn_start"},
    "before": {"name": "Before his turn", "when": "marine_turn"},
    "dodge": {"name": "Dodge", "effects": [{"effect": "dodge"}]},
    "any": {"name": "Any time"},
}


class Match:
    """A match with short helpers for the claims."""

    def __init__(self, build: ModuleType, table: dict[str, Any] | None = None, **setup: Any) -> None:
        base = build.mission(build.KNEE_DEEP)
        options = setup.pop("options", {})
        places = setup.pop("places", {})
        self.played = build.begun(build.with_setup(base, **setup), options=options)
        self.do("see", document=table or build.corridor(12, 4, {"red-door": ((8, 1), (9, 1))}))
        self.put(**places)

    @property
    def game(self) -> Any:
        return self.played.game

    def do(self, type_: str, **fields: Any) -> Any:
        return self.played.do(type_, **fields)

    def refuses(self, type_: str, **fields: Any) -> str:
        """Return the sentence that refuses a command, and check that the match is unchanged."""
        seq = self.played.session.seq
        with pytest.raises(IllegalStep) as problem:
            self.do(type_, **fields)
        assert self.played.session.seq == seq
        return str(problem.value)

    def put(self, **places: Any) -> None:
        """Place figures by hand, after any figure in the way."""
        left = dict(places)
        while left:
            taken = {cell: piece.id for piece in self.game.standing() for cell in piece.cells}
            for name, cells in tuple(left.items()):
                figure = name.replace("_", "-")
                if {taken.get(tuple(cell), figure) for cell in cells} <= {figure}:
                    self.do("place", by=JUDGE, figure=figure, cells=left.pop(name))
                    break
            else:
                raise AssertionError(f"no room for {sorted(left)}")

    def begin(self, action: str | None = None) -> Match:
        self.do("begin")
        if action is not None:
            self.do("action", action=action)
        return self

    def shoot(self, target: Any, weapon: str | None = "pistol", faces: Any = (HIT, HIT), **more: Any) -> None:
        self.do("attack", **self.shot(target, weapon, faces), **more)

    def shot(self, target: Any, weapon: str | None = "pistol", faces: Any = (HIT, HIT)) -> dict[str, Any]:
        colors = {
            "pistol": ["yellow", "green"],
            "grenade": ["blue", "green"],
            "fist": ["red"],
            "shotgun": ["red", "red", "yellow"],
            None: ["red"],
            "imp": ["yellow", "green"],
            "mancubus": ["blue", "green", "yellow"],
        }[weapon]
        dice = [[color, faces[n % len(faces)]] for n, color in enumerate(colors)]
        at = {"targets": [target]} if isinstance(target, str) else {"space": target}
        named = {"weapon": weapon} if weapon in ("pistol", "grenade", "fist", "shotgun") else {}
        return {**at, **named, "rolled_here": False, "dice": dice}

    def to_invader(self) -> Match:
        if self.game.phase == "setup":
            self.do("begin")
        while self.game.phase == "marine":
            if self.game.the_turn().action is None:
                self.do("action", action="sprint")
            self.do("end")
        return self

    def to_activations(self) -> Match:
        self.to_invader()
        self.do("draw")
        over = len(self.game.deck.hand) - 8
        if over > 0:
            self.do("discard", cards=list(self.game.deck.hand[-over:]))
        self.do("activations")
        return self

    def act(self, figure: str) -> Match:
        self.do("activate", figure=figure)
        return self


Begun = Callable[..., Match]


@pytest.fixture
def begun(build: ModuleType) -> Begun:
    """Makes a match: ``begun(table, places={...}, options={...}, SETUP FIELDS)``."""
    return lambda table=None, **setup: Match(build, table, **setup)


def with_events(*names: str, count: int = 20) -> dict[str, Any]:
    """Cards that fill every hand with the named events and nothing else."""
    return {f"{name}-{n}": EVENTS[name] for n in range(count) for name in names}


def marines(count: int) -> list[dict[str, Any]]:
    colors = ["red", "green", "blue"][:count]
    return [{"id": f"{color}-marine", "color": color, "cells": [[0, n]]} for n, color in enumerate(colors)]


def spawning(*groups: dict[str, int]) -> dict[str, Any]:
    return {f"spawn-{n}": {"name": f"Spawn {n}", "spawns": list(groups)} for n in range(20)}


# Setting up (seed 002, “Preparar”)


@claim("002", "“Hasta tres jugadores tomarán el papel de marines”", "four marines, and none, are refused")
@pytest.mark.parametrize("count", [0, 4])
def test_one_to_three_marines(build: ModuleType, count: int) -> None:
    many = [{"id": f"m{n}", "color": color} for n, color in enumerate(["red", "green", "blue", "red"][:count])]
    with pytest.raises(BadValue, match="one to three marines"):
        build.begun(build.with_setup(build.mission(build.KNEE_DEEP), marines=many))


@claim(
    "002",
    "“cada uno de ellos debe elegir uno de los tres colores marinos (rojo, verde o azul)”",
    "a mission with a purple marine, or with two red ones, is refused",
    "mended",
)
@pytest.mark.parametrize("colors", [["red", "red"], ["red", "purple"], ["verde"]])
def test_each_marine_has_another_of_three_colours(build: ModuleType, colors: list[str]) -> None:
    base = build.mission(build.KNEE_DEEP)
    setup = {**base.setup, "marines": [{"id": f"m{n}", "color": color} for n, color in enumerate(colors)]}
    with pytest.raises(BadValue, match="red, green or blue"):
        build.begun(build.with_setup(base, marines=setup["marines"]))
    with pytest.raises(BadValue, match="red, green or blue"):
        mission_from_fields({"ruleset": "doom2004", "title": "x", "setup": setup})


@claim(
    "002",
    "“14102 2392 3282” (the table of the kit)",
    "4/10/2, 3/9/2, 2/8/2 bullets, wounds, armour for 1, 2, 3 marines",
)
@pytest.mark.parametrize(("count", "kit"), [(1, (4, 10, 2)), (2, (3, 9, 2)), (3, (2, 8, 2))])
def test_the_kit_by_the_number_of_marines(begun: Begun, count: int, kit: tuple[int, ...]) -> None:
    match = begun(marines=marines(count))
    assert {(e.ammo["bullets"], e.wounds, e.armor) for e in match.game.equipment.values()} == {kit}


@claim("002", "“13 23 32” (marine cards)", "each marine draws 3, 3 or 2 cards")
@pytest.mark.parametrize(("count", "cards"), [(1, 3), (2, 3), (3, 2)])
def test_marine_cards(begun: Begun, count: int, cards: int) -> None:
    match = begun(marines=marines(count))
    assert {len(e.cards) for e in match.game.equipment.values()} == {cards}


@claim("002", "“Cada jugador debe colocar estas cartas boca arriba”", "everybody sees the marines' cards")
def test_marine_cards_lie_open(begun: Begun) -> None:
    match = begun()
    shown = match.played.session.view(PUBLIC)["marines"]
    assert {name: list(e.cards) for name, e in match.game.equipment.items()} == {
        n: m["cards"] for n, m in shown.items()
    }


@claim("002", "“El jugador invasor roba 5 cartas de invasor (independientemente del número de marines)”", "always five")
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_invader_begins_with_five_cards(begun: Begun, count: int) -> None:
    assert len(begun(marines=marines(count)).game.deck.hand) == 5


@claim(
    "002", "“debe mirar sus cartas pero no revelarlas a los jugadores marinos”", "only the invader's device shows them"
)
def test_the_invaders_hand_is_hidden(begun: Begun) -> None:
    match = begun()
    own = match.played.session.view(Audience(side=INVADER))["invader"]
    assert {card["id"] for card in own["cards"]} == set(match.game.deck.hand)
    for other in (PUBLIC, Audience(side=MARINES)):
        assert "cards" not in match.played.session.view(other)["invader"]


@claim(
    "002",
    "“las figuras de invasor del mismo color que un marine sin usar se colocan en la caja”",
    "with the red marine alone only red invaders exist, with three all",
)
def test_invaders_of_unused_colours_stay_in_the_box(begun: Begun) -> None:
    assert {n for n in begun(marines=marines(1)).game.pieces if n.startswith("imp")} == {"imp-1"}
    assert {n for n in begun(marines=marines(3)).game.pieces if n.startswith("imp")} == {"imp-1", "imp-2", "imp-3"}


@claim("002", "“anotar un total de 6 muertes marinas”", "five frags do not win, the sixth wins at once")
def test_six_frags_win(begun: Begun) -> None:
    match = begun().begin()
    for _ in range(5):
        match.do("frag", by=JUDGE, figure=GREEN)
        match.put(green_marine=[[0, 3]])
    assert not match.game.winner
    match.do("frag", by=JUDGE, figure=GREEN)
    assert match.game.winner == INVADER
    assert "over" in match.refuses("action", action="sprint")


@claim(
    "002",
    "“deben encontrar la ficha de la llave roja y abrirse camino hasta la puerta de seguridad roja”",
    "no key, no door",
)
def test_the_red_door_needs_the_red_key(begun: Begun) -> None:
    match = begun(places={"red_marine": [[8, 1]]}).begin("advance")
    assert "locked" in match.refuses("door", door="red-door", open=True)
    match.put(red_marine=[[4, 1]])
    match.do("take", item="red-key")
    match.put(red_marine=[[8, 1]])
    match.do("door", door="red-door", open=True)
    assert match.game.winner == MARINES


# Rounds and turns


@claim(
    "002",
    "“Turno 1 … Turno 2 … Turno 3 … Turno 4: Turno del jugador invasor”",
    "marines in their order, then the invader",
)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_order_of_turns(begun: Begun, count: int) -> None:
    match, seen = begun(marines=marines(count)).begin(), []
    while match.game.phase == "marine":
        seen.append(match.game.the_turn().figure)
        match.do("action", action="sprint")
        match.do("end")
    assert seen == [marine["id"] for marine in marines(count)]
    assert match.game.side_to_act() == INVADER
    match.do("draw")
    match.do("activations")
    match.do("end")
    assert (match.game.round, match.game.the_turn().figure) == (2, seen[0])


@claim(
    "002",
    "“A Amarine no se le permite hacer nada antes de haber declarado cuál de las cuatro acciones está ejecutando”",
    "move, attack, order, token, door, teleport and end are refused before",
)
def test_nothing_before_the_declaration(begun: Begun) -> None:
    match = begun(places={"red_marine": [[2, 0]]}).begin()
    for type_, fields in (
        ("move", {"figure": RED, "cells": [[3, 0]]}),
        ("attack", match.shot(IMP)),
        ("order", {"order": "aim"}),
        ("take", {"item": "shotgun-token"}),
        ("door", {"door": "red-door", "open": True}),
        ("teleport", {"teleporter": "teleporter-1"}),
        ("end", {}),
    ):
        match.refuses(type_, **fields)


@claim("002", "“debe elegir una acción de las cuatro”", "one action a turn; a second declaration is refused")
def test_one_action_a_turn(begun: Begun) -> None:
    match = begun().begin("sprint")
    assert "already declared" in match.refuses("action", action="advance")


@claim("002", "“puede moverse hasta 8 espacios durante su turno, pero no puede atacar”", "sprint: 8, not 9, no attack")
def test_sprint(begun: Begun) -> None:
    match = begun(hall()).begin("sprint")
    assert "no attack is left" in match.refuses("attack", **match.shot(ZOMBIE))
    match.refuses("move", figure=RED, cells=[[9, 0]])
    match.do("move", figure=RED, cells=[[8, 0]])
    assert match.game.the_turn().movement == 0


@claim(
    "002", "“puede realizar hasta 2 ataques durante el turno, pero no puede moverse”", "unload: two, not three, no step"
)
def test_unload(begun: Begun) -> None:
    match = begun().begin("unload")
    match.refuses("move", figure=RED, cells=[[1, 0]])
    for _ in range(2):
        match.shoot(ZOMBIE, faces=(NOTHING, NOTHING))
        match.do("resolve")
    assert "no attack is left" in match.refuses("attack", **match.shot(ZOMBIE))


@claim(
    "002",
    "“Cada ataque se resuelve por completo antes de que el marine realice el siguiente”",
    "no second while one is open",
)
def test_each_attack_is_resolved_before_the_next(begun: Begun) -> None:
    match = begun().begin("unload")
    match.shoot(ZOMBIE)
    assert "finish the attack first" in match.refuses("attack", **match.shot(IMP))


@claim("002", "“puede usar un arma diferente cada vez que ataca, incluso al descargar”", "pistol, then fist")
def test_another_weapon_for_each_attack(begun: Begun) -> None:
    match = begun(places={"zombie_1": [[1, 0]]}).begin("unload")
    match.shoot(ZOMBIE, faces=(NOTHING, NOTHING))
    match.do("resolve")
    match.shoot(ZOMBIE, "fist")
    match.do("resolve")
    assert not match.game.piece(ZOMBIE).on_table


@claim(
    "002",
    "“puede realizar su ataque antes, después o en cualquier momento durante su movimiento”",
    "advance: 4 steps and one attack, in any order",
)
@pytest.mark.parametrize("steps_before", [0, 1, 3, 4])
def test_advance(begun: Begun, steps_before: int) -> None:
    match = begun(hall(), places={"green_marine": [[0, 3]], "zombie_1": [[5, 3]]}).begin("advance")
    if steps_before:
        match.do("move", figure=RED, cells=[[steps_before, 0]])
    match.shoot(IMP, faces=(NOTHING, NOTHING))
    match.do("resolve")
    assert "no attack is left" in match.refuses("attack", **match.shot(IMP))
    if steps_before < 4:
        match.do("move", figure=RED, cells=[[4, 0]])
    assert match.game.the_turn().movement == 0


@claim(
    "002",
    "“mover 1 casilla alrededor de una esquina, atacar a un invasor y luego moverse 3 casillas adicionales en "
    "cualquier "
    "dirección (incluso de vuelta a la esquina)”",
    "the printed example",
)
def test_round_a_corner_and_back(begun: Begun) -> None:
    table = hall(walls=[((0, 0), (0, 1)), ((1, 0), (1, 1))])
    match = begun(table, places={"red_marine": [[1, 1]], "green_marine": [[0, 3]], "zombie_1": [[3, 0]]}).begin(
        "advance"
    )
    match.do("move", figure=RED, cells=[[2, 0]])
    match.shoot(ZOMBIE)
    match.do("resolve")
    match.do("move", figure=RED, cells=[[2, 1]])
    match.do("move", figure=RED, cells=[[1, 1]])
    match.do("move", figure=RED, cells=[[0, 1]])
    assert match.game.the_turn().movement == 0


@claim("002", "“puede moverse hasta 4 espacios o hacer 1 ataque”", "ready: the first of both uses up the other")
@pytest.mark.parametrize("first", ["move", "attack"])
def test_ready_is_one_of_both(begun: Begun, first: str) -> None:
    match = begun(hall(), places={"green_marine": [[0, 3]]}).begin("ready")
    if first == "move":
        match.do("move", figure=RED, cells=[[1, 0]])
        assert "no attack is left" in match.refuses("attack", **match.shot(IMP))
        match.do("move", figure=RED, cells=[[4, 0]])
    else:
        match.shoot(IMP)
        match.do("resolve")
        match.refuses("move", figure=RED, cells=[[1, 0]])


@claim("002", "“El pedido podrá realizarse en cualquier momento durante su turno”", "before, between and after")
@pytest.mark.parametrize("when", ["first", "between", "after a move", "after an attack"])
def test_an_order_at_any_moment_of_ready(begun: Begun, when: str) -> None:
    match = begun(hall(), places={"green_marine": [[0, 3]]}).begin("ready")
    if when == "after an attack":
        match.shoot(IMP)
        match.do("resolve")
    elif when != "first":
        match.do("move", figure=RED, cells=[[2, 0]])
    match.do("order", order="guard")
    if when == "between":
        match.do("move", figure=RED, cells=[[4, 0]])
    assert match.game.piece(RED).marks == ("guard",)


@claim("002", "“puede colocar 1 pedido”", "only with ready, only one, and he need not")
def test_one_order_and_only_with_ready(begun: Begun) -> None:
    for action in ("sprint", "unload", "advance"):
        assert "only a marine who readies" in begun().begin(action).refuses("order", order="aim")
    match = begun().begin("ready")
    match.do("order", order="aim")
    assert "only one" in match.refuses("order", order="dodge")
    begun().begin("ready").do("end")


@claim(
    "002", "“El jugador controlador puede optar por no utilizar todo el movimiento”", "movement and attacks may be left"
)
@pytest.mark.parametrize("action", ["sprint", "unload", "advance", "ready"])
def test_nobody_has_to_use_what_he_has(begun: Begun, action: str) -> None:
    match = begun().begin(action)
    match.do("end")
    assert match.game.the_turn().figure == GREEN


# Step 1: cards


@claim("002", "“debe robar 1 carta … para cada jugador marino”", "1, 2, 3 cards; nothing of his turn goes before")
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_card_for_each_marine(begun: Begun, count: int) -> None:
    match = begun(marines=marines(count), cards=with_events("any")).to_invader()
    for type_, fields in (("activations", {}), ("activate", {"figure": IMP}), ("end", {})):
        match.refuses(type_, **fields)
    match.do("draw")
    assert len(match.game.deck.hand) == 5 + count
    match.refuses("draw")


def with_nine_cards(begun: Begun) -> Match:
    match = begun(marines=marines(2), cards=with_events("any"))
    while True:
        match.to_invader().do("draw")
        if len(match.game.deck.hand) > 8:
            return match
        match.do("activations")
        match.do("end")


@claim(
    "002",
    "“Si esto deja al jugador invasor con más de 8 cartas en su mano, debe seleccionar y descartar inmediatamente”",
    "at nine cards no spawn card, no activation and no event card goes first",
    "mended",
)
def test_nine_cards_are_discarded_first(begun: Begun) -> None:
    match = with_nine_cards(begun)
    for type_, fields in (("activations", {}), ("play_event", {"card": match.game.deck.hand[0]})):
        assert "discard down to 8" in match.refuses(type_, **fields)
    match.do("discard", cards=[match.game.deck.hand[0]])
    match.do("play_event", card=match.game.deck.hand[0])


@claim("002", "“suficientes cartas para que el tamaño de su mano se reduzca a 8”", "nine: one and not two; eight: none")
def test_exactly_as_many_as_are_too_many(begun: Begun) -> None:
    match = with_nine_cards(begun)
    match.refuses("discard", cards=list(match.game.deck.hand[:2]))
    match.do("discard", cards=[match.game.deck.hand[3]])
    assert len(match.game.deck.hand) == 8
    match.refuses("discard", cards=[match.game.deck.hand[0]])


@claim(
    "002",
    "“Cuando el jugador invasor roba la última carta …, obtiene 1 punto de fragmentación. Luego crea un nuevo mazo”",
    "frag point and a new deck at once, in step 1",
)
def test_the_last_card_drawn_is_a_frag_point(begun: Begun) -> None:
    match = begun(cards=with_events("any", count=7)).to_invader()
    match.do("draw")
    assert (match.game.frags, len(match.game.deck.hand), match.game.deck.pile) == (1, 7, ())
    match = begun(cards=with_events("any", count=7)).begin("sprint")
    match.do("play_event", card=match.game.deck.hand[0])
    match.to_invader().do("draw")
    assert (match.game.frags, len(match.game.deck.pile), match.game.deck.discard) == (1, 1, ())


@claim("002", "“roba 1 carta … para cada jugador marino” and the last card", "drawing goes on from the new deck")
def test_drawing_goes_on_from_the_new_deck(begun: Begun) -> None:
    match = begun(cards=with_events("any", count=6)).begin("sprint")
    for _ in range(2):
        match.do("play_event", card=match.game.deck.hand[0])
    match.to_invader().do("draw")
    assert (match.game.frags, len(match.game.deck.hand), len(match.game.deck.pile)) == (1, 5, 1)


# Event cards


@claim(
    "002",
    "“puede jugar sus cartas de evento en cualquier momento siempre que se cumplan las condiciones de la carta”",
    "in every turn",
)
def test_an_event_without_a_condition_at_any_time(begun: Begun) -> None:
    match = begun(cards=with_events("any")).begin()
    match.do("play_event", card=match.game.deck.hand[0])
    match.do("action", action="unload")
    match.shoot(ZOMBIE)
    match.do("play_event", card=match.game.deck.hand[0])
    match.do("resolve")
    match.to_activations().act(IMP).do("play_event", card=match.game.deck.hand[0])


@claim("002", "“resuelva los efectos y descarte la carta”", "a played card lies on the discards, which everybody sees")
def test_a_played_event_is_discarded(begun: Begun) -> None:
    match = begun(cards=with_events("any")).begin()
    card = match.game.deck.hand[0]
    match.do("play_event", card=card)
    assert match.played.session.view(PUBLIC)["invader"]["discard"][-1]["id"] == card
    assert "not in the hand" in match.refuses("play_event", card=card)


@claim("002", "“El jugador invasor puede jugar sus cartas”", "the marines' device cannot play them")
def test_only_the_invader_plays_his_cards(begun: Begun) -> None:
    match = begun(cards=with_events("any")).begin()
    assert "decides that" in match.refuses("play_event", by=player(MARINES), card=match.game.deck.hand[0])
    assert "on a device of that side" in match.refuses("play_event", by=TABLE, card=match.game.deck.hand[0])


def trapped(begun: Begun, action: str = "advance", *, play: bool = True, **setup: Any) -> Match:
    """Return a match in which the red marine has the shotgun, and the invader has played his trap."""
    match = begun(cards=with_events("trap"), **setup).begin(action)
    match.do("move", figure=RED, cells=[[2, 0]])
    match.do("take", item="shotgun-token")
    if play:
        match.do("play_event", card=match.game.deck.hand[0])
    return match


@claim("002", "“Después de que un jugador marino ha recogido una ficha”", "the trap only right after a token")
def test_a_trap_only_after_a_token(begun: Begun) -> None:
    match = trapped(begun, play=False)
    match.do("move", figure=RED, cells=[[3, 0]])
    assert "right after" in match.refuses("play_event", card=match.game.deck.hand[0])
    fresh = begun(cards=with_events("trap")).begin("advance")
    assert "right after" in fresh.refuses("play_event", card=fresh.game.deck.hand[0])


@claim(
    "002",
    "“antes de que pueda continuar el turno del marine”",
    "the marine does nothing before the invaders have acted",
    "mended",
)
def test_a_trap_holds_the_marines_turn(begun: Begun) -> None:
    match = trapped(begun)
    for type_, fields in (
        ("move", {"figure": RED, "cells": [[3, 0]]}),
        ("attack", match.shot(ZOMBIE)),
        ("take", {"item": "medikit"}),
        ("door", {"door": "red-door", "open": True}),
        ("end", {}),
    ):
        assert "by the card first" in match.refuses(type_, **fields)
    assert match.game.side_to_act() == INVADER
    assert {p["type"] for p in match.played.session.view(PUBLIC)["prompts"]} == {"activate", "end_card"}


@claim(
    "002",
    "“activar inmediatamente hasta 2 invasores … activado a ambos invasores”",
    "two different ones, one after the other",
    "mended",
)
def test_a_trap_activates_two_different_invaders(begun: Begun) -> None:
    match = trapped(begun)
    match.do("activate", figure=IMP, by_card=True)
    assert "end the running activation" in match.refuses("activate", figure=ZOMBIE, by_card=True)
    match.do("end")
    assert "another invader" in match.refuses("activate", figure=IMP, by_card=True)
    match.do("activate", figure=ZOMBIE, by_card=True)
    match.do("end")
    match.refuses("activate", figure="zombie-3", by_card=True)


@claim("002", "“hasta 2 invasores”", "none or one is enough, when the invader says so", "mended")
@pytest.mark.parametrize("acting", [0, 1])
def test_a_trap_may_activate_fewer(begun: Begun, acting: int) -> None:
    match = trapped(begun)
    for _ in range(acting):
        match.do("activate", figure=IMP, by_card=True)
        match.do("end")
    assert "decides that" in match.refuses("end_card", by=player(MARINES))
    match.do("end_card")
    match.do("move", figure=RED, cells=[[3, 0]])


@claim(
    "002",
    "“la carta se descarta y el jugador marino continúa su turno”",
    "with the movement and the attack that he had left",
)
def test_after_a_trap_the_turn_goes_on(begun: Begun) -> None:
    match = trapped(begun)
    for name in (IMP, ZOMBIE):
        match.do("activate", figure=name, by_card=True)
        match.do("end")
    turn = match.game.the_turn()
    assert (turn.figure, turn.movement, turn.attacks) == (RED, 2, 1)
    match.do("move", figure=RED, cells=[[3, 0]])


@claim(
    "002",
    "“inmediatamente”",
    "nothing is left for later turns and rounds, also when one invader alone stands there",
    "mended",
)
def test_nothing_of_a_trap_is_left_for_later(begun: Begun) -> None:
    match = trapped(begun)
    match.do("frag", by=JUDGE, figure="zombie-3")
    match.do("frag", by=JUDGE, figure=ZOMBIE)
    match.do("activate", figure=IMP, by_card=True)
    match.do("end")
    match.put(zombie_1=[[11, 3]])
    match.do("move", figure=RED, cells=[[3, 0]])
    match.refuses("activate", figure=ZOMBIE, by_card=True)
    match.to_activations().do("end")
    match.do("action", action="sprint")
    match.refuses("activate", figure=ZOMBIE, by_card=True)


@claim(
    "002",
    "“inmediatamente”, by a card without a condition",
    "it interrupts the invader's own activation, too; that one then goes on, and it does not act twice at once",
    "mended",
)
def test_a_card_interrupts_a_running_activation(begun: Begun) -> None:
    rush = {"name": "Rush", "effects": [{"effect": "activate", "count": 2}]}
    match = begun(cards={f"rush-{n}": rush for n in range(20)}).to_activations().act(IMP)
    match.do("move", figure=IMP, cells=[[6, 2]])
    match.do("play_event", card=match.game.deck.hand[0])
    assert "by the card first" in match.refuses("move", figure=IMP, cells=[[6, 3]])
    assert "acts already" in match.refuses("activate", figure=IMP, by_card=True)
    for name in (ZOMBIE, "zombie-3"):
        match.do("activate", figure=name, by_card=True)
        match.refuses("play_event", card=match.game.deck.hand[0])
        match.do("end")
    match.do("move", figure=IMP, cells=[[6, 3]])
    match.do("end")
    match.act(ZOMBIE)


@claim(
    "002",
    "“puede activar cada invasor en el tablero una vez” (Paso 3)",
    "who acted by a card in the marines' turns still acts in step 3",
)
def test_a_card_does_not_take_the_activation_of_step_three(begun: Begun) -> None:
    match = trapped(begun)
    match.do("activate", figure=IMP, by_card=True)
    match.do("end")
    match.do("end_card")
    match.do("end")
    match.to_activations().act(IMP)


# Step 2: spawning


def to_spawn(begun: Begun, *groups: dict[str, int], **setup: Any) -> Match:
    match = begun(cards=spawning(*groups), **setup).to_invader()
    match.do("draw")
    return match


def spawn(match: Match, group: int = 0, **more: Any) -> dict[str, Any]:
    return {"card": match.game.deck.hand[0], "group": group, **more}


@claim("002", "“puede jugar 1 (y solo 1) carta de generación”", "a second one is refused; none is fine")
def test_one_spawn_card_a_turn(begun: Begun) -> None:
    match = to_spawn(begun, {"imp": 1})
    match.do("spawn", **spawn(match, cells={"imp-2": [[10, 0]]}))
    assert "only one spawn card" in match.refuses("spawn", **spawn(match, cells={"imp-2": [[10, 1]]}))
    to_spawn(begun, {"imp": 1}).do("activations")


@claim("002", "“Paso 2: generación”", "not in the third step, not before drawing")
def test_spawn_cards_in_the_second_step_alone(begun: Begun) -> None:
    match = begun(cards=spawning({"imp": 1})).to_invader()
    assert "second step" in match.refuses("spawn", **spawn(match, cells={"imp-2": [[10, 0]]}))
    match.do("draw")
    match.do("activations")
    assert "second step" in match.refuses("spawn", **spawn(match, cells={"imp-2": [[10, 0]]}))


@claim(
    "002",
    "“en espacios que no tengan línea de visión a ninguna figura marina”",
    "no marine sees any of the base's spaces",
)
def test_spawned_out_of_sight_with_the_whole_base(begun: Begun) -> None:
    table = hall(walls=[((8, y), (9, y)) for y in range(1, 4)])
    match = to_spawn(begun, {"demon": 1}, table=table)
    assert "a marine sees" in match.refuses("spawn", **spawn(match, cells={"demon-1": [[9, 0], [9, 1]]}))
    match.do("spawn", **spawn(match, cells={"demon-1": [[9, 2], [9, 3]]}))


@claim(
    "002",
    "“otras figuras de invasores no bloquean la línea de visión de un marine”",
    "an invader hides nobody who is spawned",
)
def test_invaders_hide_no_spawned_invader(begun: Begun) -> None:
    alone = [{"id": RED, "color": "red", "cells": [[0, 0]]}]
    match = to_spawn(begun, {"trite": 1}, table=hall(12, 1), marines=alone, items=[], teleporters=[])
    match.put(zombie_1=[[5, 0]])
    assert "a marine sees" in match.refuses("spawn", **spawn(match, cells={"trite-1": [[8, 0]]}))


@claim(
    "002",
    "“otras figuras de invasores” (marines are not named)",
    "another marine hides a space, unless the house says otherwise",
    "option spawn_los_marines",
)
@pytest.mark.parametrize(("choice", "hides"), [("block", True), ("pass", False)])
def test_marines_hide_spawned_invaders_by_option(begun: Begun, choice: str, hides: bool) -> None:
    # The green marine stands in the red one's line to (4, 1), which an obstacle hides from himself.
    two = [{"id": RED, "color": "red", "cells": [[0, 0]]}, {"id": GREEN, "color": "green", "cells": [[2, 0]]}]
    table, options = hall(5, 3, blocking=[(3, 0)]), {"spawn_los_marines": choice}
    match = to_spawn(begun, {"trite": 2}, table=table, marines=two, items=[], teleporters=[], options=options)
    cells = {"trite-1": [[4, 0]], "trite-2": [[4, 1]]}
    if hides:
        match.do("spawn", **spawn(match, cells=cells))
    else:
        assert "a marine sees" in match.refuses("spawn", **spawn(match, cells=cells))
        match.do("spawn", **spawn(match, cells={"trite-1": [[4, 0]]}))


@claim("002", "“toma los invasores que se muestran en la carta”", "no other kind, no more than it shows")
def test_only_the_invaders_of_the_card(begun: Begun) -> None:
    match = to_spawn(begun, {"imp": 1})
    assert "no more of" in match.refuses("spawn", **spawn(match, cells={"trite-1": [[10, 0]]}))
    both = {"imp-2": [[10, 0]], "imp-3": [[10, 1]]}
    match = to_spawn(begun, {"imp": 1}, marines=marines(3))
    assert "no more of" in match.refuses("spawn", **spawn(match, cells=both))


@claim("002", "“debe elegir entre los dos grupos diferentes de invasores”", "one half of a divided card, not both")
def test_one_half_of_a_divided_card(begun: Begun) -> None:
    match = to_spawn(begun, {"demon": 1}, {"imp": 1, "zombie": 1})
    mixed = {"demon-1": [[9, 0], [9, 1]], "imp-2": [[10, 0]]}
    for group in (0, 1):
        assert "no more of" in match.refuses("spawn", **spawn(match, group, cells=mixed))
    match.do("spawn", **spawn(match, 1, cells={"imp-2": [[10, 0]], "zombie-2": [[10, 1]]}))


@claim(
    "002",
    "“los coloca en el tablero”; “Si … no puede encontrar un espacio legal …, no puede colocar a esos invasores”",
    "all that find room are placed",
    "mended",
)
def test_all_that_find_room_are_placed(begun: Begun) -> None:
    match = to_spawn(begun, {"trite": 3})
    for cells in ({}, {"trite-1": [[10, 0]]}, {"trite-1": [[10, 0]], "trite-2": [[10, 1]]}):
        assert "still finds a space" in match.refuses("spawn", **spawn(match, cells=cells))
    match.do("spawn", **spawn(match, cells={f"trite-{n}": [[10, n]] for n in (1, 2, 3)}))


@claim(
    "002",
    "“Si el jugador invasor no puede encontrar un espacio legal en el tablero para uno o más de los invasores”",
    "only as many as there are hidden spaces",
)
def test_without_a_hidden_space_fewer_come(begun: Begun) -> None:
    spaces = [(x, 0) for x in range(9)] + [(8, 1)]
    table = hall(cells=[*spaces, (9, 1)], walls=[((8, 1), (9, 1))])
    two = [{"id": RED, "color": "red", "cells": [[0, 0]]}]
    match = to_spawn(begun, {"trite": 2}, table=table, marines=two, items=[], teleporters=[])
    match.do("frag", by=JUDGE, figure=IMP)
    match.put(red_marine=[[8, 0]])
    assert "still finds" in match.refuses("spawn", **spawn(match, cells={}))
    match.do("spawn", **spawn(match, cells={"trite-1": [[9, 1]]}))


@claim(
    "002",
    "“Después de que los invasores generados se colocan en el tablero, la carta de generación usada se coloca "
    "en la pila de descarte”",
    "it is discarded",
)
def test_the_spawn_card_is_discarded(begun: Begun) -> None:
    match = to_spawn(begun, {"imp": 1})
    card = match.game.deck.hand[0]
    match.do("spawn", **spawn(match, cells={"imp-2": [[10, 0]]}))
    assert match.game.deck.discard[-1] == card


@claim(
    "002",
    "“no puede colocar más invasores en el tablero que las figuras disponibles”",
    "an empty box brings nobody, and need not be emptied",
)
def test_no_more_invaders_than_figures(begun: Begun) -> None:
    match = to_spawn(begun, {"imp": 2}, marines=marines(2))
    match.put(imp_1=[[6, 1]])
    match.do("spawn", **spawn(match, cells={"imp-2": [[10, 0]]}))
    assert [p.id for p in match.game.standing() if p.kind == "imp"] == ["imp-1", "imp-2"]


@claim(
    "002",
    "“puede optar por eliminar una figura invasora del tablero, para que esa figura esté disponible para su "
    "colocación inmediata”",
    "only when all are in use, and it is placed at once",
)
def test_a_figure_is_freed_only_when_all_are_in_use(begun: Begun) -> None:
    match = to_spawn(begun, {"imp": 1}, marines=marines(1))
    assert "at once" in match.refuses("spawn", **spawn(match, removed=[IMP], cells={}))
    match.do("spawn", **spawn(match, removed=[IMP], cells={IMP: [[10, 0]]}))
    assert match.game.piece(IMP).cells == ((10, 0),)
    match = to_spawn(begun, {"imp": 1}, marines=marines(2))
    assert "the box still has" in match.refuses("spawn", **spawn(match, removed=[IMP], cells={IMP: [[10, 0]]}))


# Step 3: activations


@claim("002", "“puede activar cada invasor en el tablero una vez”", "once each; he need not; the spawned act, too")
def test_each_invader_once(begun: Begun) -> None:
    match = to_spawn(begun, {"imp": 1})
    match.do("spawn", **spawn(match, cells={"imp-2": [[10, 0]]}))
    match.do("activations")
    match.act("imp-2").do("end")
    assert "has acted" in match.refuses("activate", figure="imp-2")
    match.act(ZOMBIE).do("end")
    match.do("end")
    assert match.game.round == 2


@claim("002", "“declara qué invasor se está activando”", "one after the other, marines never")
def test_one_invader_after_the_other(begun: Begun) -> None:
    match = begun().to_activations().act(IMP)
    assert "end the running activation" in match.refuses("activate", figure=ZOMBIE)
    match.do("end")
    assert "not an invader" in match.refuses("activate", figure=RED)


@claim(
    "002",
    "“puede mover un número de espacios hasta su puntuación de movimiento y realizar un ataque … antes, "
    "después o en cualquier momento”",
    "2 steps, attack, 2 steps; no second attack",
)
def test_an_invader_moves_attacks_and_moves_on(begun: Begun) -> None:
    places = {"red_marine": [[3, 1]], "zombie_1": [[11, 0]], "zombie_3": [[11, 1]]}
    match = begun(hall(), places=places).to_activations().act(IMP)
    match.do("move", figure=IMP, cells=[[6, 3]])
    match.shoot(RED, "imp", faces=(NOTHING, NOTHING))
    match.do("resolve")
    assert "no attack is left" in match.refuses("attack", **match.shot(RED, "imp"))
    match.do("move", figure=IMP, cells=[[8, 3]])
    match.refuses("move", figure=IMP, cells=[[9, 3]])


@claim(
    "002",
    "“La figura del invasor Akilled simplemente se retira del tablero y está disponible para aparecer una vez más”",
    "its figure is spawned again in the next turn",
)
def test_a_dead_invader_is_free_again(begun: Begun) -> None:
    match = begun(cards=spawning({"imp": 1}), marines=marines(1)).begin("advance")
    match.do("damage", by=JUDGE, figure=IMP, amount=2)
    assert not match.game.piece(IMP).on_table
    match.to_invader().do("draw")
    match.do("spawn", **spawn(match, cells={IMP: [[10, 0]]}))
    match.do("activations")
    match.act(IMP)


# Movement


@claim(
    "002", "“cualquier espacio adyacente (incluidos los espacios diagonales)”", "eight directions, one space a point"
)
@pytest.mark.parametrize("step", [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)])
def test_eight_directions(begun: Begun, step: tuple[int, int]) -> None:
    match = begun(hall(), places={"red_marine": [[2, 1]], "green_marine": [[0, 3]]}).begin("advance")
    match.do("move", figure=RED, cells=[[2 + step[0], 1 + step[1]]])
    assert match.game.the_turn().movement == 3


@claim(
    "002",
    "“deben permanecer completamente en el tablero en todo momento”",
    "no step off the board, no cut across a hole, no half base outside",
)
def test_on_the_board_all_the_time(begun: Begun) -> None:
    holes = hall(cells=[(x, y) for x in range(5) for y in range(4) if x != 2])
    match = begun(holes, places={"green_marine": [[0, 3]]}, items=[], teleporters=[]).begin("sprint")
    match.refuses("move", figure=RED, cells=[[3, 0]])
    match.refuses("move", figure=RED, cells=[[2, 0]])
    row = hall(12, 3)
    match = begun(row, places={"mancubus_1": [[8, 0], [9, 0], [8, 1], [9, 1]]}, teleporters=[]).to_activations()
    match.act("mancubus-1")
    match.refuses("move", figure="mancubus-1", cells=[[8, 2], [9, 2], [8, 3], [9, 3]])


@claim(
    "002",
    "“pueden atravesar espacios ocupados por figuras amigas”",
    "a friend in a row is passed at no extra cost, marine and invader alike",
)
def test_friends_are_passed(begun: Begun) -> None:
    row = hall(12, 1)
    match = begun(row, places={"green_marine": [[1, 0]]}, items=[], teleporters=[]).begin("advance")
    match.do("move", figure=RED, cells=[[2, 0]])
    assert match.game.the_turn().movement == 2
    match.put(zombie_1=[[9, 0]], imp_1=[[10, 0]])
    match.to_activations().act(IMP).do("move", figure=IMP, cells=[[8, 0]])
    assert match.game.the_turn().movement == 2


@claim(
    "002",
    "“deben terminar su turno en un espacio vacío”; “Los ataques pueden realizarse en cualquier momento "
    "durante el movimiento”",
    "a stop in a friend's space: to attack, open a door, pick up a token",
    "mended",
)
@pytest.mark.parametrize("what", ["attack", "door", "take"])
def test_a_stop_in_a_friends_space(begun: Begun, what: str) -> None:
    table = hall(12, 1, doors={"d1": ((2, 0), (3, 0))})
    token = [{"id": "rockets", "kind": "ammo", "cell": [2, 0], "what": "rockets"}]
    match = begun(table, places={"red_marine": [[1, 0]], "green_marine": [[2, 0]]}, items=token, teleporters=[])
    match.begin("advance")
    match.do("move", figure=RED, cells=[[2, 0]])
    assert match.game.piece(RED).cells == match.game.piece(GREEN).cells
    if what == "door":
        match.do("door", door="d1", open=True)
        match.do("move", figure=RED, cells=[[3, 0]])
        return
    if what == "attack":
        match.put(zombie_1=[[0, 0]])
        match.shoot(ZOMBIE)
        match.do("resolve")
        assert not match.game.piece(ZOMBIE).on_table
    else:
        match.do("take", item="rockets")
        assert match.game.equipment[RED].ammo["rockets"] == 1
    match.do("move", figure=RED, cells=[[1, 0]])


@claim(
    "002",
    "“deben terminar su turno en un espacio vacío”",
    "no end of the turn in a friend's space, and no stop there with the last point",
    "mended",
)
def test_a_turn_ends_on_an_empty_space(begun: Begun) -> None:
    match = begun(hall(), places={"green_marine": [[1, 0]]}).begin("advance")
    match.do("move", figure=RED, cells=[[1, 0]])
    assert "ends on empty spaces" in match.refuses("end")
    match.do("move", figure=RED, cells=[[2, 0]])
    match.do("end")
    match = begun(hall(), places={"green_marine": [[4, 0]]}).begin("advance")
    assert match.refuses("move", figure=RED, cells=[[4, 0]])


@claim(
    "002",
    "“deben terminar su turno en un espacio vacío”",
    "a friend that the own shot kills does not matter; a friend in the way of sight does",
    "silent",
)
def test_sight_from_a_friends_space_starts_there(begun: Begun) -> None:
    places = {"green_marine": [[1, 0]], "zombie_1": [[4, 0]]}
    match = begun(hall(12, 1), places=places, items=[], teleporters=[]).begin("advance")
    assert "does not see" in match.refuses("attack", **match.shot(ZOMBIE))
    match.do("move", figure=RED, cells=[[1, 0]])
    match.shoot(ZOMBIE)
    assert match.game.pending.range == 3


@claim(
    "002",
    "“no pueden entrar o atravesar puertas cerradas, bloquear obstáculos o figuras enemigas”",
    "each of the three stops, for both sides",
)
@pytest.mark.parametrize("stop", ["enemy", "door", "obstacle", "wall"])
def test_what_stops_a_move(begun: Begun, stop: str) -> None:
    between = ((1, 0), (2, 0))
    table = hall(
        8,
        1,
        walls=[between] if stop == "wall" else [],
        doors={"d1": between} if stop == "door" else None,
        blocking=[(2, 0)] if stop == "obstacle" else [],
    )
    match = begun(table, items=[], teleporters=[])
    match.put(green_marine=[[6, 0]], red_marine=[[0, 0]])
    if stop == "enemy":
        match.put(zombie_1=[[2, 0]])
    match.begin("sprint")
    for column in (2, 3, 4):
        match.refuses("move", figure=RED, cells=[[column, 0]])
    match.do("move", figure=RED, cells=[[1, 0]])


@claim(
    "002",
    "“mueve su figura, un espacio a la vez”",
    "to stay is no move: it neither uses up the attack of ready nor ends a stay on an obstacle",
    "mended",
)
def test_to_stay_is_no_move(begun: Begun) -> None:
    match = begun().begin("ready")
    assert "stands there already" in match.refuses("move", figure=RED, cells=[[0, 0]])
    match.shoot(ZOMBIE)


@claim(
    "002",
    "“Las figuras pueden moverse con seguridad junto a las figuras enemigas o alrededor de ellas”",
    "no wound, no cost",
)
def test_past_enemies_unharmed(begun: Begun) -> None:
    match = begun(hall(), places={"zombie_1": [[1, 1]], "zombie_3": [[3, 1]], "green_marine": [[0, 3]]}).begin(
        "advance"
    )
    match.do("move", figure=RED, cells=[[4, 0]])
    assert (match.game.the_turn().movement, match.game.piece(RED).harm) == (0, 0)


@claim("002", "“un trillado tiene una velocidad de movimiento de 5”", "a trite moves five, not six")
def test_a_trite_moves_five(begun: Begun) -> None:
    match = begun(hall(14, 4), places={"trite_1": [[7, 0]]}).to_activations().act("trite-1")
    match.refuses("move", figure="trite-1", cells=[[13, 0]])
    match.do("move", figure="trite-1", cells=[[12, 0]])


# Attacks


@claim(
    "002",
    "“Los ataques cuerpo a cuerpo solo se pueden declarar contra espacios adyacentes”",
    "next to it, also diagonally, not two spaces off, not through a wall",
)
def test_melee_needs_an_adjacent_space(begun: Begun) -> None:
    match = begun(hall(walls=[((0, 0), (0, 1))]), places={"green_marine": [[0, 3]], "zombie_1": [[2, 0]]}).begin(
        "unload"
    )
    assert "adjacent" in match.refuses("attack", **match.shot(ZOMBIE, "fist"))
    match.put(zombie_1=[[0, 1]])
    match.refuses("attack", **match.shot(ZOMBIE, "fist"))
    for cells in ([[1, 0]], [[1, 1]]):
        match.put(zombie_1=cells)
        match.shoot(ZOMBIE, "fist", faces=(NOTHING,))
        match.do("resolve")


@claim(
    "002",
    "“acceso a las armas de puño, pistola y granadas (aunque las pistolas y granadas todavía requieren fichas "
    "de munición)”",
    "fist always, pistol and grenade with tokens",
)
def test_fist_pistol_and_grenade(begun: Begun) -> None:
    match = begun(places={"zombie_1": [[1, 0]]}).begin("unload")
    assert "no rockets left" in match.refuses("attack", **match.shot(ZOMBIE, "grenade")).replace("Rockets", "rockets")
    match.shoot(ZOMBIE, "fist", faces=(NOTHING,))


@claim(
    "002",
    "“no puede utilizar ninguna otra arma a menos que haya adquirido la ficha de arma”",
    "the shotgun only after its token",
)
def test_other_weapons_need_their_token(begun: Begun) -> None:
    match = begun(places={"red_marine": [[2, 0]]}).begin("unload")
    assert "name a weapon" in match.refuses("attack", **match.shot(ZOMBIE, "shotgun"))
    match.do("take", item="shotgun-token")
    match.shoot(ZOMBIE, "shotgun")


@claim(
    "002",
    "“Si un marine no tiene al menos una ficha de munición de un tipo específico, no puede declarar un ataque”",
    "after the last bullet the pistol is refused",
)
def test_no_token_no_attack(begun: Begun) -> None:
    match = begun(marines=marines(3), items=[]).begin("unload")
    for _ in range(2):
        match.shoot(ZOMBIE, faces=(face(0, 0, ammo=True), face(0, 0, ammo=True)))
        match.do("resolve")
    assert match.game.equipment[RED].ammo["bullets"] == 0
    match.to_activations().do("end")
    match.do("action", action="unload")
    assert "left for" in match.refuses("attack", **match.shot(ZOMBIE))


@claim(
    "002",
    "“designa un espacio para atacar, y no necesariamente otra figura”",
    "an empty space may be attacked, with and without a blast",
)
@pytest.mark.parametrize("weapon", ["pistol", "grenade"])
def test_an_empty_space_may_be_attacked(begun: Begun, weapon: str) -> None:
    rockets = [{"id": "r", "kind": "ammo", "cell": [0, 0], "what": "rockets", "count": 3}]
    match = begun(items=rockets).begin("unload")
    match.do("take", item="r")
    match.shoot([3, 0], weapon)
    match.do("resolve")
    assert {piece.harm for piece in match.game.standing()} == {0}


@claim(
    "002",
    "“la figura única que ocupa el espacio designado también se considera el objetivo”",
    "without a blast only the figure on the space is wounded",
)
def test_without_a_blast_one_figure(begun: Begun) -> None:
    match = begun(places={"zombie_1": [[3, 0]], "zombie_3": [[3, 1]]}).begin("unload")
    match.shoot([3, 0])
    assert match.game.pending.targets == (ZOMBIE,)
    match.do("resolve")
    assert not match.game.piece(ZOMBIE).on_table
    assert match.game.piece("zombie-3").on_table


@claim(
    "002",
    "“designa un espacio”: a friend's space with a weapon without a blast",
    "refused, unless the house allows it",
    "option friendly_fire",
)
@pytest.mark.parametrize("choice", ["refused", "allowed"])
def test_a_friends_space_by_option(begun: Begun, choice: str) -> None:
    match = begun(places={"green_marine": [[3, 0]]}, options={"friendly_fire": choice}).begin("unload")
    if choice == "refused":
        assert "no attack on a friend" in match.refuses("attack", **match.shot(GREEN))
        return
    match.shoot([3, 0])
    match.do("resolve")
    assert match.game.piece(GREEN).harm == 2


@claim(
    "002",
    "“designa un espacio”: the own space with a blast",
    "refused, unless the house allows it; it hits the thrower, too",
    "option own_space",
)
@pytest.mark.parametrize("choice", ["refused", "blasts"])
def test_the_own_space_by_option(begun: Begun, choice: str) -> None:
    rockets = [{"id": "r", "kind": "ammo", "cell": [0, 0], "what": "rockets", "count": 3}]
    match = begun(items=rockets, options={"own_space": choice}, places={"zombie_1": [[1, 0]]}).begin("unload")
    match.do("take", item="r")
    if choice == "refused":
        assert "own space" in match.refuses("attack", **match.shot([0, 0], "grenade"))
        return
    match.shoot([0, 0], "grenade", faces=(face(0, 1), face(0, 1)))
    match.do("resolve")
    assert match.game.piece(RED).harm == 1
    assert not match.game.piece(ZOMBIE).on_table
    assert "own space" in match.refuses("attack", **match.shot([0, 0], "pistol"))


@claim(
    "002",
    "“La línea de visión está bloqueada por paredes, puertas cerradas, otras figuras y obstáculos de bloqueo”",
    "each of the four; an open door does not",
)
@pytest.mark.parametrize("stop", ["wall", "door", "figure", "friend", "obstacle", "open door"])
def test_what_blocks_sight(begun: Begun, stop: str) -> None:
    between = ((2, 0), (3, 0))
    table = hall(
        8,
        1,
        walls=[between] if stop == "wall" else [],
        doors={"d1": between} if "door" in stop else None,
        blocking=[(3, 0)] if stop == "obstacle" else [],
    )
    match = begun(table, items=[], teleporters=[])
    match.put(red_marine=[[0, 0]], green_marine=[[7, 0]], zombie_1=[[5, 0]])
    if stop == "figure":
        match.put(zombie_3=[[3, 0]])
    if stop == "friend":
        match.put(green_marine=[[3, 0]])
    if stop == "open door":
        match.do("see", document={**table, "doors": [{**table["doors"][0], "open": True}]})
    match.begin("unload")
    if stop == "open door":
        match.shoot(ZOMBIE)
    else:
        assert re.search("does not see|no path", match.refuses("attack", **match.shot(ZOMBIE)))


@claim(
    "002",
    "“solo necesita trazar una línea de visión desde el centro de uno de los espacios que ocupa”",
    "a mancubus shoots from the space that sees",
)
def test_a_large_attacker_sees_from_any_of_its_spaces(begun: Begun) -> None:
    table = hall(12, 4, walls=[((6, 2), (7, 2)), ((6, 3), (7, 3))])
    match = begun(table, places={"mancubus_1": [[7, 1], [8, 1], [7, 2], [8, 2]], "red_marine": [[3, 1]]})
    match.put(imp_1=[[11, 3]], zombie_1=[[11, 2]], zombie_3=[[11, 1]], green_marine=[[0, 3]])
    match.to_activations().act("mancubus-1").shoot(RED, "mancubus")
    assert match.game.pending.attacker == "mancubus-1"


@claim(
    "004",
    "“Line of sight can be traced to or from the center of any of those spaces”",
    "the half of a demon that shows is enough",
)
def test_a_large_target_is_seen_by_any_of_its_spaces(begun: Begun) -> None:
    table = hall(12, 4, walls=[((3, 1), (4, 1)), ((3, 2), (4, 2)), ((3, 3), (4, 3))])
    match = begun(table, places={"demon_1": [[5, 0], [5, 1]], "zombie_1": [[11, 0]], "green_marine": [[0, 3]]})
    match.begin("unload").shoot("demon-1")


@claim(
    "002",
    "“el camino más corto que puede trazar hasta su objetivo son 4 espacios. Por tanto, el alcance de su "
    "ataque es de 4”",
    "the target's space counts, the own does not",
)
def test_the_printed_range(begun: Begun) -> None:
    match = begun(hall(), places={"zombie_1": [[4, 2]], "green_marine": [[0, 3]]}).begin("unload")
    match.shoot(ZOMBIE)
    assert match.game.pending.range == 4


@claim(
    "002", "“al atacar con la pistola, el jugador marino tira un dado amarillo y uno verde”", "other dice are refused"
)
def test_the_dice_of_the_sheet(begun: Begun) -> None:
    match = begun().begin("unload")
    wrong = {**match.shot(ZOMBIE), "dice": [["yellow", HIT], ["red", HIT]]}
    assert "roll these dice" in match.refuses("attack", **wrong)
    one = {**match.shot(ZOMBIE), "dice": [["yellow", HIT]]}
    match.refuses("attack", **one)


@claim(
    "002", "“6 dados personalizados”", "a weapon or an invader with seven dice is refused with its mission", "mended"
)
@pytest.mark.parametrize("where", ["weapons", "invaders"])
def test_the_box_has_six_dice(build: ModuleType, where: str) -> None:
    base = build.mission(build.KNEE_DEEP)
    many = {"red": 4, "green": 3}
    weapons = {**base.setup["weapons"], "cannon": {"dice": many}} if where == "weapons" else base.setup["weapons"]
    kinds = [{**each, "dice": many} if each["kind"] == "imp" else each for each in base.setup["invaders"]]
    setup = {**base.setup, "weapons": weapons, "invaders": kinds if where == "invaders" else base.setup["invaders"]}
    with pytest.raises(BadValue, match="six dice"):
        mission_from_fields({"ruleset": "doom2004", "title": "x", "setup": setup})


@claim("002", "“Si lo hizo, el ataque falla automáticamente”", "a miss face beats range and damage")
def test_a_miss_face_misses(begun: Begun) -> None:
    match = begun().begin("unload")
    match.shoot(ZOMBIE, faces=(face(9, 9), face(9, 9, miss=True)))
    match.do("resolve")
    assert match.game.piece(ZOMBIE).on_table


@claim(
    "002", "“si el alcance total … es igual o mayor que el alcance necesario”", "range 5: a sum of 5 hits, of 4 misses"
)
@pytest.mark.parametrize(("second", "hits"), [(2, True), (1, False)])
def test_the_sum_of_the_ranges(begun: Begun, second: int, hits: bool) -> None:
    match = begun().begin("unload")
    match.shoot(ZOMBIE, faces=(face(3, 2), face(second, 2)))
    assert match.game.pending.range == 5
    match.do("resolve")
    assert match.game.piece(ZOMBIE).on_table is not hits


@claim(
    "002",
    "“Un ataque causa 1 herida por cada incremento de daño igual al índice de armadura”; “7 de daño … aún "
    "causaría solo 3 heridas”",
    "4, 7 and 1 against 2 are 2, 3 and 0; 3 against 3 is 1",
)
@pytest.mark.parametrize(
    ("target", "damage", "wounds"), [(RED, 4, 2), (RED, 7, 3), (RED, 1, 0), ("demon-1", 3, 1), ("demon-1", 5, 1)]
)
def test_wounds_by_armour(begun: Begun, target: str, damage: int, wounds: int) -> None:
    if target == RED:
        match = begun(places={"red_marine": [[5, 1]]}).to_activations().act(IMP)
        match.shoot(RED, "imp", faces=(face(4, damage), NOTHING))
    else:
        match = begun(places={"demon_1": [[3, 0], [4, 0]]}).begin("unload")
        match.shoot("demon-1", faces=(face(4, damage), NOTHING))
    match.do("resolve")
    assert match.game.piece(target).harm == wounds


@claim(
    "002",
    "“La clasificación de armadura de un marine es igual a la cantidad de fichas de armadura”",
    "a token more is armour 3",
)
def test_armour_tokens_are_the_armour(begun: Begun) -> None:
    token = [{"id": "vest", "kind": "armor", "cell": [0, 0]}]
    match = begun(items=token, places={"zombie_1": [[1, 0]]}).begin("advance")
    match.do("take", item="vest")
    match.do("end")
    match.to_activations().act(ZOMBIE).shoot(RED, None, faces=(face(1, 5),))
    match.do("resolve")
    assert match.game.piece(RED).harm == 1


@claim(
    "002",
    "“Cuando un marine saca la última ficha de herida de su contenedor de equipo, se ha roto”",
    "nine wounds frag, eight do not; a frag point",
)
def test_the_last_wound_token(begun: Begun) -> None:
    match = begun().begin("advance")
    match.do("damage", by=JUDGE, figure=GREEN, amount=8)
    assert (match.game.piece(GREEN).on_table, match.game.frags) == (True, 0)
    match.do("damage", by=JUDGE, figure=GREEN, amount=1)
    assert (match.game.piece(GREEN).on_table, match.game.frags) == (False, 1)


@claim(
    "002",
    "“se ha roto” in the own turn",
    "who is fragged in his turn neither moves, attacks, takes nor places an order any more; he ends his turn",
    "mended",
)
def test_who_is_fragged_in_his_turn_does_nothing_more(begun: Begun) -> None:
    match = begun(places={"red_marine": [[2, 0]]}).begin("ready")
    match.do("frag", by=JUDGE, figure=RED)
    for type_, fields in (
        ("order", {"order": "guard"}),
        ("move", {"figure": RED, "cells": [[3, 0]]}),
        ("attack", match.shot(ZOMBIE)),
        ("take", {"item": "shotgun-token"}),
    ):
        assert "not on the board" in match.refuses(type_, **fields)
    match.do("end")


@claim(
    "002",
    "“muere cuando el número de fichas de herida … iguala o supera su índice de herida”",
    "at the value and beyond; wounds add up over attacks",
)
def test_an_invader_dies_at_its_wounds(begun: Begun) -> None:
    match = begun(places={"imp_1": [[3, 0]]}).begin("unload")
    for left in (True, False):
        match.shoot(IMP, faces=(face(4, 2), face(0, 1)))
        match.do("resolve")
        assert match.game.piece(IMP).on_table is left
    assert match.game.frags == 0


# Seed 004


@claim(
    "004",
    "“if a marine teleports into a space containing all or a part of an invader figure, the invader is "
    "automatically killed”",
    "a part is enough; no frag point; mates block",
)
def test_telefrags(begun: Begun) -> None:
    match = begun(places={"red_marine": [[1, 2]], "demon_1": [[6, 3], [7, 3]]}).begin("advance")
    match.do("teleport", teleporter="teleporter-2")
    assert (match.game.piece("demon-1").on_table, match.game.frags) == (False, 0)
    assert match.game.piece(RED).cells == ((7, 3),)


@claim(
    "004",
    "“It is not possible for the invader player to block off teleporters by standing on them”",
    "an invader on the aim does not stop a marine",
)
def test_teleporters_cannot_be_blocked(begun: Begun) -> None:
    match = begun(places={"red_marine": [[1, 2]], "zombie_1": [[7, 3]]}).begin("sprint")
    match.do("teleport", teleporter="teleporter-2")
    assert not match.game.piece(ZOMBIE).on_table


@claim(
    "004",
    "“Oversized figures can only be targeted once by a single attack, even if a blast … covers multiple spaces”",
    "one wound roll for a mancubus under a blast",
)
def test_a_blast_hits_a_large_figure_once(begun: Begun) -> None:
    rockets = [{"id": "r", "kind": "ammo", "cell": [0, 0], "what": "rockets", "count": 3}]
    match = begun(items=rockets, places={"mancubus_1": [[4, 0], [5, 0], [4, 1], [5, 1]], "zombie_1": [[11, 0]]})
    match.put(imp_1=[[11, 2]], zombie_3=[[11, 3]])
    match.begin("unload").do("take", item="r")
    match.shoot([4, 0], "grenade", faces=(face(4, 3), face(0, 0)))
    match.do("resolve")
    assert match.game.piece("mancubus-1").harm == 1


def lava(begun: Begun, **places: Any) -> Match:
    cells = [[x, y] for x in (3, 4, 5, 6, 7) for y in range(4)]
    return begun(hall(), damaging=cells, places=places)


@claim(
    "004",
    "“oversized figures only take 1 wound from damaging obstacles per move, no matter how many spaces”",
    "one wound an activation, told in one move or in three; again in the next",
    "mended",
)
@pytest.mark.parametrize("told", [[5], [7, 6, 5]])
def test_one_obstacle_wound_a_move(begun: Begun, told: list[int]) -> None:
    match = lava(begun, mancubus_1=[[8, 0], [9, 0], [8, 1], [9, 1]], zombie_1=[[11, 0]], imp_1=[[11, 1]])
    match.put(zombie_3=[[11, 2]], green_marine=[[0, 3]])
    match.to_activations().act("mancubus-1")
    for x in told:
        match.do("move", figure="mancubus-1", cells=[[x, 0], [x + 1, 0], [x, 1], [x + 1, 1]])
    assert match.game.piece("mancubus-1").harm == 1
    match.do("end")
    match.do("end")
    match.to_activations().act("mancubus-1")
    match.do("move", figure="mancubus-1", cells=[[4, 0], [5, 0], [4, 1], [5, 1]])
    assert match.game.piece("mancubus-1").harm == 2


@claim(
    "004",
    "“likewise, oversized figures only take 1 wound” (others are not spared)",
    "a figure of one space takes one for each that it enters",
)
def test_small_figures_take_a_wound_for_each_obstacle(begun: Begun) -> None:
    match = lava(begun).begin("advance")
    match.do("move", figure=RED, cells=[[4, 0]])
    assert match.game.piece(RED).harm == 2


@claim(
    "004",
    "“moves one half of its body into a non-diagonal adjacent space while the other half … moves into the "
    "space that the first half just vacated”",
    "the snake step, either half first (option)",
)
def test_a_demon_snakes(begun: Begun) -> None:
    ends = {
        ((4, 1), (5, 1)): 1,
        ((6, 1), (6, 2)): 1,
        ((6, 0), (6, 1)): 1,
        ((7, 1), (8, 1)): 2,
    }
    for cells, cost in ends.items():
        match = begun(hall(), places={"demon_1": [[5, 1], [6, 1]], "imp_1": [[11, 0]], "zombie_1": [[11, 1]]})
        match.put(zombie_3=[[11, 2]])
        match.to_activations().act("demon-1").do("move", figure="demon-1", cells=[list(c) for c in cells])
        assert match.game.the_turn().movement == 4 - cost, cells


@claim(
    "004",
    "“moves to a diagonally adjacent space by moving both halves of its body in the same diagonal direction”",
    "one point diagonally; never straight sideways as a whole",
)
def test_a_demon_sidesteps_diagonally_alone(begun: Begun) -> None:
    match = begun(hall(), places={"demon_1": [[5, 1], [6, 1]], "imp_1": [[11, 0]], "zombie_1": [[11, 1]]})
    match.put(zombie_3=[[11, 2]])
    match.to_activations().act("demon-1").do("move", figure="demon-1", cells=[[6, 2], [7, 2]])
    assert match.game.the_turn().movement == 3
    match.do("move", figure="demon-1", cells=[[6, 3], [7, 3]])
    assert match.game.the_turn().movement < 2, "straight down takes more than one step"


@claim(
    "004",
    "“these figures move like regular figures, and must always occupy four existing spaces”",
    "diagonally for one point; not through a gap of one; not off the board",
)
def test_four_spaces_move_like_one(begun: Begun) -> None:
    table = hall(12, 4, walls=[((5, y), (6, y)) for y in (0, 2, 3)])
    match = begun(table, places={"mancubus_1": [[7, 0], [8, 0], [7, 1], [8, 1]], "imp_1": [[11, 0]]})
    match.put(zombie_1=[[11, 1]], zombie_3=[[11, 3]])
    match.to_activations().act("mancubus-1")
    for cells in ([[5, 0], [6, 0], [5, 1], [6, 1]], [[7, 3], [8, 3], [7, 4], [8, 4]]):
        match.refuses("move", figure="mancubus-1", cells=cells)
    match.do("move", figure="mancubus-1", cells=[[8, 1], [9, 1], [8, 2], [9, 2]])
    assert match.game.the_turn().movement == 2


@claim(
    "004",
    "“chooses one or more of the dice involved in the attack”",
    "no die is refused; one or all are fine",
    "mended",
)
@pytest.mark.parametrize("which", [[], [0], [1], [0, 1]])
def test_one_or_more_dice(begun: Begun, which: list[int]) -> None:
    match = begun(cards=with_events("dodge")).begin("unload")
    match.shoot(IMP)
    match.do("dodge_by_card", figure=IMP, card=match.game.deck.hand[0])
    fields = {"which": which, "rolled_here": False, "faces": [NOTHING for _ in which]}
    if not which:
        assert "one or more" in match.refuses("reroll", **fields)
        return
    match.do("reroll", **fields)


@claim(
    "004",
    "“a dodge (whether via a marine order or the invader dodge card)”",
    "the dodge card is played when an invader is attacked, not for nothing; it dodges for an attacked invader alone",
    "mended",
)
def test_the_dodge_card_is_for_an_attacked_invader(begun: Begun) -> None:
    match = begun(cards=with_events("dodge"), places={"zombie_3": [[11, 3]]}).begin("unload")
    assert "only when an invader is attacked" in match.refuses("play_event", card=match.game.deck.hand[0])
    match.refuses("dodge_by_card", figure=IMP, card=match.game.deck.hand[0])
    match.shoot(IMP)
    for other in ("zombie-3", GREEN):
        assert "not attacked" in match.refuses("dodge_by_card", figure=other, card=match.game.deck.hand[0])


@claim(
    "004",
    "“the attacker rolls those dice again, keeping the new result”",
    "also when it is worse, or better for the attacker",
)
def test_the_new_result_stands(begun: Begun) -> None:
    match = begun(cards=with_events("dodge")).begin("unload")
    match.shoot(ZOMBIE, faces=(NOTHING, HIT))
    match.do("dodge_by_card", figure=ZOMBIE, card=match.game.deck.hand[0])
    match.do("reroll", which=[0], rolled_here=False, faces=[face(4, 4)])
    match.do("resolve")
    assert not match.game.piece(ZOMBIE).on_table


@claim(
    "004",
    "“The player causing the re-roll chooses one or more of the dice”",
    "the dodger's side picks, unless the house says the attacker",
    "option dodge_choice",
)
@pytest.mark.parametrize(("choice", "side"), [("dodger", INVADER), ("attacker", MARINES)])
def test_who_picks_the_dice(begun: Begun, choice: str, side: str) -> None:
    match = begun(cards=with_events("dodge"), options={"dodge_choice": choice}).begin("unload")
    match.shoot(IMP)
    match.do("dodge_by_card", figure=IMP, card=match.game.deck.hand[0])
    other = MARINES if side == INVADER else INVADER
    fields = {"which": [0], "rolled_here": False, "faces": [NOTHING]}
    assert "decides that" in match.refuses("reroll", by=player(other), **fields)
    match.do("reroll", by=player(side), **fields)


@claim(
    "004",
    "“Under no circumstances may a single attack ever be re-rolled more than once”",
    "neither a second re-roll nor a second dodge",
)
def test_never_twice(begun: Begun) -> None:
    match = begun(cards=with_events("dodge")).begin("unload")
    match.shoot(IMP)
    match.do("dodge_by_card", figure=IMP, card=match.game.deck.hand[0])
    match.refuses("dodge_by_card", figure=IMP, card=match.game.deck.hand[0])
    match.do("reroll", which=[0], rolled_here=False, faces=[NOTHING])
    match.refuses("reroll", which=[1], rolled_here=False, faces=[NOTHING])
    match.refuses("dodge_by_card", figure=IMP, card=match.game.deck.hand[0])


def aiming(begun: Begun) -> Match:
    match = begun(cards=with_events("dodge")).begin("ready")
    match.do("order", order="aim")
    match.put(imp_1=[[3, 0]])
    match.shoot(IMP, faces=(face(4, 1), face(4, 0)), aimed=True)
    return match


@claim(
    "004",
    "“then the two effects cancel each other out and the attack is not re-rolled at all”",
    "the dodge first: neither re-rolls",
)
def test_aim_and_dodge_cancel(begun: Begun) -> None:
    match = aiming(begun)
    match.do("dodge_by_card", figure=IMP, card=match.game.deck.hand[0])
    match.refuses("reroll", which=[0], rolled_here=False, faces=[HIT])
    match.do("resolve")
    assert match.game.piece(IMP).harm == 0


@claim(
    "004",
    "“the two effects cancel each other out and the attack is not re-rolled at all”",
    "a dodge after a hasty aimed re-roll brings the first dice back",
    "mended",
)
def test_a_dodge_cancels_an_aimed_re_roll_that_was_too_fast(begun: Begun) -> None:
    match = aiming(begun)
    match.do("reroll", which=[0], rolled_here=False, faces=[face(4, 4)])
    match.do("dodge_by_card", figure=IMP, card=match.game.deck.hand[0])
    match.refuses("reroll", which=[1], rolled_here=False, faces=[HIT])
    assert [shown.damage for _, shown in match.game.pending.dice] == [1, 0]
    match.do("resolve")
    assert match.game.piece(IMP).harm == 0


def thrown(begun: Begun, scatter: list[int] | None, faces: Any = THROWN_WIDE, **setup: Any) -> Match:
    """Throw the red marine's grenade at the zombie three spaces away; each card has that diagram."""
    diagram = {} if scatter is None else {"scatter": scatter}
    cards = {f"event-{n}": {"name": f"Card {n}", **diagram} for n in range(setup.pop("deck", 12))}
    rockets = [{"id": "r", "kind": "ammo", "cell": [0, 0], "what": "rockets", "count": 4}]
    places = {"zombie_1": [[3, 1]], "imp_1": [[6, 1]], "zombie_3": [[11, 3]], **setup.pop("places", {})}
    match = begun(setup.pop("table", None), items=rockets, cards=cards, places=places, **setup).begin("unload")
    match.do("take", item="r")
    match.shoot(ZOMBIE, "grenade", faces)
    return match


@claim(
    "004",
    "“whether they missed because of insufficient range or by a miss result”",
    "both scatter; a hit and a pistol do not",
)
@pytest.mark.parametrize("faces", [(MISS, face(6, 2)), (face(1, 2), face(0, 2))])
def test_a_missed_blast_scatters(begun: Begun, faces: Any) -> None:
    match = thrown(begun, [3, 0], faces)
    match.do("resolve")
    assert match.game.pending.scatters
    hit = thrown(begun, [3, 0], (face(3, 2), face(0, 2)))
    hit.do("resolve")
    assert hit.game.pending is None
    pistol = begun().begin("unload")
    pistol.shoot(ZOMBIE, faces=(MISS, MISS))
    pistol.do("resolve")
    assert pistol.game.pending is None


@claim(
    "004",
    "“the attack will hit this new space instead of its original target”",
    "the figure there is hit, the first one is not",
)
def test_the_new_space_instead_of_the_old(begun: Begun) -> None:
    match = thrown(begun, [3, 0])
    match.do("resolve")
    match.do("scatter")
    assert match.game.piece(ZOMBIE).harm == 0
    assert not match.game.piece(IMP).on_table


@claim(
    "004",
    "“Turn it so that the compass rose on the card is facing the same direction as the compass rose token”",
    "the diagram turns with the token",
)
@pytest.mark.parametrize(("compass", "lands"), [(0, (6, 1)), (2, (0, 1)), (1, None), (3, None)])
def test_the_compass(begun: Begun, compass: int, lands: tuple[int, int] | None) -> None:
    match = thrown(begun, [3, 0], compass=compass)
    match.do("resolve")
    match.do("scatter")
    told = match.played.session.timeline.done.event.command
    assert told.lands == lands


@claim(
    "004",
    "“does not pass through any walls, blocking obstacles, or through a closed door”",
    "each of the three lets it fizzle; a figure on the way does not",
)
@pytest.mark.parametrize("stop", ["wall", "door", "obstacle", "figure"])
def test_what_stops_a_scattered_shot(begun: Begun, stop: str) -> None:
    between = [((4, y), (5, y)) for y in range(4)]
    table = hall(
        walls=between if stop == "wall" else between[:1] + between[2:] if stop == "door" else [],
        doors={"d1": between[1]} if stop == "door" else None,
        blocking=[(5, y) for y in range(4)] if stop == "obstacle" else [],
    )
    places = {"zombie_3": [[5, 1]]} if stop == "figure" else {}
    match = thrown(begun, [3, 0], table=table, places=places)
    match.do("resolve")
    title = str(match.do("scatter").title)
    assert ("harmlessly" in title) is (stop != "figure")
    assert match.game.piece(IMP).on_table is (stop != "figure")


@claim(
    "004",
    "“If such a card is drawn, there is no scatter movement and the attack explodes harmlessly and with no effect”",
    "the miss icon",
)
def test_the_miss_icon(begun: Begun) -> None:
    match = thrown(begun, None)
    match.do("resolve")
    match.do("scatter")
    assert {piece.harm for piece in match.game.standing()} == {0}


@claim(
    "004",
    "“If this was the last card in the deck, the invader player scores an automatic frag point, and then "
    "reshuffles the discard pile into a new invader deck”",
    "at once: a card that is played afterwards stays on the discards",
    "mended",
)
def test_scatter_uses_up_the_last_card(begun: Begun) -> None:
    match = thrown(begun, [1, 0], deck=6)
    match.do("resolve")
    drawn = match.game.pending.scatter_card
    assert (match.game.frags, match.game.deck.pile, match.game.deck.discard) == (1, (drawn,), ())
    card = match.game.deck.hand[0]
    match.do("play_event", card=card)
    match.do("scatter")
    assert (match.game.deck.pile, match.game.deck.discard) == ((drawn,), (card,))


@claim("004", "“The drawn invader card is discarded after use”", "it lies on the discards")
def test_the_scatter_card_is_discarded(begun: Begun) -> None:
    match = thrown(begun, [1, 0])
    match.do("resolve")
    assert match.game.deck.discard[-1] == match.game.pending.scatter_card
    assert match.game.frags == 0


@claim(
    "004",
    "“the invader player can quickly interrupt and play his card before the attack is resolved”",
    "after the dice, not after the result; only when a marine attacks an invader",
    "mended",
)
def test_dark_energies_between_dice_and_result(begun: Begun) -> None:
    match = begun(cards=with_events("dark")).begin("unload")
    match.do("damage", by=JUDGE, figure=IMP, amount=1)
    card = match.game.deck.hand[0]
    assert "before an attack" in match.refuses("play_event", card=card, figure=IMP)
    match.shoot([1, 1])
    assert "before an attack" in match.refuses("play_event", card=card, figure=IMP)
    match.do("resolve")
    match.shoot(ZOMBIE)
    match.do("play_event", card=card, figure=IMP)
    assert match.game.piece(IMP).harm == 0
    match.do("resolve")
    assert "before an attack" in match.refuses("play_event", card=match.game.deck.hand[0], figure=IMP)


@claim("004", "“Remove 1 wound from an invader of your choice”", "one, of an invader who has one; never of a marine")
def test_dark_energies_heals_one_wound_of_an_invader(begun: Begun) -> None:
    match = begun(cards=with_events("dark")).begin("unload")
    match.put(mancubus_1=[[9, 2], [10, 2], [9, 3], [10, 3]])
    match.do("damage", by=JUDGE, figure="mancubus-1", amount=3)
    match.do("damage", by=JUDGE, figure=GREEN, amount=1)
    match.shoot(ZOMBIE)
    card = match.game.deck.hand[0]
    for figure in (GREEN, IMP):
        assert "not an invader with wounds" in match.refuses("play_event", card=card, figure=figure)
    match.do("play_event", card=card, figure="mancubus-1")
    assert match.game.piece("mancubus-1").harm == 2


def guarded(begun: Begun) -> Match:
    match = begun(hall(), places={"red_marine": [[3, 1]], "zombie_1": [[11, 0]], "zombie_3": [[11, 3]]})
    match.begin("ready").do("order", order="guard")
    match.put(imp_1=[[6, 1]])
    return match.to_activations().act(IMP)


@claim(
    "004",
    "“This is also true for the marine guard order”",
    "the guard goes before an announced attack; if the attacker dies, that attack is gone",
)
def test_the_guard_goes_first(begun: Begun) -> None:
    match = guarded(begun)
    match.shoot(RED, "imp")
    match.shoot(IMP, guard=RED, faces=(face(4, 4), face(0, 0)))
    match.do("resolve")
    assert (match.game.piece(IMP).on_table, match.game.pending) == (False, None)
    assert match.game.piece(RED).harm == 0


@claim("004", "“always receives precedence”", "an attacker who survives the guard goes on with his dice")
def test_an_attack_goes_on_after_the_guard(begun: Begun) -> None:
    match = guarded(begun)
    match.shoot(RED, "imp", faces=(face(4, 2), face(0, 0)))
    match.shoot(IMP, guard=RED, faces=(NOTHING, NOTHING))
    match.do("resolve")
    match.do("resolve")
    assert match.game.piece(RED).harm == 1
    assert match.game.piece(RED).marks == ()


@claim(
    "002",
    "“más adelante en la ronda, a menudo durante el turno del jugador invasor”",
    "a guard never shoots in a marine's turn",
)
def test_a_guard_waits_for_the_invaders_turn(begun: Begun) -> None:
    match = begun(places={"zombie_1": [[3, 0]]}).begin("ready")
    match.do("order", order="guard")
    match.do("end")
    assert "does not guard now" in match.refuses("attack", **match.shot(ZOMBIE), guard=RED)


@claim(
    "004",
    "“after the invader player has discarded down to 8 cards for the turn, but before he has activated his "
    "first invader”",
    "also after spawning; not before drawing, not after the first activation",
)
def test_the_start_of_the_invaders_turn(begun: Begun) -> None:
    match = begun(cards=with_events("start")).begin("sprint")
    late = "after discarding"
    assert late in match.refuses("play_event", card=match.game.deck.hand[0])
    match.to_invader()
    assert late in match.refuses("play_event", card=match.game.deck.hand[0])
    match.do("draw")
    match.do("play_event", card=match.game.deck.hand[0])
    match.do("activations")
    match.do("play_event", card=match.game.deck.hand[0])
    match.act(IMP).do("end")
    assert late in match.refuses("play_event", card=match.game.deck.hand[0])


@claim(
    "004",
    "““Play immediately before a marine takes his turn” can be played until the marine player declares his action”",
    "for each marine, not after",
)
def test_before_a_marine_takes_his_turn(begun: Begun) -> None:
    match = begun(cards=with_events("before")).begin()
    for _ in range(2):
        match.do("play_event", card=match.game.deck.hand[0])
        match.do("action", action="sprint")
        assert "before a marine declares" in match.refuses("play_event", card=match.game.deck.hand[0])
        match.do("end")
    assert "before a marine declares" in match.refuses("play_event", card=match.game.deck.hand[0])


# What a second reading of the seeds asked


@claim(
    "002",
    "“66 miniaturas de plástico … 84 Cartas”",
    "a scenario with more figures or cards is refused by name",
    "mended",
)
@pytest.mark.parametrize("field", ["invaders", "cards"])
def test_a_scenario_fits_the_box(build: ModuleType, field: str) -> None:
    base = build.mission(build.KNEE_DEEP)
    first = base.setup["invaders"][0]
    many = {
        "invaders": [{**first, "figures": {f"{first['kind']}-{n}": "red" for n in range(64)}, "cells": {}}],
        "cards": {f"c{n}": {"name": "C"} for n in range(85)},
    }
    with pytest.raises(BadValue, match="the box holds") as refused:
        build.begun(build.with_setup(base, **{field: many[field], "areas": []}))
    assert field in str(refused.value)


@claim(
    "002",
    "“puede realizar hasta 2 ataques durante el turno, pero no puede moverse”",
    "nor teleport; a token underfoot he takes",
)
def test_unload_does_not_teleport(begun: Begun) -> None:
    ports = [{"id": "t1", "cell": [1, 1]}, {"id": "t2", "cell": [6, 1]}]
    token = [{"id": "i", "kind": "ammo", "what": "bullets", "cell": [1, 1]}]
    match = begun(hall(), places={"red_marine": [[1, 1]]}, teleporters=ports, items=token).begin("unload")
    assert "movement" in match.refuses("teleport", teleporter="t2")
    match.do("take", item="i")


@claim("002", "“los jugadores marinos … recogen nuevas armas y equipos”", "an invader takes no token")
def test_invaders_take_nothing(begun: Begun) -> None:
    token = [{"id": "i", "kind": "ammo", "what": "bullets", "cell": [4, 1]}]
    match = begun(hall(), places={"imp_1": [[4, 1]]}, items=token).to_activations().act(IMP)
    assert "only marines" in match.refuses("take", item="i")


@claim(
    "002",
    "“el jugador invasor debe robar … puede jugar 1 carta de generación … puede activar”",
    "the marines' device does none of it",
)
def test_the_marines_device_does_nothing_of_the_invaders_turn(begun: Begun) -> None:
    match = begun(hall()).to_invader()
    for type_, fields in (("draw", {}), ("spawn", {"card": "x"}), ("activations", {})):
        with pytest.raises(NotYours):
            match.do(type_, by=player(MARINES), **fields)


@claim(
    "002", "“un jugador marino debe elegir una acción”", "the invader's device neither declares, moves, orders nor ends"
)
def test_the_invaders_device_does_nothing_of_a_marines_turn(begun: Begun) -> None:
    match = begun(hall(), places={"red_marine": [[1, 1]]}).begin()
    steps: list[tuple[str, dict[str, Any]]] = [
        ("action", {"action": "ready"}),
        ("order", {"order": "aim"}),
        ("move", {"figure": RED, "cells": [[2, 1]]}),
        ("end", {}),
    ]
    for type_, fields in steps:
        with pytest.raises(NotYours):
            match.do(type_, by=player(INVADER), **fields)


@claim("002", "“Para comenzar el turno del invasor, … debe robar”", "once, and before anything else of the turn")
def test_the_invader_draws_once(begun: Begun) -> None:
    match = begun(hall()).to_invader()
    assert "third step" in match.refuses("activate", figure=IMP)
    match.do("draw")
    assert "beginning" in match.refuses("draw")


@claim("002", "“puede colocar 1 pedido”", "an order to heal is a medic's")
def test_only_a_medic_heals(begun: Begun) -> None:
    match = begun(hall()).begin("ready")
    assert "only a medic" in match.refuses("order", order="heal")


@claim(
    "002",
    "“Estas órdenes otorgan … habilidades especiales más adelante en la ronda”",
    "an order that nobody used stays, but for a guard's",
)
def test_an_unused_order_stays(begun: Begun) -> None:
    match = begun(hall()).begin("ready")
    match.do("order", order="dodge")
    match.do("end")
    match.to_activations()
    match.do("end")
    assert (match.game.piece(RED).marks, match.game.round) == (("dodge",), 2)


@claim(
    "002",
    "“debe tener una línea de visión hacia él”",
    "nor an unseen space, one behind a closed door, one off the board",
)
def test_an_attack_needs_a_space_in_sight(begun: Begun) -> None:
    shut = begun(hall(doors={"d1": ((2, 1), (3, 1))}), places={"red_marine": [[1, 1]]}).begin("unload")
    assert "does not see" in shut.refuses("attack", **shut.shot([3, 1]))
    assert "not on the board" in shut.refuses("attack", **shut.shot([40, 1]))


@claim(
    "002",
    "“solo necesita trazar una línea de visión desde … uno de los espacios que ocupa”",
    "a demon bites with either half",
)
def test_a_demon_bites_with_either_half(begun: Begun) -> None:
    for place in ([[2, 1], [3, 1]], [[2, 1], [2, 2]]):
        match = begun(hall(), places={"red_marine": [[1, 1]], "demon_1": place, "imp_1": [[9, 3]]})
        match.to_activations().act("demon-1").do("attack", targets=[RED])


@claim(
    "002",
    "“Si el alcance total obtenido es menor …, el ataque falla y no se hace daño”",
    "3 spaces, 2 rolled: no wound for ten damage",
)
def test_short_range_misses(begun: Begun) -> None:
    match = begun(hall(), places={"red_marine": [[1, 1]], "imp_1": [[4, 1]]}).begin("unload")
    match.shoot(IMP, faces=(face(1, 5), face(1, 5)))
    match.do("resolve")
    assert (match.game.piece(IMP).on_table, match.game.piece(IMP).harm) == (True, 0)


@claim(
    "002",
    "“fichas de munición para su uso”",
    "a bullet on the dice takes one token, on a miss, too; two bullets take one",
)
def test_a_bullet_takes_one_token(begun: Begun) -> None:
    for second in (MISS, face(4, 1, ammo=True)):
        match = begun(hall(), places={"red_marine": [[1, 1]], "imp_1": [[4, 1]]}).begin("unload")
        had = match.game.equipment[RED].ammo["bullets"]
        match.shoot(IMP, faces=(face(1, 1, ammo=True), second))
        match.do("resolve")
        assert match.game.equipment[RED].ammo["bullets"] == had - 1


@claim("002", "“El jugador controlador mueve su figura”", "nobody else's, of either side")
def test_a_turn_moves_its_own_figure(begun: Begun) -> None:
    match = begun(hall(), places={"red_marine": [[1, 1]], "green_marine": [[1, 2]], "imp_1": [[4, 1]]}).begin("advance")
    for name, cell in ((GREEN, [2, 2]), (IMP, [5, 1])):
        assert "turn of Red marine" in match.refuses("move", figure=name, cells=[cell])


@claim(
    "002",
    "“puede moverse hasta 4 espacios o hacer 1 ataque … Además, … puede colocar 1 pedido”",
    "moved: no attack, still an order",
)
def test_ready_moves_and_orders(begun: Begun) -> None:
    match = begun(hall(), places={"red_marine": [[1, 1]], "imp_1": [[4, 1]]}).begin("ready")
    match.do("move", figure=RED, cells=[[2, 1]])
    assert "no attack" in match.refuses("attack", **match.shot(IMP))
    match.do("order", order="dodge")


@claim(
    "002",
    "“Los ataques pueden realizarse en cualquier momento durante el movimiento”",
    "a way drawn by finger ends on a friend's space, too",
    "mended",
)
def test_a_drawn_way_stops_in_a_friends_space(begun: Begun) -> None:
    match = begun(hall(), places={"red_marine": [[1, 1]], "green_marine": [[3, 1]]}).begin("advance")
    way = match.played.session.way_drawn
    assert way(RED, [(2, 1), (3, 1)])["may_end"] is True
    assert way(RED, [(2, 1), (2, 2), (2, 3), (3, 2)])["may_end"] is True
    for cell in ([2, 1], [2, 2], [2, 1]):
        match.do("move", figure=RED, cells=[cell])
    assert way(RED, [(3, 1)])["may_end"] is False


@claim(
    "004",
    "“This is also true for the marine guard order”",
    "“was that legal?” lists whom a guard could have shot",
    "mended",
)
def test_a_guards_shot_lists_its_alternatives(begun: Begun) -> None:
    places = {"red_marine": [[1, 1]], "green_marine": [[1, 3]], "imp_1": [[4, 1]], "zombie_1": [[4, 3]]}
    match = begun(hall(), places=places).begin("ready")
    match.do("order", order="guard")
    match.to_activations().act(IMP).do("attack", targets=[RED])
    match.do("attack", guard=RED, **match.shot(IMP))
    found = match.played.session.judge(match.played.session.seq, JUDGE)
    named = {pick["figure"] for ask in found["alternatives"] if ask["field"] == "targets" for pick in ask["picks"]}
    assert {IMP, ZOMBIE} <= named


@claim(
    "002",
    "“más adelante en la ronda”",
    "whether an order serves in the turn in which it is placed; in the next round it does",
    "option order_at_once",
)
def test_an_order_at_once_or_later(begun: Begun) -> None:
    for choice in ("allowed", "later"):
        match = begun(hall(), places={"red_marine": [[1, 1]], "imp_1": [[4, 1]]}, options={"order_at_once": choice})
        match.begin("ready").do("order", order="aim")
        if choice == "later":
            assert "lets him use it later" in match.refuses("attack", aimed=True, **match.shot(IMP))
            match.do("end")
            match.to_activations()
            match.do("end")
            match.do("action", action="unload")
        match.do("attack", aimed=True, **match.shot(IMP))


def test_the_table_lists_every_claim() -> None:
    assert TABLE_FILE.read_text(encoding="utf-8") == worded_table(), "write it: python tests/match/test_claims2004.py"


def test_there_are_ninety_claims() -> None:
    assert len(CLAIMS) >= 90
    assert len({each.test for each in CLAIMS}) == len(CLAIMS)


def worded_table() -> str:
    """Return the whole text of ``CLAIMS.md``."""
    rows = [
        f"| {n} | {each.seed} | {each.sentence} | {each.says} | {each.verdict} | `{each.test}` |"
        for n, each in enumerate(CLAIMS, 1)
    ]
    head = """# Claims about DOOM 2004

Claims out of the seeds, read as a lawyer would: who, how far, when, and all of it together. Each is tried on a
running match by the test named beside it, in `tests/match/test_claims2004.py`, which also writes this table.

*Right* held at once. *Mended* was wrong or lax, and holds now. *Option* is an open point: both readings can be
chosen. *Silent*: the seeds do not say it; the program's choice is tried.

| # | seed | sentence | claim | verdict | test |
| --- | --- | --- | --- | --- | --- |
"""
    return head + "\n".join(rows) + "\n"


if __name__ == "__main__":
    TABLE_FILE.write_text(worded_table(), encoding="utf-8")
    sys.stdout.write(f"{len(CLAIMS)} claims\n")
