"""The rules of play of `roads` by which commands are refused, each with its place in seed 003.

The seed begins within the chapter on shooting: what stands before it, the order of the phases and plain moves, is
known from the headings that refer to it alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.games.roads.rules.reasons import (
    ADVANCE,
    CAMOUFLAGE,
    CRAWL,
    DRAWN_IN,
    FLIGHT,
    FRENZY,
    IN_MELEE,
    SWAP,
    WATCH,
    WITHDRAWAL,
)
from assistant.rules.reasons import Rule
from assistant.translations.messages import message

TURNS = Rule(
    "roads/turn-order",
    message("the chapter on turns is not in seed 003, which names the start of a turn, moving, shooting and melee"),
    message("A side's turn has its start, moves, shots and melee, in this order."),
)
TESTS = Rule(
    "roads/tests",
    message("source 003, “Психология”"),
    message("Roll a due test on Spirit before anything else."),
)
MOVES = Rule(
    "roads/moves",
    message("the chapter on moving is not in seed 003; its measure is Mobility, as in “Лазание” and “Маскировка”"),
    message("A model moves in its movement phase, as far as the set-up or people say; jumps may interrupt its move."),
)
MANOEUVRES = Rule(
    "roads/manoeuvres",
    message("source 003, “Особые маневры”"),
    message("Climbing, jumping and leaping cost movement and tests of Mobility."),
)
SHOTS = Rule(
    "roads/shots",
    message("the roll of a shot is not in seed 003, which begins with “Вне диапазона дальности”"),
    message("A shot needs line of sight, a weapon at hand, and a model that may shoot this turn."),
)
JAMS = Rule(
    "roads/jams",
    message("source 003, “Необычное оружие”"),
    message("The weapon says what a jam does and when it ends."),
)
REACTIONS = Rule(
    "roads/reactions",
    message("source 003, “Реакции на выстрел”"),
    message("The target of a shot may duck, take cover or shoot first."),
)
BLOWS = Rule(
    "roads/blows",
    message("source 003, “Блок” and “Ненависть”"),
    message("A shield makes the enemy re-roll the highest die; hatred re-rolls a fighter's own dice."),
)
HITS = Rule(
    "roads/hits",
    message("source 003, “Количество ударов” and “Попадания”"),
    message("The winner of a fight hits once for each point of difference."),
)
WOUNDS = Rule(
    "roads/wounds",
    message("source 003, “Раны, броня и ранения”"),
    message("Resolve hits like those of shots, which seed 003 does not print: people say what came of them."),
)
RISING = Rule(
    "roads/rising",
    message("when a model is up again is not in seed 003, which knows models that are knocked down"),
    message("A model that was knocked down stays down until people say that it is up again."),
)

PLAY_RULES: Mapping[str, Rule] = {
    "begin": TURNS,
    "next": TURNS,
    "test": TESTS,
    "waive": TESTS,
    "withdraw": WITHDRAWAL,
    "move": MOVES,
    "charge": MOVES,
    "go_on": WATCH,
    "manoeuvre": MANOEUVRES,
    "crawl": CRAWL,
    "hold_back": FRENZY,
    "watch": WATCH,
    "hide": CAMOUFLAGE,
    "found": CAMOUFLAGE,
    "shoot": SHOTS,
    "clear_jam": JAMS,
    "react": REACTIONS,
    "wield": SWAP,
    "draw_in": DRAWN_IN,
    "fight": IN_MELEE,
    "reroll": BLOWS,
    "strike": HITS,
    "wound": WOUNDS,
    "flee": FLIGHT,
    "advance": ADVANCE,
    "stand_up": RISING,
}
"""The rule by which each command is allowed or refused."""
