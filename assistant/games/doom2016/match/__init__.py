"""DOOM: The Board Game (2016): rounds, initiative, activations, damage, portals and decks."""

from assistant.games.doom2016.match import (
    attack_steps,
    hand_steps,
    marine_steps,
    portal_steps,
    round_steps,
    table_steps,
    teleporter_steps,
)
from assistant.games.doom2016.match.advice import advise
from assistant.games.doom2016.match.guide import guide
from assistant.games.doom2016.match.setup import Setup2016
from assistant.games.doom2016.match.start import start
from assistant.games.doom2016.match.state import Doom2016
from assistant.games.doom2016.match.view import prompts, tracker, view
from assistant.games.doom2016.rules.attack_reasons import ATTACK_RULES
from assistant.match.systems import System

STEPS = (
    *round_steps.STEPS,
    *marine_steps.STEPS,
    *teleporter_steps.STEPS,
    *table_steps.STEPS,
    *portal_steps.STEPS,
    *attack_steps.STEPS,
    *hand_steps.STEPS,
)

SYSTEM = System(
    ruleset=Doom2016.ruleset,
    setup=Setup2016,
    game=Doom2016,
    steps=STEPS,
    begin=start,
    view=view,
    prompts=prompts,
    tracker=tracker,
    advise=advise,
    guide=guide,
    attack_rules=ATTACK_RULES,
)
"""What the session needs of this system."""
