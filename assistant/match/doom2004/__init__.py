"""DOOM: The Boardgame (2004): marines in their order, the invader's three steps, orders, wounds and ammunition."""

from assistant.match.doom2004 import attack_steps, board_steps, invader_steps, reroll_steps, turn_steps
from assistant.match.doom2004.advice import advise
from assistant.match.doom2004.guide import guide
from assistant.match.doom2004.setup import Setup2004
from assistant.match.doom2004.start import start
from assistant.match.doom2004.state import Doom2004
from assistant.match.doom2004.view import prompts, tracker, view
from assistant.match.systems import System
from assistant.rules.phrases_attack2004 import ATTACK_RULES

STEPS = (
    *turn_steps.STEPS,
    *board_steps.STEPS,
    *attack_steps.STEPS,
    *reroll_steps.STEPS,
    *invader_steps.STEPS,
)

SYSTEM = System(
    ruleset=Doom2004.ruleset,
    setup=Setup2004,
    game=Doom2004,
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
