"""The tokens beside a model of `roads`, and which of them stop it from what."""

from __future__ import annotations

from collections.abc import Mapping

from assistant.translations.messages import Said, said

LEADER, DOWN, FLEEING, WATCH, HIDDEN = "leader", "down", "fleeing", "watch", "camouflaged"
CHARGED, RAN, MOVED, SHOT, STILL = "charged", "ran", "moved", "shot", "still"
AFRAID, TERRIFIED, DULLED, RAGING = "afraid", "terrified", "dulled", "frenzied"
PRONE = "prone"

ROOTED = "rooted"
"""Moves no more in this turn: a climb, or a charge for fear, has failed. It may shoot."""

FALLEN = "fallen"
"""Fell in this turn: neither moves nor hides any more. It may shoot."""

SHUFFLING = "shuffling"
"""Failed its test of stupidity and has to shuffle on in this turn."""

JUMPED = "jumped"
"""Attacks out of a jump in this turn."""

EMERGED = "emerged"
"""Came out of its camouflage in this turn: a fleeting target for who watches."""

OF_A_TURN = (CHARGED, RAN, MOVED, SHOT, STILL, AFRAID, PRONE, ROOTED, FALLEN, JUMPED, EMERGED, SHUFFLING)
"""Tokens that lie beside a model until the turn is over, whoever's it is: the seed says “this turn” of each."""

STOPPING: Mapping[str, Said] = {DOWN: said("down"), FLEEING: said("fleeing"), STILL: said("still")}
"""Tokens of those who can do nothing of their own accord."""
