"""DOOM: The Board Game (2016): rounds, initiative, activations, damage, portals and decks."""

from assistant.match.doom2016 import (
    attack_steps,
    hand_steps,
    marine_steps,
    portal_steps,
    round_steps,
    table_steps,
    teleporter_steps,
)
from assistant.match.doom2016.advice import advise
from assistant.match.doom2016.guide import guide
from assistant.match.doom2016.setup import Setup2016
from assistant.match.doom2016.start import start
from assistant.match.doom2016.state import Doom2016
from assistant.match.doom2016.view import prompts, tracker, view
from assistant.match.systems import System
from assistant.rules.phrases_attack2016 import ATTACK_RULES

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
