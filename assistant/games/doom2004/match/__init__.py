"""DOOM: The Boardgame (2004): marines in their order, the invader's three steps, orders, wounds and ammunition."""

from assistant.games.doom2004.match import attack_steps, board_steps, invader_steps, reroll_steps, turn_steps
from assistant.games.doom2004.match.advice import advise
from assistant.games.doom2004.match.guide import guide
from assistant.games.doom2004.match.setup import Setup2004
from assistant.games.doom2004.match.start import start
from assistant.games.doom2004.match.state import Doom2004
from assistant.games.doom2004.match.view import prompts, tracker, view
from assistant.games.doom2004.rules.attack_reasons import ATTACK_RULES
from assistant.match.systems import System

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
